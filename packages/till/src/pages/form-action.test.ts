import { describe, expect, it } from 'vitest'
import { formsMayLeadTo } from './form-action.js'

const gateway = new URL('https://gate.example')

// Content Security Policy Level 3, section 6.7.2.8: https://www.w3.org/TR/CSP3/#match-url-to-source-expression
describe('formsMayLeadTo', () => {
  it.each([
    ['no policy', ''],
    ['a policy about other things', "default-src 'none'; x-form-action 'none'"],
    ['every host', 'form-action *'],
    ['a scheme', "form-action 'self' https:"],
    ['http:, which covers https', 'form-action http:'],
    ['the host', "form-action 'self' gate.example"],
    ['the host in capitals', "FORM-ACTION 'self' GATE.example"],
    ['its origin', "default-src 'self';form-action 'self' https://gate.example"],
    ['its port', 'form-action https://gate.example:443'],
    ['every port', 'form-action gate.example:*'],
    ['a path, which a redirect need not match', 'form-action https://gate.example/paynet'],
    ['a wildcard', 'form-action *.example'],
    ['two policies that allow it', "form-action https:, form-action 'self' gate.example"],
    ['the first of two lists', "form-action https:; form-action 'self'"],
  ])('is true of %s', (_, policy) => {
    expect(formsMayLeadTo(gateway, policy)).toBe(true)
  })

  it.each([
    ["'self'", "default-src *; form-action 'self'"],
    ["'none'", "form-action 'none'"],
    ['an empty list', 'form-action'],
    ['another host', "form-action 'self' https://shop.example"],
    ['a host that only ends with it', 'form-action gate.example.evil'],
    ['a wildcard for hosts below it', 'form-action *.gate.example'],
    ['another port', 'form-action gate.example:8443'],
    ['another scheme', 'form-action wss://gate.example'],
    ['two policies of which one forbids it', "form-action https:, form-action 'self'"],
  ])('is false of %s', (_, policy) => {
    expect(formsMayLeadTo(gateway, policy)).toBe(false)
  })

  it('knows ports of loopback', () => {
    const local = new URL('http://127.0.0.1:4270')
    expect(formsMayLeadTo(local, "form-action 'self' http://127.0.0.1:4270")).toBe(true)
    expect(formsMayLeadTo(local, "form-action 'self' http://127.0.0.1:4280")).toBe(false)
    expect(formsMayLeadTo(local, 'form-action https:')).toBe(false)
  })
})
