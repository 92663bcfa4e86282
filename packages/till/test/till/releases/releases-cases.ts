/** Scenes whose histories another release wrote, and what a till does with them. `histories.json` has those of an earlier release. */

import { readFileSync } from 'node:fs'
import { payAsCustomer } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { entryOf, readDocument } from '../../../src/rules/kept/entry.js'
import type { PaymentDocument } from '../../../src/state/document.js'
import type { Fact, History } from '../../../src/state/facts.js'
import { documentKey } from '../../../src/store/keys.js'
import { memoryStore } from '../../../src/store/memory-store.js'
import { placeOf } from '../place.js'
import { basket, openScenery, part, payout, scenes, storedIn } from './scenes.js'

const minute = 60_000
export const written: { readonly [reference: string]: History } = JSON.parse(
  readFileSync(new URL('histories.json', import.meta.url), 'utf8'),
)

/** The document of a history. */
export const documentOf = (history: object): PaymentDocument =>
  readDocument({ key: 'payment/', version: 1, writeId: 'w', body: JSON.stringify(history) })

/** Ids that a gateway made, in the order of the document. */
const idsOf = ({ orders }: PaymentDocument): readonly string[] =>
  orders.flatMap(({ orderId, attempts }) => [
    orderId ?? '',
    ...attempts.flatMap(({ end }) => [end?.serialNumber ?? '', end?.redirectUrl ?? '']),
  ])

/** A gateway and a store as a release has left them, and a process of this one. */
export async function takeOver(reference: string, change: (history: History) => object = history => history) {
  const before = openScenery()
  onTestFinished(() => before.gateway.close())
  await scenes[reference]?.(before)
  const here = await storedIn(before, reference)
  await before.till.close()
  const old: History = written[reference] ?? JSON.parse(here.body)
  const ids = idsOf(readDocument(here))
  const body = idsOf(documentOf(old)).reduce(
    (text, id, place) => (id === '' ? text : text.replaceAll(id, ids[place] ?? '')),
    JSON.stringify(old),
  )
  const { gateway } = before
  const store = memoryStore({ clock: gateway.clientOptions.clock })
  const key = documentKey({ clientOrderId: reference }, placeOf(before.till, 'releases'))
  const { due, list } = entryOf(documentOf(JSON.parse(body)))
  await store.write(key, { body: JSON.stringify(change(JSON.parse(body))), due, list }, { id: 'earlier' })
  const scenery = openScenery({ gateway, store })
  onTestFinished(() => scenery.till.close())
  const states = async () => {
    await scenery.passes(10 * minute)
    return gateway.orders
      .list()
      .map(
        ({ clientOrderId, stages }) =>
          `${clientOrderId} ${stages.map(({ stage, amount, status }) => `${stage} ${amount} ${status}`).join(', ')}`,
      )
  }
  const pay = (more = {}) => scenery.till.pay({ ...basket, reference, ...more })
  const stored = async () => (await store.read(key)).stored?.body ?? ''
  return { ...scenery, pay, states, stored, form: ids.find(id => id.startsWith('http')) }
}

type Taken = Awaited<ReturnType<typeof takeOver>>

/** The next step of a scene; then the gateway's books, and what the merchant was told. */
interface End {
  readonly goesOn: (taken: Taken) => Promise<unknown>
  readonly books: readonly string[]
  readonly told: readonly string[]
}

