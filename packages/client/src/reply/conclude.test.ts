import { createScrubber, defaultProfile, type RawReply, readReply } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { endOf } from './conclude.js'
import { RedactedRecord } from './record.js'

const scrubber = createScrubber(() => ({ texts: [], cardNumbers: [], digits: [] }))
const answered = { connection: 'answered' } as const

/** The record of an answer, as it may be shown. */
const recordOf = (raw: RawReply) =>
  new RedactedRecord(
    readReply(raw, { record: 'AsyncCheckoutFormRedirect', profile: defaultProfile }),
    scrubber,
    defaultProfile,
  )

const form = 'https://gate.example/form/1'
const ids = { 'paynet-order-id': '77', 'serial-number': 's-1' }
const kept = { orderId: '77', serialNumber: 's-1' }

describe('endOf', () => {
  it.each([
    [{ ...ids, 'redirect-url': form }, answered, { ...kept, redirectUrl: form, ...answered }],
    [ids, answered, { ...kept, ...answered }],
    [ids, {}, kept],
    [{ 'paynet-order-id': '77' }, answered, { orderId: '77', ...answered }],
    [{}, {}, {}],
  ])('keeps what the answer said and nothing that it did not: %#', (raw, others, expected) => {
    const end = endOf({ kind: 'unknown', answered: { record: recordOf(raw), ...others } }, 5)
    expect(end).toStrictEqual({ kind: 'unknown', ...expected, at: 5 })
  })

  it('keeps nothing of an answer without a record, and no id that is not to be believed', () => {
    expect(endOf({ kind: 'unknown', answered: {} }, 5)).toStrictEqual({ kind: 'unknown', at: 5 })
    const record = recordOf({ ...ids, 'redirect-url': form })
      .without('orderId')
      .without('redirectUrl')
    expect(endOf({ kind: 'unknown', answered: { record } }, 5)).toStrictEqual({
      kind: 'unknown',
      serialNumber: 's-1',
      at: 5,
    })
  })
})
