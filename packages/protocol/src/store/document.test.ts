import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage, upload } from '../../test/payment-samples.js'
import {
  entryOf,
  findOrder,
  isDisputed,
  isUntold,
  type KnownAttempt,
  type PaymentDocument,
  quietFrom,
  readDocument,
  tombstoneOf,
} from './document.js'
import { StoreError } from './store.js'

const stored = (body: string) => ({ key: 'payment/test/shop/basket-7', version: 1, body })
const approved = stage({ status: 'approved', outcome: 'approved', askedAt: 6_000 })
const correction = { from: 'declined', to: 'approved', askedAt: 7_000 }
const ended = (attempt: KnownAttempt, kind: 'accepted' | 'refused' | 'not-sent' | 'no-trace' | 'unknown') => ({
  ...attempt,
  end: { kind, at: 2_000 },
})

describe('readDocument', () => {
  it('reads what was written, with fields that it does not know', () => {
    const document = {
      ...payment({ ...order({ attempts: [{ ...sale, later: 1 } as KnownAttempt] }), later: { deep: [2] } } as never),
      later: null,
    }
    expect(readDocument(stored(entryOf(document).body))).toEqual(document)
  })

  it.each([
    ['no JSON', 'rows'],
    ['nothing', ''],
    ['null', 'null'],
    ['a text', '"payment"'],
    ['something else', '{"id":1}'],
    ['a document without orders', '{"v":1,"reference":"basket-7"}'],
    ['a document whose version is a text', '{"v":"1","reference":"basket-7","orders":[]}'],
    ['a document of a later release', '{"v":2,"reference":"basket-7","orders":[]}'],
    ['an order without attempts', '{"v":1,"reference":"basket-7","orders":[{"login":"m","stages":[]}]}'],
    ['an order that is null', '{"v":1,"reference":"basket-7","orders":[null]}'],
    ['an attempt of no effect', JSON.stringify(payment(order({ attempts: [{ ...sale, effect: 'reads' } as never] })))],
    ['an amount that lost its digits', JSON.stringify(payment(order({ attempts: [{ ...sale, amount: 3 } as never] })))],
  ])('refuses %s, names the key and shows nothing of the body', (_, body) => {
    const read = () => readDocument(stored(body))
    expect(read).toThrow(StoreError)
    expect(read).toThrow(expect.objectContaining({ code: 'ERR_STORE_DOCUMENT' }))
    expect(read).toThrow('"payment/test/shop/basket-7"')
    expect(read).not.toThrow('https://gate.example')
  })
})

describe('entryOf', () => {
  it.each<[string, PaymentDocument, number | null]>([
    ['never where nothing is known', payment(), null],
    // Reserved at 1,000, sent until 31,000; whoever waited for an answer has given up at 61,000.
    ['once an open attempt is surely over', payment(order({ attempts: [sale] })), 61_000],
    ['once an unknown attempt is surely over', payment(order({ attempts: [ended(sale, 'unknown')] })), 61_000],
    ['once an accepted attempt is', payment(order({ attempts: [ended(sale, 'accepted')] })), 61_000],
    ['never for one that was refused', payment(order({ attempts: [ended(sale, 'refused')] })), null],
    ['never for one that was not sent', payment(order({ attempts: [ended(sale, 'not-sent')] })), null],
    ['never for one that left no trace', payment(order({ attempts: [ended(sale, 'no-trace')] })), null],
    ['never for one that makes no stage', payment(order({ attempts: [ended(upload, 'accepted')] })), null],
    ['when a callback came', payment(order({ callbackAt: 4_000 })), 4_000],
    ['when an outcome is to be told', payment(order({ stages: [approved] })), 6_000],
    [
      'never once it was told',
      payment(order({ attempts: [ended(sale, 'accepted')], stages: [{ ...approved, told: 1 }] })),
      null,
    ],
    [
      'when a correction is to be told',
      payment(order({ stages: [{ ...approved, told: 1, corrections: [correction] }] })),
      6_000,
    ],
    [
      'once a return that was accepted is over, whatever became of the sale',
      payment(order({ attempts: [ended(part, 'accepted')], stages: [{ ...approved, told: 1 }] })),
      61_000,
    ],
    [
      'when a claim to tell it is over',
      { ...payment(order({ stages: [approved] })), telling: { token: 't', order: 0, stage: 0, until: 90_000 } },
      90_000,
    ],
    [
      'before a claim is over where a callback came',
      {
        ...payment(order({ stages: [approved], callbackAt: 7_000 })),
        telling: { token: 't', order: 0, stage: 0, until: 90_000 },
      },
      7_000,
    ],
    ['of the earliest of several', payment(order({ attempts: [sale] }), order({ callbackAt: 4_000 })), 4_000],
    ['never for what is over', { ...payment(order({ attempts: [sale] })), over: 1 }, null],
  ])('is due %s', (_, document, due) => {
    expect(entryOf(document)).toMatchObject({ due })
  })

  it.each<[string, PaymentDocument, string | null]>([
    ['on no list', payment(order({ attempts: [sale], stages: [approved] })), null],
    ['unknown where an outcome is', payment(order({ attempts: [ended(sale, 'unknown')] })), 'unknown'],
    [
      'for a person where the gateway corrected itself',
      payment(order({ stages: [{ ...approved, corrections: [correction] }] })),
      'needs-person',
    ],
    [
      'for a person where it restated the money',
      payment(order({ stages: [{ ...approved, restated: { amount: '9.00', askedAt: 7 } }] })),
      'needs-person',
    ],
    [
      'for a person first',
      payment(order({ attempts: [ended(sale, 'unknown')], stages: [{ ...approved, corrections: [correction] }] })),
      'needs-person',
    ],
  ])('stands %s', (_, document, list) => {
    expect(entryOf(document)).toMatchObject({ list })
  })

  it('writes JSON without a raw NUL, whatever a gateway sent', () => {
    const { body } = entryOf(payment(order({ stages: [stage({ errorMessage: 'a\0b' })] })))
    expect(body).not.toContain('\0')
    expect(readDocument(stored(body)).orders[0]?.stages[0]?.errorMessage).toBe('a\0b')
  })
})