/** The end of each scene. */
export const ends: { readonly [reference: string]: End } = {
  open: {
    async goesOn({ pay, form, gateway }) {
      const { address } = await pay()
      expect(address).toBe(form)
      await payAsCustomer(address, { gateway }).catch(() => {})
    },
    books: ['open sale 10.00 approved'],
    told: ['open paid 10.00'],
  },
  paid: {
    goesOn: async ({ pay }) => expect((await pay()).kind).toBe('over'),
    books: ['paid sale 10.00 approved'],
    told: [],
  },
  declined: {
    goesOn: ({ buys }) => buys('declined'),
    books: ['declined sale 10.00 declined', 'declined.2r sale 10.00 approved'],
    told: ['declined paid 10.00'],
  },
  held: {
    async goesOn({ till }) {
      expect((await till.capture('held')).again).toBe(false)
      expect((await till.capture('held')).again).toBe(true)
    },
    books: ['held preauth 10.00 approved, capture 10.00 approved'],
    told: ['held paid 10.00'],
  },
  captured: {
    async goesOn({ till, pay }) {
      expect((await till.capture('captured')).again).toBe(true)
      expect((await pay({ hold: true })).kind).toBe('over')
    },
    books: ['captured preauth 10.00 approved, capture 10.00 approved'],
    told: [],
  },
  partly: {
    async goesOn({ till }) {
      expect((await till.return('partly', part)).again).toBe(true)
      expect((await till.return('partly')).again).toBe(false)
    },
    books: ['partly sale 10.00 approved, reversal 3.00 approved, reversal 7.00 approved'],
    told: ['partly returned 7.00'],
  },
  unanswered: {
    async goesOn({ pay, buys, passes }) {
      expect((await pay()).kind).toBe('wait')
      await passes(5 * minute)
      await buys('unanswered')
    },
    books: ['unanswered sale 10.00 processing', 'unanswered.2r sale 10.00 approved'],
    told: ['unanswered paid 10.00'],
  },
  checked: {
    async goesOn({ till }) {
      await till.payout({ ...payout, reference: 'checked' })
      await till.payout({ ...payout, reference: 'checked' })
    },
    books: ['checked payout-check 10.00 approved, payout 10.00 approved'],
    told: ['checked sent 10.00'],
  },
}

/** A field that this release does not know, in every part of a history. */
function withFuture(history: History): object {
  const future = { of: 'a later release' }
  const withParts = (fact: Fact): object => {
    if (fact.kind === 'requested') return { ...fact, future, attempt: { ...fact.attempt, future } }
    return fact.kind === 'answered' ? { ...fact, future, end: { ...fact.end, future } } : { ...fact, future }
  }
  return { ...history, future, facts: history.facts.map(withParts) }
}

const futuresIn = (body: string): number => body.split('"future":{"of":"a later release"}').length - 1

function endOf(reference: string): End {
  const end = ends[reference]
  if (end === undefined) throw new Error(`There is no scene "${reference}".`)
  return end
}

/** Defines a test for each scene to whose history a later release has added fields. */
export const keepsWhatWasAdded = (names: readonly string[]): void => {
  it.each(names)('what a later release added is kept: %s', async reference => {
    const { goesOn, books, told } = endOf(reference)
    const taken = await takeOver(reference, withFuture)
    const before = futuresIn(await taken.stored())
    expect(before).toBeGreaterThan(1)
    await goesOn(taken)
    expect(await taken.states()).toEqual(books)
    expect(taken.told).toEqual(told)
    expect(futuresIn(await taken.stored())).toBe(before)
  })
}

const later: { readonly [what: string]: (history: History) => object } = {
  version: history => ({ ...history, v: 3 }),
  'kind of fact': history => ({ ...history, facts: [...history.facts, { kind: 'insured', at: 1 }] }),
}

/** Defines a test for each scene whose history has a later version, or a fact that only a later release knows. */
export const leavesLaterVersionsAlone = (names: readonly string[]): void => {
  const cases = names.flatMap(name => Object.keys(later).map(what => [what, name] as const))
  it.each(cases)('a history of a later %s is left alone: %s', async (what, reference) => {
    const taken = await takeOver(reference, later[what])
    const { till, gateway } = taken
    const [before, calls] = [await taken.stored(), gateway.calls().length]
    const isRefused = (doing: Promise<unknown>) => expect(doing).rejects.toThrow(/later release/)
    await isRefused(taken.pay())
    await isRefused(till.payout({ ...payout, reference }))
    await isRefused(till.capture(reference))
    await isRefused(till.return(reference, part))
    await isRefused(till.void(reference))
    await isRefused(till.payment(reference))
    await taken.passes(60 * minute)
    expect(await taken.stored()).toBe(before)
    expect(gateway.calls()).toHaveLength(calls)
    expect(taken.told).toEqual([])
    expect(await till.purge()).toEqual({ purged: 0 })
  })
}
