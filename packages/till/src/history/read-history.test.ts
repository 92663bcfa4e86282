import { defaultProfile as profile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { part, sale } from '../../test/state/payment-samples.js'
import { reportedOf } from '../report/report.js'
import { claimDelivery, claimedOutcome } from '../rules/delivery/delivery.js'
import { outcomeToTell } from '../rules/delivery/outcome.js'
import { entryOf, keptOf, readDocument } from '../rules/kept/entry.js'
import { statusSeen } from '../rules/orders/happened.js'
import { nextChangeStep } from '../rules/pay/change-step.js'
import { nextPayStep } from '../rules/pay/next-step.js'
import { questionsOf } from '../rules/people/questions.js'
import { evolve } from '../state/evolve.js'
import type { Fact } from '../state/facts.js'
import { checkWrite, StoreError } from '../store/store.js'
import { historyOf } from './news.js'
import { factKinds } from './read-history.js'

const key = 'payment/test/shop/basket-7'
const order = { login: 'merchant', clientOrderId: 'basket-7' }
const second = { login: 'merchant', clientOrderId: 'basket-7.2r' }
const money = { amount: '10.00', currency: 'EUR' }
const [late, other] = [
  { from: 'declined', to: 'approved', askedAt: 8_000, nth: 0 },
  { amount: '9.00', currency: 'EUR', askedAt: 8_000 },
]
const declined = { stage: 'sale', status: 'declined', outcome: 'declined', ...money, errorCode: '101' }
const approved = { stage: 'sale', status: 'approved', outcome: 'approved', ...money, serialNumber: 's-1' }
const baseline = { askedAt: 19_000, status: 'approved', outcome: 'approved', stage: 'sale', ...money }
const wish = { name: 'return', clientOrderId: 'basket-7', before: ['r-2'], since: 5_000, because: 'surplus' }
const word = { who: 'anna', why: 'ticket 4711', at: 9_000 }
const about = { clientOrderId: 'basket-7', operation: 'sale', request: 'r-1' }
const end = { kind: 'accepted', at: 2_000, basis: 'status', note: 'seen', orderId: '77', serialNumber: 's-1' }

/** A fact of each kind but `purged`, each with all that it can say, in an order in which they can have been written. */
const facts: readonly Readonly<Record<string, unknown>>[] = [
  { kind: 'requested', order, attempt: sale },
  { kind: 'answered', order, request: 'r-1', end: { ...end, connection: 'closed', foreignStatus: 502 }, orderId: '77' },
  { kind: 'three-d-secure', order, done: ['challenge 1'], method: { id: 'm-1', startedAt: 2_500, notifiedAt: 2_600 } },
  { kind: 'status', order, stage: 1, at: 5_000, said: { ...declined, errorMessage: 'Expired card' }, orderId: '77' },
  { kind: 'delivered', order, stage: 1, words: 1, at: 6_000, approval: true },
  { kind: 'status', order, stage: 1, at: 8_000, corrected: [late], restated: other, firstAt: 5_000 },
  { kind: 'decided', decision: { matter: { kind: 'failed', ...about }, ...word, proposal: 'replaced' } },
  { kind: 'decided', decision: { matter: { kind: 'arrived', ...about, orderId: '77', serialNumber: 's' }, ...word } },
  {
    kind: 'decided',
    decision: {
      matter: { kind: 'settled', clientOrderId: 'basket-7', place: 0, words: 3, ...approved },
      ...word,
      first: { ...word, who: 'boris' },
      before: { status: 'declined', outcome: 'declined', ...money, restated: other, corrections: [late] },
    },
  },
  { kind: 'settled', order, stage: 1, said: approved, words: 3, told: 1 },
  { kind: 'decided', decision: { matter: { kind: 'give-back', clientOrderId: 'basket-7', tries: 1 }, ...word } },
  { kind: 'decided', decision: { matter: { kind: 'skip', ...about, stage: 'sale', outcome: 'merchant/1' }, ...word } },
  {
    kind: 'requested',
    order,
    attempt: { ...part, recipient: 'account NL91***4300', baseline, person: { who: 'anna', why: 'ticket 4711' } },
  },
  { kind: 'never-seen', order, request: 'r-2', quietSince: 80_000, neverSeenAt: 81_000 },
  { kind: 'overdue', order, request: 'r-2' },
  { kind: 'follow-up', wish: { ...wish, part: { amount: '3.00', key: 'k-1' } } },
  { kind: 'follow-up-dropped', wish },
  { kind: 'begun', order: second },
  { kind: 'callback', order: second, at: 82_000, said: { status: 'approved' } },
  {
    kind: 'not-shown',
    order: second,
    at: 82_000,
    since: 83_000,
    said: { status: 'approved', outcome: 'approved', stage: 'chargeback', amount: '3.00', processorRrn: '11' },
  },
  { kind: 'decided', decision: { matter: { kind: 'noted', clientOrderId: 'basket-7.2r', callbacks: 1 }, ...word } },
  { kind: 'decided', decision: { matter: { kind: 'dismissed', clientOrderId: 'basket-7', callbacks: 2 }, ...word } },
  { kind: 'adopted', order: second, at: 82_000 },
  { kind: 'abandoned', order: second, why: 'replaced', at: 83_000 },
  { kind: 'full', order: second },
]
const failed = { since: 90_000, tries: 2, error: 'Error: locked' }
const delivery = { token: 't-1', order, stage: 1, words: 4, until: 99_000, at: 90_000, failed }
const everything = { v: 2, reference: 'basket-7', facts, delivery }
const purged = { kind: 'purged', at: 1, orders: [{ ...order, orderId: '77' }] }

const stored = (history: object) => ({ key, version: 1, writeId: 'w', body: JSON.stringify(history) })
const read = (history: object) => readDocument(stored(history))
const withFacts = (...all: readonly unknown[]) => ({ v: 2, reference: 'basket-7', facts: all })

/** The value at a path of plain data. */
const at = (data: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((within, field) => Reflect.get(Object(within), field), data)

/** A copy with another value at a path; undefined: nothing is there any more. */
function damaged<Of extends object>(data: Of, path: string, value: unknown): Of {
  const copy = structuredClone(data)
  const fields = path.split('.')
  const within = Object(at(copy, fields.slice(0, -1)))
  if (value === undefined) Reflect.deleteProperty(within, fields.at(-1) ?? '')
  else Reflect.set(within, fields.at(-1) ?? '', value)
  return copy
}

/** The first fact of a kind, with another value in it, among all others. */
function broken(kind: string, path: string, value: unknown): object {
  const place = facts.findIndex(each => each.kind === kind)
  return { ...everything, facts: facts.with(place, damaged(facts[place] ?? {}, path, value)) }
}

function refusalOf(history: object): { readonly code: unknown; readonly message: string; readonly cause: string } {
  try {
    read(history)
  } catch (error) {
    if (error instanceof StoreError)
      return { code: error.code, message: error.message, cause: String(Object(error.cause).message) }
    throw error
  }
  throw new Error('It was read.')
}

describe('evolve', () => {
  it.each(facts)('leaves a payment that was purged as it is, whatever fact comes: $kind', fact => {
    const over = read(withFacts(purged))
    expect(evolve(over, fact as unknown as Fact)).toBe(over)
  })
})

describe('readHistory', () => {
  it('reads facts of all kinds, as they were written', () => {
    expect(new Set([...facts, purged].map(({ kind }) => kind))).toEqual(new Set(factKinds()))
    expect(read(everything).facts).toEqual(everything.facts)
    expect(historyOf(read(everything)).delivery).toEqual(everything.delivery)
    expect(historyOf(read(withFacts(purged)))).toEqual(withFacts(purged))
  })

  it.each<[string, string, unknown]>([
    ['requested', 'attempt.stages', ['parcel']],
    ['requested', 'attempt.stages', ['constructor']],
    ['requested', 'attempt.effect', 'reads'],
    ['requested', 'attempt.sendBy', -1],
    ['requested', 'attempt.reservedAt', 2 ** 60],
    ['requested', 'attempt.reservation', ' '],
    ['requested', 'attempt.amount', 10],
    ['requested', 'attempt.fingerprint', undefined],
    ['requested', 'attempt.person', { who: 'anna', why: 7 }],
    ['requested', 'attempt.baseline', { ...baseline, status: 7 }],
    ['requested', 'attempt.baseline', { ...baseline, outcome: 'other' }],
    ['requested', 'attempt.baseline', 'approved'],
    ['requested', 'attempt.end', { kind: 'not-sent', at: 1 }],
    ['requested', 'attempt.clientOrderId', 'basket-8'],
    ['requested', 'attempt', 7],
    ['answered', 'end.kind', 'perhaps'],
    ['answered', 'end.kind', 'toString'],
    ['answered', 'end.basis', 'rumour'],
    ['answered', 'end.note', 7],
    ['answered', 'end.connection', 'open'],
    ['answered', 'end.redirectUrl', {}],
    ['answered', 'end.serialNumber', ''],
    ['status', 'said.stage', 'parcel'],
    ['status', 'said.outcome', 'other'],
    ['status', 'at', 5_000.5],
    ['status', 'at', -1],
    ['status', 'stage', undefined],
    ['delivered', 'words', 2 ** 53 - 1],
    ['delivered', 'stage', 2],
    ['settled', 'stage', 2],
    ['settled', 'said.outcome', 'won'],
    ['never-seen', 'request', 'r-3'],
    ['overdue', 'request', 'r-3'],
    ['follow-up', 'wish.name', 'delete'],
    ['follow-up', 'wish.because', 'because'],
    ['follow-up', 'wish.since', 1.5],
    ['decided', 'decision.matter.kind', 'agreed'],
    ['decided', 'decision.matter', { kind: 'settled', clientOrderId: 'basket-7', place: 0, words: 1, stage: 'sale' }],
    ['decided', 'decision.proposal', 'shut'],
    ['decided', 'decision.first', { who: 'boris' }],
    ['begun', 'order.clientOrderId', ' '],
    ['begun', 'order.clientOrderId', '\ud800'],
    ['begun', 'order.login', ''],
    ['begun', 'order', { login: 'merchant', orderId: 'undefined' }],
    ['callback', 'order', { login: 'merchant' }],
    ['abandoned', 'why', 'tired'],
    ['three-d-secure', 'method.startedAt', 'now'],
  ])('refuses a fact of kind %s whose %s is %j', (kind, path, value) => {
    const { code, message, cause } = refusalOf(broken(kind, path, value))
    expect({ code, cause }).toEqual({
      code: 'ERR_STORE_DOCUMENT',
      cause: `"${path.split('.')[0]}" of a fact of kind ${kind} cannot be read`,
    })
    expect(message).toContain('has a fact that cannot be read')
  })

  it.each<[string, object]>([
    ['a request that was written down twice', withFacts(facts[0], facts[0])],
    [
      'an answer to a request that is not there',
      withFacts(facts[0], { ...facts[1], request: 'r-9', orderId: undefined }),
    ],
    ['a mark at a request of another order', withFacts(facts[0], { ...facts[14], order: second, request: 'r-1' })],
    ['an outcome that was told of an order that nothing began', withFacts({ ...facts[4], order: second })],
    ['a delivery of an order that nothing began', { ...everything, delivery: { ...delivery, order: { login: 'x' } } }],
    ['a delivery of a stage that the order does not have', { ...everything, delivery: { ...delivery, stage: 2 } }],
    ['a delivery that ends at no time', { ...everything, delivery: { ...delivery, until: 'never' } }],
    ['a purged payment in which something happens', withFacts(purged, facts[0])],
    ['a payment without a name', { ...everything, reference: ' ' }],
  ])('refuses %s', (_, history) => {
    expect(refusalOf(history).code).toBe('ERR_STORE_DOCUMENT')
  })

  it('keeps fields that it does not know, at any depth', () => {
    const newer = damaged(damaged(everything, 'facts.1.end.later', { deep: [2] }), 'facts.0.attempt.later', 1)
    expect(read(newer).facts).toEqual(Object(newer).facts)
    expect(historyOf(read({ ...newer, later: { deep: [2] } }))).toMatchObject({ later: { deep: [2] } })
  })

  it('takes fractions of milliseconds from the clock of a merchant', () => {
    expect(read(broken('answered', 'end.at', 2_000.5)).orders[0]?.attempts[0]?.end?.at).toBe(2_000.5)
  })

  it('takes an answer that gave an id, though its request made way', () => {
    const [, answered] = facts
    expect(read(withFacts({ kind: 'begun', order }, answered)).orders[0]).toMatchObject({ orderId: '77' })
  })

  it('finds an order without the id of the merchant by that of the gateway, once it is known', () => {
    const { clientOrderId: _none, ...nameless } = sale
    const card = { kind: 'requested', order: { login: 'merchant' }, attempt: nameless }
    const given = { kind: 'answered', order: { login: 'merchant' }, request: 'r-1', end, orderId: '77' }
    const asked = { kind: 'overdue', order: { login: 'merchant', orderId: '77' }, request: 'r-1' }
    expect(read(withFacts(card, given, asked)).orders).toHaveLength(1)
    expect(refusalOf(withFacts(card, asked)).code).toBe('ERR_STORE_DOCUMENT')
  })
})

/** All that reads a payment, and a status reply that comes next; what it made is read again. */
function readAll(history: object): void {
  const document = read(history)
  const [now, about] = [200_000, { clientOrderId: 'basket-7', login: 'merchant' }]
  const clocked = { at: now, profile }
  reportedOf(document, { ...clocked, patience: 60_000 })
  questionsOf(document, clocked)
  const rules = { profile, replaceOpenForm: true, mostOrders: 9 }
  const [none, asked] = [new Set<string>(), new Set(['basket-7'])]
  const terms = { reference: 'basket-7', purpose: 'sale', ...money, login: 'merchant' } as const
  nextPayStep(document, terms, rules, { at: now, asked, begun: none, differs: none })
  nextChangeStep(document, { name: 'return', clientOrderId: 'basket-7' }, { ...clocked, wasAsked: true })
  const claimed = claimDelivery(document, { token: 't-2', at: now, lease: 30_000 })
  const untold = claimed.kind === 'claimed' ? claimedOutcome(claimed.document, 't-2') : undefined
  if (untold !== undefined) outcomeToTell(document, untold)
  const reply = { status: 'approved', transactionType: 'reversal', clientOrderId: 'basket-7', orderId: '77', raw: {} }
  const after = statusSeen(document, about, { observation: { reply, askedAt: now }, profile })
  const entry = entryOf(after, keptOf(after, key))
  checkWrite(key, entry, { after: 'w', id: 'next' })
  readDocument({ ...stored({}), body: entry.body })
}

describe('a history with one damaged field', () => {
  const values = [undefined, 7, -1, 2 ** 53 - 1, ' ', 'nonsense', []]
  const pathsIn = (data: unknown, path = ''): readonly string[] =>
    typeof data !== 'object' || data === null
      ? []
      : Object.entries(data).flatMap(([field, each]) => [`${path}${field}`, ...pathsIn(each, `${path}${field}.`)])

  it('is refused, or all that reads it can go on', () => {
    const problems: string[] = []
    for (const path of pathsIn(everything)) {
      for (const value of values) {
        try {
          readAll(damaged(everything, path, value))
        } catch (error) {
          if (!(error instanceof StoreError && error.code === 'ERR_STORE_DOCUMENT'))
            problems.push(`${path} = ${JSON.stringify(value)}: ${error}`)
        }
      }
    }
    expect(problems).toEqual([])
  })
})
