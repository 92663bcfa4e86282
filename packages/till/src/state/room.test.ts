import { randomUUID } from 'node:crypto'
import { defaultProfile, type Order, reduceOrder, type StatusObservation } from '@tillkit/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../protocol/test/soak.js'
import { order, part, payment, sale } from '../../test/state/payment-samples.js'
import { historyOf } from '../history/news.js'
import { claimDelivery, claimedOutcome, toldOutcome } from '../rules/delivery/delivery.js'
import { entryOf } from '../rules/kept/entry.js'
import { attemptEnded, statusSeen } from '../rules/orders/happened.js'
import { hasFailed, permissionToSend } from '../rules/orders/reserve.js'
import { checkWrite, largestBody } from '../store/store.js'
import type { PaymentDocument } from './document.js'
import { toDocument } from './evolve.js'
import { isDisputed, type KnownStage, wordsOf } from './known.js'
import { largestHistory } from './room.js'

const ids = { clientOrderId: 'basket-7', orderId: '77' }
const about = { ...ids, login: 'merchant' }
const profile = defaultProfile
const begun = payment(order({ orderId: '77', attempts: [{ ...sale, end: { kind: 'accepted', at: 2_000 } }] }))

const observed = (fields: object, askedAt: number, bySerialNumber?: string): StatusObservation => ({
  reply: {
    status: 'approved',
    transactionType: 'sale',
    ...ids,
    raw: {},
    ...(bySerialNumber === undefined ? {} : { byRequestSn: bySerialNumber }),
    ...fields,
  },
  askedAt,
  ...(bySerialNumber === undefined ? {} : { bySerialNumber }),
})
const see = (document: PaymentDocument, fields: object, askedAt: number, bySerialNumber?: string) =>
  statusSeen(document, about, { observation: observed(fields, askedAt, bySerialNumber), profile })

const sizeOf = (document: PaymentDocument): number => Buffer.byteLength(entryOf(document).body)
const stageOf = ({ orders }: PaymentDocument): KnownStage => {
  const stage = orders[0]?.stages[0]
  if (stage === undefined) throw new Error('there is no stage')
  return stage
}
const saying = (words: readonly string[]) =>
  words.reduce((document, status, at) => kept(see(document, { status }, 5_000 + at)), begun)
/** A payment as it is read again. */
const kept = (document: PaymentDocument): PaymentDocument => toDocument(historyOf(document))

