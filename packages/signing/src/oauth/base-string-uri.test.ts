import { describe, expect, it } from 'vitest'
import { baseStringUri } from './base-string-uri.js'

describe('baseStringUri', () => {
  it('keeps a path prefix, a trailing slash and an escaped slash', () => {
    expect(baseStringUri(new URL('https://gate.example/paynet/a%2Fb/'))).toBe('https://gate.example/paynet/a%2Fb/')
  })

  it('keeps the brackets of an IPv6 address and the port', () => {
    expect(baseStringUri(new URL('http://[::1]:8080/a'))).toBe('http://[::1]:8080/a')
  })

  it('leaves out a user name and a password', () => {
    expect(baseStringUri(new URL('https://user:word@gate.example/'))).toBe('https://gate.example/')
  })

  it('refuses another scheme', () => {
    expect(() => baseStringUri(new URL('ftp://gate.example/'))).toThrow(expect.objectContaining({ field: 'url' }))
  })
})
