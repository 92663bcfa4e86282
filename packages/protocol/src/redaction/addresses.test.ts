import { describe, expect, it } from 'vitest'
import { isLoopbackHost, isSafeAddress } from './addresses.js'

describe('isLoopbackHost', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '[::1]',
    '::1',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'shop.localhost',
  ])('takes %s', host => {
    expect(isLoopbackHost(host)).toBe(true)
  })

  it.each([
    '',
    '0.0.0.0',
    '128.0.0.1',
    '127.0.0.1.example',
    '1127.0.0.1',
    'localhost.example',
    'notlocalhost',
    '[::2]',
    '::[1',
    '::]1',
    '::ffff:10.0.0.1',
    '10.0.0.1',
  ])('refuses %j', host => {
    expect(isLoopbackHost(host)).toBe(false)
  })
})

describe('isSafeAddress', () => {
  it.each(['https://gate.example/pay', 'http://127.0.0.1:8080/', 'http://[::1]/', 'http://localhost:3000/'])(
    'takes %s',
    address => {
      expect(isSafeAddress(new URL(address))).toBe(true)
    },
  )

  it('takes plain http to other hosts where it is told to, and nothing else besides', () => {
    const taken = ['http://gateway:4010/', 'http://user@gateway/', 'javascript:alert(1)', 'ftp://gateway/']
    expect(taken.filter(address => isSafeAddress(new URL(address), { plainHttp: true }))).toEqual([taken[0]])
  })

  it.each([
    'http://gate.example/',
    'https://:word@gate.example/',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'https://user:pass@gate.example/',
    'https://gate.example@evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://gate.example/',
  ])('refuses %s', address => {
    expect(isSafeAddress(new URL(address))).toBe(false)
  })
})