describe('a gateway that contradicts itself for ever', () => {
  const words = Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? 'approved' : 'declined'))

  it('fills no document, and each of its words is counted', () => {
    const document = saying(words)
    const stage = stageOf(document)
    expect(sizeOf(document)).toBeLessThan(5_000)
    expect([stage.status, stage.outcome, stage.corrections.length]).toEqual(['approved', 'approved', 20])
    expect([stage.corrections[0], stage.corrections.at(-1)]).toEqual([
      { from: 'approved', to: 'declined', askedAt: 5_001 },
      { from: 'approved', to: 'declined', askedAt: 5_299 },
    ])
    expect([wordsOf(stage), isDisputed(stage), entryOf(document).list]).toEqual([300, true, 'needs-person+untold'])
  })

  /** Tells what is untold. */
  const tell = (document: PaymentDocument) => {
    const claimed = claimDelivery(document, { token: 't', at: 0, lease: 1 })
    const untold = claimed.kind === 'claimed' ? claimedOutcome(claimed.document, 't') : undefined
    if (claimed.kind !== 'claimed' || untold === undefined) return undefined
    const { status, corrections } = untold.stage
    return { word: corrections.at(-1)?.to ?? status, document: toldOutcome(claimed.document, 't') ?? document }
  }

  it('is told of word by word where each is told when it comes, and of none twice', () => {
    const told: string[] = []
    words.slice(0, 60).reduce((document, status, at) => {
      const next = tell(see(document, { status }, 5_000 + at))
      told.push(next?.word ?? 'nothing')
      return next?.document ?? document
    }, begun)
    expect(told).toEqual(words.slice(0, 60))
  })

  it('is told of once where none of its words was told so far, and then again with the next one', () => {
    const next = tell(saying(words))
    if (next === undefined) throw new Error('nothing is told')
    expect([next.word, stageOf(next.document).told]).toEqual(['declined', 300])
    expect(tell(next.document)).toBeUndefined()
    expect(tell(see(next.document, { status: 'approved' }, 9_000))?.word).toBe('approved')
  })

  it('keeps the right mark where words come and go while one is told', () => {
    const document = saying(words.slice(0, 15))
    const claimed = claimDelivery(document, { token: 't', at: 0, lease: 1 })
    if (claimed.kind !== 'claimed') throw new Error('nothing is left')
    const meanwhile = words
      .slice(15, 60)
      .reduce((now, status, at) => see(now, { status }, 6_000 + at), claimed.document)
    const after = toldOutcome(meanwhile, 't')
    expect(after === undefined ? undefined : stageOf(after).told).toBe(15)
  })

  it('keeps the one time that it approved, wherever that was', () => {
    const others = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? 'declined' : 'filtered'))
    const stage = stageOf(saying([...others.slice(0, 15), 'approved', ...others.slice(15)]))
    expect(stage.corrections.filter(({ to }) => to === 'approved')).toMatchObject([{ askedAt: 5_015 }])
    expect([stage.corrections.length, wordsOf(stage)]).toEqual([20, 101])
  })

  it('is judged like by one who keeps every word', () => {
    const word = fc.constantFrom('approved', 'declined', 'filtered', 'error', 'processing')
    const reply = fc.tuple(word, fc.constantFrom(0, 0, 1))
    const said = ({ stages }: Order) => stages.map(each => ({ ...each, askedAt: 0 }))
    fc.assert(
      fc.property(fc.array(reply, { minLength: 20, maxLength: 80, size: 'max' }), replies => {
        let document = begun
        let whole = reduceOrder({ ...ids, stages: [] }, observed({ status: 'processing' }, 1), profile)
        document = see(document, { status: 'processing' }, 1)
        let askedAt = 1
        for (const [status, pause] of replies) {
          askedAt += pause
          document = see(document, { status }, askedAt)
          const next = reduceOrder(whole, observed({ status }, askedAt), profile)
          // A document is not written for a reply that only confirms it.
          if (JSON.stringify(said(next)) !== JSON.stringify(said(whole))) whole = next
        }
        const [bounded, stage] = [stageOf(document), whole.stages[0] as KnownStage]
        const outcomes = ({ status, corrections }: KnownStage) =>
          [...new Set([status, ...corrections.map(({ to }) => to)])].sort()
        const view = (of: KnownStage) => ({
          status: of.status,
          outcome: of.outcome,
          words: wordsOf(of),
          last: of.corrections.at(-1)?.to,
          outcomes: outcomes(of),
        })
        expect(view(bounded)).toEqual(view(stage))
        expect(bounded.corrections.length).toBeLessThanOrEqual(20)
      }),
      cases({ daily: 50, soak: 1_000 }),
    )
  })
})

