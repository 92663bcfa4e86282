import { describe, expect, it } from 'vitest'
import { sameOriginPath, withPathSegment } from './addresses.js'

describe('withPathSegment', () => {
  it.each([
    ['https://shop.example/return', 'https://shop.example/return/s'],
    ['https://shop.example/return/', 'https://shop.example/return/s'],
    ['https://shop.example', 'https://shop.example/s'],
    ['https://shop.example/return?lang=de#top', 'https://shop.example/return/s?lang=de'],
  ])('appends to %s', (address, expected) => {
    expect(withPathSegment(new URL(address), 's').href).toBe(expected)
  })
})

describe('sameOriginPath', () => {
  it.each([
    ['/orders/1', '/orders/1'],
    ['/', '/'],
    ['/orders?id=1&next=//elsewhere.example#top', '/orders?id=1&next=//elsewhere.example#top'],
    ['/bestellung/ü', '/bestellung/%C3%BC'],
    ['/a/../b', '/b'],
  ])('takes %s', (path, expected) => {
    expect(sameOriginPath(path)).toBe(expected)
  })

  it.each([
    'https://elsewhere.example/',
    '//elsewhere.example/',
    '/\\elsewhere.example/',
    '\\\\elsewhere.example/',
    '/\t/elsewhere.example/',
    '/\n/elsewhere.example/',
    '/..//elsewhere.example/',
    '/.//elsewhere.example/',
    '/orders\r\nSet-Cookie: a=b',
    'orders/1',
    'javascript:alert(1)',
    'back',
    '',
    undefined,
    ['/orders'],
  ])('refuses %j', path => {
    expect(sameOriginPath(path)).toBeUndefined()
  })
})
