import { describe, expect, it } from 'vitest'
import { isLoopbackHost } from './loopback.js'

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
    '::ffff:10.0.0.1',
    '10.0.0.1',
  ])('refuses %j', host => {
    expect(isLoopbackHost(host)).toBe(false)
  })
})