describe('a gateway of many words', () => {
  const long = 'x'.repeat(100_000)

  it.each(['status', 'amount', 'currency', 'errorCode', 'errorMessage', 'transactionType', 'orderStage'])(
    'finds a short text of its %s kept, and no reason to write when it says the same again',
    field => {
      const document = see(begun, { status: 'processing', [field]: long }, 5_000)
      expect(sizeOf(document)).toBeLessThan(4_096)
      expect(see(document, { status: 'processing', [field]: long }, 6_000)).toBe(document)
    },
  )

  it('finds no card number kept that it quotes, nor one that a person wrote down', () => {
    const number = '4444444444444448'
    const seen = see(begun, { status: `declined ${number}`, errorCode: number, errorMessage: `card ${number}` }, 5_000)
    const decided = attemptEnded(seen, sale, { kind: 'accepted', basis: 'person', note: `card ${number}`, at: 6_000 })
    const baseline = { askedAt: 1, status: `approved ${number}` }
    const noted = permissionToSend(decided, { ...part, baseline })
    const { body } = entryOf(noted.kind === 'reserved' ? (noted.document ?? begun) : begun)
    expect([body.includes('declined 444444'), body.includes('approved 444444'), body.includes(number)]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('finds no part of a card number kept where a text is cut', () => {
    // The cut would fall into the number.
    const status = `${'x'.repeat(88)}4444333322221111${'x'.repeat(100)}`
    expect(JSON.stringify(see(begun, { status }, 5_000))).not.toContain('44443333')
  })

  it.each([
    ['of the order', { orderId: long }, undefined],
    ['of the request', { byRequestSn: long }, long],
  ])('changes nothing where the id %s is too long', (_, fields, bySerialNumber) => {
    expect(see(begun, fields, 5_000, bySerialNumber)).toBe(begun)
  })

  it('finds the end of an attempt kept, with what has room', () => {
    const texts = { orderId: long, serialNumber: long, redirectUrl: `https://gate.example/${long}`, note: long }
    const document = attemptEnded(payment(order({ attempts: [sale] })), sale, { kind: 'accepted', ...texts, at: 2_000 })
    expect(sizeOf(document)).toBeLessThan(4_096)
    const [only] = document.orders
    expect(only?.attempts[0]?.end).toMatchObject({ kind: 'accepted', orderId: expect.stringMatching(/^x+…$/) })
    expect(only?.attempts[0]?.end).not.toHaveProperty('redirectUrl')
    // No later reply would echo it.
    expect(only).not.toHaveProperty('orderId')
  })

  it('keeps the address of a form that has room', () => {
    const redirectUrl = `https://gate.example/${'x'.repeat(1_000)}`
    const document = attemptEnded(undefined, sale, { kind: 'accepted', redirectUrl, at: 2_000 })
    expect(document.orders[0]?.attempts[0]?.end).toMatchObject({ redirectUrl })
  })

  it('finds what it said before an attempt kept, with what has room', () => {
    const baseline = { askedAt: 1, status: long, amount: long, currency: long, serialNumber: long }
    const decision = permissionToSend(begun, { ...part, baseline })
    if (decision.kind !== 'reserved' || decision.document === undefined) throw new Error('it was not reserved')
    expect(sizeOf(decision.document)).toBeLessThan(4_096)
  })
})

describe('a gateway that names a new return each time', () => {
  /** So many returns of one order, each with a serial number of its own. */
  const crowd = (): PaymentDocument => {
    let document = begun
    for (let at = 0; at < 2_000; at += 1) {
      const fields = { transactionType: 'reversal', errorMessage: 'x'.repeat(500) }
      document = see(document, fields, 5_000 + at, `sn-${at}`)
      if (document.orders[0]?.crowded === true) return document
    }
    return document
  }
  const document = crowd()

  it('fills no document: the order needs a person, and has not failed', () => {
    expect(document.orders[0]).toMatchObject({ crowded: true })
    expect(sizeOf(document)).toBeLessThan(largestBody)
    expect(entryOf(document).list).toBe('needs-person+open+untold')
    const another = { transactionType: 'reversal', errorMessage: 'x'.repeat(500) }
    expect(see(document, another, 9_000, 'sn-last')).toBe(document)
    const failed = order({ attempts: [{ ...sale, end: { kind: 'refused', at: 1 } }] })
    expect([hasFailed(failed), hasFailed({ ...failed, crowded: true })]).toEqual([true, false])
  })

  it('leaves room for ends, and for no more attempts', () => {
    expect(permissionToSend(document, { ...part, attemptId: 'p-9', reservation: 'r-9' })).toEqual({ kind: 'full' })
    const long = '\u0001'.repeat(100_000)
    const end = { kind: 'unknown', orderId: long, serialNumber: long, note: long, at: 1 } as const
    const ended = attemptEnded(document, { ...part, attemptId: 'p-9', reservation: 'r-9' }, end)
    expect(() => checkWrite('key', entryOf(ended), { after: 'v', id: 'w' })).not.toThrow()
  })
})

it('has room for sixty returns of parts, each of them shown and told', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap(tens => Array.from({ length: 10 }, (_, at) => `${tens}${at}`))
  const document = ids.reduce(
    (before, id, nth) => {
      const baseline = { askedAt: 1, status: 'approved', outcome: 'approved', stage: 'sale', amount: '10.00' } as const
      const attempt = {
        ...part,
        attemptId: `return:1:${id}`,
        reservation: `${randomUUID()}.${nth}`,
        baseline,
        amount: '0.05',
      }
      const decision = permissionToSend(before, attempt)
      if (decision.kind !== 'reserved' || decision.document === undefined) throw new Error(`${id}: ${decision.kind}`)
      const serialNumber = randomUUID()
      const ended = attemptEnded(decision.document, attempt, {
        kind: 'accepted',
        orderId: '77',
        serialNumber,
        at: 3_000,
      })
      const shown = see(
        ended,
        { transactionType: 'reversal', amount: '0.05', currency: 'EUR' },
        6_000 + nth,
        serialNumber,
      )
      const claimed = claimDelivery(shown, { token: 't', at: 9e9, lease: 1 })
      return claimed.kind === 'claimed' ? (toldOutcome(claimed.document, 't') ?? shown) : shown
    },
    see(begun, { amount: '10.00', currency: 'EUR' }, 4_000),
  )
  expect(document.orders[0]?.stages).toHaveLength(61)
  expect(sizeOf(document)).toBeLessThan(largestHistory(document))
})
