import { describe, expect, it } from 'vitest'
import { endOf } from './attempt-end.js'

const answered = {
  orderId: () => '77',
  serialNumber: () => 's-1',
  redirectUrl: () => 'https://gate.example/form/1',
  connection: 'answered',
} as const

describe('endOf', () => {
  it.each([
    [
      answered,
      { orderId: '77', serialNumber: 's-1', redirectUrl: 'https://gate.example/form/1', connection: 'answered' },
    ],
    [
      { ...answered, redirectUrl: undefined },
      { orderId: '77', serialNumber: 's-1', connection: 'answered' },
    ],
    [
      { ...answered, redirectUrl: undefined, connection: undefined },
      { orderId: '77', serialNumber: 's-1' },
    ],
    [{ orderId: answered.orderId, connection: 'answered' } as const, { orderId: '77', connection: 'answered' }],
    [{}, {}],
  ])('keeps what the answer said and nothing that it did not: %#', (said, kept) => {
    const end = endOf({ ...said, ending: 'unknown' }, 5)
    expect(end).toStrictEqual({ ending: 'unknown', ...kept, at: 5 })
  })
})
