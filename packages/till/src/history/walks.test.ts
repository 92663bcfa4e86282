import { defaultProfile } from '@tillkit/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../protocol/test/soak.js'
import { stepsOf } from '../../test/state/lives/step.js'
import { actNames, actsOf, type Step } from '../../test/state/lives.js'
import { unsaidBy } from '../../test/state/unsaid.js'
import { emptyDocument, type PaymentDocument } from '../state/document.js'
import { toDocument } from '../state/evolve.js'
import type { Fact, History } from '../state/facts.js'
import type { KnownAttempt } from '../state/known.js'
import { largestHistory } from '../state/room.js'
import { largestBody } from '../store/store.js'
import { historyOf } from './news.js'
import { factKinds } from './read-history.js'
import { timelineOf } from './timeline/timeline.js'

/**
 * The first difference of two documents as JSON, in whatever order their fields are; undefined: they are equal.
 * No wishes are an absent list.
 */
function differenceOf(one: unknown, other: unknown, path = ''): string | undefined {
  if (one === other) return undefined
  if (path.endsWith('.wishes') && [one, other].every(each => each === undefined || isEmpty(each))) return undefined
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other))
    return `${path}: ${JSON.stringify(one)}, not ${JSON.stringify(other)}`.slice(0, 300)
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = differenceOf(one[name], other[name], `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Two orders that were taken up may each have an address that takes most of a body: no rule looks for room before that. */
const hasEndlessAddresses = ({ orders }: PaymentDocument): boolean =>
  orders.flatMap(({ attempts }) => attempts.filter(({ baseUrl }) => baseUrl.length > largestBody / 2)).length > 1

/** A history as it is read again. Its document has left room for it, and a store keeps it. */
function throughStore(history: History, document: PaymentDocument): History {
  const text = JSON.stringify(history)
  const size = Buffer.byteLength(text)
  expect(size, 'bytes of the history').toBeLessThanOrEqual(largestHistory(document))
  if (!hasEndlessAddresses(document)) expect(size, 'bytes that a store keeps').toBeLessThanOrEqual(largestBody)
  return JSON.parse(text) as History
}

/** A payment that lives twice: in one process, and as a history that is read before each rule. */
interface Life {
  readonly document: PaymentDocument | undefined
  /** The document that the history is read as. */
  readonly read: PaymentDocument | undefined
}

/** Everything but the facts: of those a history keeps fewer. */
const withoutFacts = ({ facts: _facts, ...document }: PaymentDocument) => document

/** Lives through the steps. The law is checked after each write. */
function live(steps: readonly Step[], seen: Set<Fact['kind']>): void {
  let life: Life = { document: undefined, read: undefined }
  let at = 1_000_000
  const sent = new Map<string, KnownAttempt>()
  const tokens = new Set<string>()
  for (const [nth, step] of steps.entries()) {
    at += step.wait
    for (const act of actsOf(life.document, step)) {
      const scene = { at, nth, sent: [...sent.values()], tokens: [...tokens] }
      const document = act(life.document, step, scene)
      if (document === undefined || document === life.document) continue
      const { read: before } = life
      const after = act(before, step, scene) ?? emptyDocument(document.reference)
      const facts = after.over === undefined ? after.facts.slice(before?.facts.length ?? 0) : after.facts
      const written = historyOf(after)
      const history = step.way % 3 === 0 ? throughStore(written, document) : written
      const read = toDocument(history)
      // As a run does once it has written.
      life = { document: { ...document, facts: historyOf(document).facts }, read }
      const difference = differenceOf(withoutFacts(read), withoutFacts(document))
      expect(difference, `read from the history, after ${step.act}`).toBeUndefined()
      for (const { kind } of [...facts, ...history.facts]) seen.add(kind)
      expect(
        unsaidBy(timelineOf(read, defaultProfile), document),
        `what the timeline does not say, after ${step.act}`,
      ).toEqual([])
      for (const { attempts } of document.orders) for (const each of attempts) sent.set(each.reservation, each)
      if (document.telling !== undefined) tokens.add(document.telling.token)
    }
  }
  const { document: after } = life
  if (after === undefined) return
  const anew = toDocument(throughStore(historyOf(after), after))
  expect(differenceOf(withoutFacts(anew), withoutFacts(after)), 'read from the history of all facts').toBeUndefined()
}

describe('a history, after every rule of a long life', () => {
  it('amounts to the document that the rule made, with the facts that are kept and with all of them', () => {
    const seen = new Set<Fact['kind']>()
    fc.assert(
      fc.property(stepsOf(actNames, 100), steps => live(steps, seen)),
      cases({ daily: 22, soak: 400 }),
    )
    expect([...seen].sort(), 'kinds of facts that came').toEqual([...factKinds()].sort())
  })
})
