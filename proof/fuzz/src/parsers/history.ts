/**
 * What a store keeps: histories of payments, and the till's own documents. Somebody may have edited or damaged them.
 *
 * @module
 */
import { defaultProfile } from '@tillkit/protocol'
import fc from 'fast-check'
import { timelineOf } from '../../../../packages/till/src/history/timeline/timeline.js'
import { entryOf, readDocument } from '../../../../packages/till/src/rules/kept/entry.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import type { KnownAttempt } from '../../../../packages/till/src/state/known.js'
import { largestBody, StoreError } from '../../../../packages/till/src/store/store.js'
import { stepsOf } from '../../../../packages/till/test/state/lives/step.js'
import { actNames, actsOf, type Step } from '../../../../packages/till/test/state/lives.js'
import { sale } from '../../../../packages/till/test/state/payment-samples.js'
import { alteredJson, asJson, bracketsWithoutEnd, repeated } from '../inputs.js'
import { attempt, type Parser, promise, promiseSame } from '../parser.js'

const key = 'payment/test/shop/basket-7'

/** The history of a payment that has lived through the steps. */
function historyAfter(steps: readonly Step[]): unknown {
  let document: PaymentDocument | undefined
  let at = 1_000_000
  const sent = new Map<string, KnownAttempt>()
  for (const [nth, step] of steps.entries()) {
    at += step.wait
    for (const act of actsOf(document, step)) {
      document = act(document, step, { at, nth, sent: [...sent.values()], tokens: [] }) ?? document
      for (const { attempts } of document?.orders ?? []) for (const each of attempts) sent.set(each.reservation, each)
    }
  }
  return document === undefined ? { v: 2, reference: 'basket-7', facts: [] } : JSON.parse(entryOf(document).body)
}

const lives = stepsOf(actNames, 14).map(historyAfter)
const pointer = fc.constant({ v: 2, reference: 'basket-7', alias: 'basket-8' })
const factNames = [
  'order',
  'facts',
  'stage',
  'kind',
  'v',
  'alias',
  'reference',
  'at',
  'end',
  'said',
  'words',
  'delivery',
]

/** Which facts of a history are in another order, or there twice. */
const shuffled = (histories: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(histories, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 2 })).map(([history, moves]) => {
    const { facts = [], ...rest } = history as { facts?: unknown[] }
    const others = [...facts]
    for (const [from, to] of moves) {
      const fact = others[from % Math.max(others.length, 1)]
      if (fact !== undefined) others.splice(to % others.length, to % 2, fact)
    }
    return { ...rest, facts: others }
  })

const isDocumented = (error: unknown): boolean => error instanceof StoreError && error.code === 'ERR_STORE_DOCUMENT'

/** Places of members that a payment in memory has. What a history has besides goes with the fact that it was in. */
let places = new Set<string>()

function placesOf(value: unknown, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [at]
  if (Array.isArray(value)) return value.flatMap(each => placesOf(each, at))
  return [at, ...Object.entries(value).flatMap(([name, each]) => placesOf(each, `${at}.${name}`))]
}

function known(value: unknown, at = ''): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(each => known(each, at))
  const members = Object.entries(value).filter(([name]) => places.has(`${at}.${name}`))
  return Object.fromEntries(members.map(([name, each]) => [name, known(each, `${at}.${name}`)]))
}

/** Some lives, of which the places are read. */
const someLives = { numRuns: 60, seed: 1 }

/** All of it but the facts, of which a history keeps fewer. No wishes are an absent list. */
const withoutFacts = ({ facts: _facts, wishes = [], ...document }: PaymentDocument) => ({ ...document, wishes })

const inMemory = (history: unknown): unknown =>
  withoutFacts(readDocument({ key, version: 1, writeId: 'w-1', body: JSON.stringify(history) }))

async function examine(input: Buffer): Promise<void> {
  const stored = { key, version: 1, writeId: 'w-1', body: input.toString('utf8') }
  const document = await attempt(() => readDocument(stored), isDocumented)
  if (document === undefined) return
  if (document.movedTo !== undefined) return
  promise(Array.isArray(timelineOf(document, defaultProfile)), 'has no timeline', document)
  if (places.size === 0) places = new Set(fc.sample(lives, someLives).flatMap(each => placesOf(inMemory(each))))
  const { body } = entryOf(document)
  const again = await attempt(
    () => readDocument({ ...stored, body }),
    () => false,
  )
  promiseSame(
    known(withoutFacts(again as PaymentDocument)),
    known(withoutFacts(document)),
    'reads another payment than it wrote',
  )
}

/** The request of one more order. */
function orderedAgain(at: number): unknown {
  const clientOrderId = `basket-7.${at + 2}r`
  const attempt = { ...sale, clientOrderId, attemptId: clientOrderId, reservation: `r-${at}` }
  return { kind: 'requested', order: { login: sale.login, clientOrderId }, attempt }
}

/** No store keeps more than this, in bytes. */
const manyFacts = (fact: (at: number) => unknown) => (length: number) => {
  const size = Math.min(length, largestBody)
  const each = JSON.stringify(fact(0)).length + 4
  const facts = Array.from({ length: Math.ceil(size / each) }, (_, at) => fact(at))
  return Buffer.from(JSON.stringify({ v: 2, reference: 'basket-7', facts }))
}

/** The history of a payment. */
export const history: Parser = {
  name: 'history',
  written: asJson(
    fc.oneof(
      { weight: 8, arbitrary: alteredJson(shuffled(lives), factNames) },
      { weight: 1, arbitrary: alteredJson(pointer, factNames) },
    ),
  ),
  tokens: ['{"kind":"full"}', '"facts":[', '"v":2', '"v":3', '"stage":1', '"at":1000000', '}', ']', ',', '\\ud800'],
  examine,
  growing: {
    'many orders': manyFacts(orderedAgain),
    'one fact, often': manyFacts(at => ({
      kind: 'callback',
      order: { login: 'shop', clientOrderId: 'basket-7' },
      at: at + 1,
    })),
    'brackets without end': bracketsWithoutEnd('{"v":2,"reference":"a","facts":'),
    'deep members': repeated('{"a":', { before: '{"v":2,"reference":"a","facts":[{"kind":' }),
  },
}
