import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage, upload, whole } from '../../../test/state/payment-samples.js'
import type { PaymentDocument } from '../../state/document.js'
import type { KnownAttempt, KnownStage } from '../../state/known.js'
import { StoreError } from '../../store/store.js'
import { attemptEnded } from '../orders/happened.js'
import { entryOf, keptOf, lookAgainAt, readDocument } from './entry.js'

const stored = (body: string) => ({ key: 'payment/test/shop/basket-7', version: 1, writeId: 'w', body })
const approved = stage({ status: 'approved', outcome: 'approved', askedAt: 6_000, amount: '10.00', currency: 'EUR' })
const told: KnownStage = { ...approved, told: 1 }
const correction = { from: 'declined', to: 'approved', askedAt: 7_000 }
type EndKind = 'accepted' | 'refused' | 'not-sent' | 'no-trace' | 'unknown'
const ended = (attempt: KnownAttempt, kind: EndKind = 'accepted') => ({ ...attempt, end: { kind, at: 2_000 } })
const numbered = (attempt: KnownAttempt, serialNumber: string): KnownAttempt => ({
  ...attempt,
  attemptId: serialNumber,
  end: { kind: 'accepted', at: 2_000, serialNumber },
})

const form: KnownAttempt = { ...sale, operation: 'saleForm' }
const returned: KnownStage = { ...told, stage: 'reversal', amount: '10.00', currency: 'EUR', serialNumber: 's-1' }
const paid = order({ attempts: [ended(sale)], stages: [{ ...told, amount: '10.00', currency: 'EUR' }] })
const second = { ...paid, clientOrderId: 'basket-7.2r', stages: [{ ...told, amount: '10.00', currency: 'EUR' }] }
const late: KnownStage = { ...told, outcome: 'declined', status: 'declined', corrections: [correction] }

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
    [
      'once a second equal return is, whatever became of the first',
      payment(
        order({
          attempts: [
            ended(sale),
            numbered(part, 's-1'),
            numbered({ ...part, sendBy: 50_000, reservedAt: 40_000 }, 's-2'),
          ],
          stages: [told, { ...told, stage: 'reversal', serialNumber: 's-1', amount: '3.00' }],
        }),
      ),
      60_000,
    ],
    [
      'never for an unknown sale whose end status has shown',
      payment(order({ attempts: [ended(sale, 'unknown')], stages: [told] })),
      null,
    ],
    [
      'once an unknown return is over, of which status has shown the end before that could be judged',
      payment(
        order({
          attempts: [ended(sale), ended({ ...part, reservedAt: 1_000, sendBy: 31_000 }, 'unknown')],
          stages: [told, { ...returned, amount: '3.00' }],
        }),
      ),
      61_000,
    ],
    ['once an unknown attempt that makes no stage is over', payment(order({ attempts: [upload] })), 61_000],
    ['when a callback came', payment(order({ attempts: [ended(sale)], callbackAt: 4_000 })), 4_000],
    ['never for a callback about what no request is behind', payment(order({ callbackAt: 4_000 })), null],
    ['when an outcome is to be told', payment(order({ stages: [approved] })), 6_000],
    ['never once it was told', payment(order({ attempts: [ended(sale, 'accepted')], stages: [told] })), null],
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
      {
        ...payment(order({ stages: [approved] })),
        telling: { token: 't', order: 0, stage: 0, words: 1, until: 90_000 },
      },
      90_000,
    ],
    [
      'before a claim is over where a callback came',
      {
        ...payment(order({ stages: [approved], callbackAt: 7_000 })),
        telling: { token: 't', order: 0, stage: 0, words: 1, until: 90_000 },
      },
      7_000,
    ],
    [
      'of the earliest of several',
      payment(order({ attempts: [sale] }), order({ attempts: [ended(sale)], callbackAt: 4_000 })),
      4_000,
    ],
    ['never for what is over', { ...payment(order({ attempts: [sale] })), over: 1 }, null],
  ])('is due %s', (_, document, due) => {
    expect(entryOf(document)).toMatchObject({ due })
  })

  it.each<[string, PaymentDocument, string | null]>([
    ['on no list', payment(order({ attempts: [sale], stages: [told] })), null],
    ['as open where a request is under way', payment(order({ attempts: [sale] })), 'open'],
    [
      'as open where status shows that it goes on',
      payment(order({ attempts: [ended(sale)], stages: [stage()] })),
      'open',
    ],
    ['as a form where a customer has one', payment(order({ attempts: [ended(form)] })), 'form'],
    [
      'as open where a form is paid and a return goes on',
      payment(order({ attempts: [ended(form), ended(part)], stages: [told] })),
      'open',
    ],
    [
      'on no list where the payment went on without it',
      payment(order({ attempts: [ended(form)], left: 'replaced' })),
      null,
    ],
    ['on no list as a tombstone', { ...payment(order({ callbackAt: 4_000 })), over: 9 }, null],
    [
      'unknown no more where status has shown its end',
      payment(order({ attempts: [ended(sale, 'unknown')], stages: [told] })),
      null,
    ],
    ['as surplus where two orders took money', payment(paid, second), 'surplus'],
    [
      'on no list where all of one was given back',
      payment(paid, { ...second, stages: [{ ...told, amount: '10.00', currency: 'EUR' }, returned] }),
      null,
    ],
    [
      'as surplus, and unknown, where its return was not answered',
      payment(paid, { ...second, attempts: [ended(sale), ended(whole, 'unknown')] }),
      'surplus+unknown',
    ],
    [
      'for a person before surplus, as the payment is disputed then',
      payment(paid, second, order({ crowded: true })),
      'needs-person',
    ],
    [
      'as untold, and for no person, where a decline was corrected to approved',
      payment(order({ attempts: [ended(sale)], stages: [late] })),
      'untold',
    ],
    ['as untold until the handler was told', payment(order({ attempts: [ended(sale)], stages: [approved] })), 'untold'],
    [
      'as open, and untold, where a return goes on',
      payment(order({ attempts: [ended(sale), ended(part)], stages: [approved] })),
      'open+untold',
    ],
    [
      'as failing while its handler fails',
      {
        ...payment(order({ attempts: [ended(sale)], stages: [approved] })),
        telling: { token: '', order: 0, stage: 0, words: 1, until: 9, failed: { since: 5, tries: 2, error: 'no' } },
      },
      'failing',
    ],
    ['unknown where an outcome is', payment(order({ attempts: [ended(sale, 'unknown')] })), 'unknown'],
    [
      'for a person where the gateway corrected itself',
      payment(order({ stages: [{ ...approved, corrections: [correction] }] })),
      'needs-person+untold',
    ],
    [
      'for a person where it restated the money',
      payment(order({ stages: [{ ...approved, restated: { amount: '9.00', askedAt: 7 } }] })),
      'needs-person+untold',
    ],
    [
      'unmatched where a callback came, and no request is behind it',
      payment(order({ callbackAt: 4_000 })),
      'unmatched',
    ],
    [
      'on no list where a callback came for what was asked for, and has ended',
      payment(order({ attempts: [ended(sale)], stages: [told], callbackAt: 4 })),
      null,
    ],
    [
      'for a person first',
      payment(
        order({
          attempts: [ended(sale), ended(part, 'unknown')],
          stages: [{ ...approved, corrections: [correction] }],
        }),
      ),
      'needs-person+unknown+untold',
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

describe('lookAgainAt', () => {
  const day = 24 * 60 * 60_000
  const form = payment(order({ attempts: [{ ...sale, reservedAt: 0 }] }))

  it.each<[string, PaymentDocument, number, number]>([
    ['a minute later at least', form, 61_000, 121_000],
    ['a quarter of its age later', form, 4 * day, 5 * day],
    [
      'by its latest request',
      payment(...form.orders, order({ attempts: [{ ...sale, reservedAt: 4 * day }] })),
      8 * day,
      9 * day,
    ],
    ['by its latest callback', payment(order({ attempts: [sale], callbackAt: 4 * day })), 8 * day, 9 * day],
    [
      'a minute later where the clock was set back',
      payment(order({ attempts: [{ ...sale, reservedAt: day }] })),
      5,
      60_005,
    ],
  ])('looks again %s', (_, document, at, expected) => {
    expect(lookAgainAt(document, at)).toBe(expected)
  })

  it('looks at what never ends ever less often: no more than a hundred times in ten years', () => {
    let looks = 0
    for (let at = 61_000; at < 3_650 * day; at = lookAgainAt(form, at)) looks += 1
    expect(looks).toBeGreaterThan(20)
    expect(looks).toBeLessThan(100)
  })
})

describe('readDocument', () => {
  const sold = payment(order({ attempts: [sale] }))
  const [requested] = sold.facts
  const about = { login: 'merchant', clientOrderId: 'basket-7' }
  const replied = { kind: 'status', order: about, stage: 1, at: 1, said: { stage: 'sale', status: 'approved' } }
  const history = (...facts: readonly unknown[]) => JSON.stringify({ v: 2, reference: 'basket-7', facts })

  it('reads what was written', () => {
    const document = payment(order({ orderId: '77', attempts: [sale], stages: [stage({ told: 1 })], callbackAt: 7 }))
    expect(readDocument(stored(entryOf(document).body))).toEqual(document)
  })

  it('refuses a fact whose kind cannot even be written as text', () => {
    const kind = { toString: 1, valueOf: 1 }
    expect(() => readDocument(stored(history({ kind })))).toThrow(
      expect.objectContaining({ code: 'ERR_STORE_DOCUMENT' }),
    )
  })

  it('keeps fields of the history, and of its facts, that it does not know', () => {
    const body = JSON.stringify({
      v: 2,
      reference: 'basket-7',
      facts: [{ ...requested, later: 1 }],
      later: { deep: [2] },
    })
    const known = readDocument(stored(body))
    const after = attemptEnded(known, sale, { kind: 'not-sent', at: 2_000 })
    expect(keptOf(after, 'payment/test/shop/basket-7')).toMatchObject({
      facts: [{ kind: 'requested', later: 1 }, { kind: 'answered' }],
      later: { deep: [2] },
    })
  })

  it('reads where an order is that was adopted, and what is kept of a till itself', () => {
    const moved = { ...payment(), reference: 'web-117', movedTo: 'basket-7' }
    const pointer = keptOf(moved, 'payment/test/shop/web-117')
    expect(pointer).toEqual({ v: 2, reference: 'web-117', alias: 'basket-7' })
    expect(readDocument(stored(JSON.stringify(pointer)))).toEqual(moved)
    const paused = { ...payment(), pauses: [{ kind: 'paused', who: 'ann', why: 'fraud', at: 1 }] } as const
    const own = keptOf(paused, 'till/test/shop')
    expect(readDocument({ ...stored(JSON.stringify(own)), key: 'till/test/shop' })).toEqual(paused)
  })

  it.each([
    ['no JSON', 'rows'],
    ['nothing', ''],
    ['null', 'null'],
    ['a text', '"payment"'],
    ['something else', '{"id":1}'],
    ['a history without facts', '{"v":2,"reference":"basket-7"}'],
    ['a history whose version is a text', '{"v":"2","reference":"basket-7","facts":[]}'],
    ['a history of a later release', '{"v":3,"reference":"basket-7","facts":[]}'],
    ['a document from before there were histories', JSON.stringify(sold)],
    ['a fact of a later release', history(requested, { kind: 'refunded' })],
    ['a fact that is null', history(null)],
    ['a fact without its parts', history({ kind: 'answered' })],
    ['a fact whose kind is no text', history({ kind: 7 })],
    ['a payment that is elsewhere as well', history().replace('}', ',"alias":"basket-8"}')],
    ['a request without its deadline', history({ ...requested, attempt: { ...sale, sendBy: undefined } })],
    ['a stage far behind the others', history(requested, { ...replied, stage: 1e9 })],
    ['a stage of which nothing is said', history(requested, { ...replied, said: undefined })],
    ['a request of no effect', history({ ...requested, attempt: { ...sale, effect: 'reads' } })],
    ['an amount that lost its digits', history({ ...requested, attempt: { ...sale, amount: 3 } })],
  ])('refuses %s, names the key and shows nothing of the body', (_, body) => {
    const read = () => readDocument(stored(body))
    expect(read).toThrow(StoreError)
    expect(read).toThrow(expect.objectContaining({ code: 'ERR_STORE_DOCUMENT' }))
    expect(read).toThrow('"payment/test/shop/basket-7"')
    expect(read).not.toThrow('https://gate.example')
  })

  it('refuses what is no document of a till under a key of a till', () => {
    const read = () => readDocument({ ...stored(history()), key: 'till/test/shop' })
    expect(read).toThrow(expect.objectContaining({ code: 'ERR_STORE_DOCUMENT' }))
  })
})
