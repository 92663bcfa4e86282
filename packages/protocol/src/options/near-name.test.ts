import { describe, expect, it } from 'vitest'
import { nearName } from './near-name.js'

describe('nearName', () => {
  it.each([
    ['client_order_id', 'clientOrderId'],
    ['amuont', 'amount'],
    ['emial', 'email'],
    ['zzzzzz', undefined],
    ['a', undefined],
  ])('takes %s for %s', (name, meant) => {
    expect(nearName(name, ['clientOrderId', 'amount', 'email'])).toBe(meant)
  })
})