describe('quietFrom', () => {
  it('is as long after the last byte as the call was allowed to take', () => {
    expect(quietFrom({ reservedAt: 1_000, sendBy: 31_000 })).toBe(61_000)
  })

  it('is never before the last byte', () => {
    expect(quietFrom({ reservedAt: 50_000, sendBy: 31_000 })).toBe(31_000)
  })
})

describe('tombstoneOf', () => {
  it('keeps the ids and nothing else of a person, an amount or an attempt', () => {
    const document = {
      ...payment(
        order({ orderId: '77', attempts: [ended(sale, 'accepted')], stages: [approved], callbackAt: 1 }),
        order({ clientOrderId: 'basket-7.2r' }),
      ),
      telling: { token: 't', order: 0, stage: 0, until: 1 },
    }
    const tombstone = readDocument(stored(entryOf(tombstoneOf(document, 9_000)).body))
    expect(tombstone).toEqual({
      v: 1,
      reference: 'basket-7',
      orders: [order({ orderId: '77' }), order({ clientOrderId: 'basket-7.2r' })],
      over: 9_000,
    })
  })
})

describe('findOrder', () => {
  const first = order({ orderId: '77' })
  const foreign = order({ login: 'other', orderId: '77' })
  const nameless = { login: 'merchant', orderId: '78', attempts: [], stages: [] }
  const document = payment(first, foreign, nameless)

  it.each([
    ['the merchant’s id', { clientOrderId: 'basket-7', login: 'merchant' }, first],
    [
      'the merchant’s id, whatever the gateway’s is',
      { clientOrderId: 'basket-7', orderId: '5', login: 'merchant' },
      first,
    ],
    ['the gateway’s id where the merchant’s is not given', { orderId: '78', login: 'merchant' }, nameless],
    ['the merchant', { clientOrderId: 'basket-7', login: 'other' }, foreign],
    ['an id that it does not have', { clientOrderId: 'basket-8', login: 'merchant' }, undefined],
    ['a merchant that it does not have', { clientOrderId: 'basket-7', login: 'third' }, undefined],
  ])('goes by %s', (_, about, expected) => {
    expect(findOrder(document, about)).toBe(expected)
  })
})

describe('a stage', () => {
  it.each([
    ['under way', stage(), false, false],
    ['over', approved, true, false],
    ['over and told', { ...approved, told: 1 }, false, false],
    ['corrected, of which the first word was told', { ...approved, told: 1, corrections: [correction] }, true, true],
    ['corrected and told twice', { ...approved, told: 2, corrections: [correction] }, false, true],
    ['over other money than before', { ...approved, told: 1, restated: { askedAt: 7 } }, false, true],
  ])('that is %s', (_, known, untold, disputed) => {
    expect([isUntold(known), isDisputed(known)]).toEqual([untold, disputed])
  })
})
