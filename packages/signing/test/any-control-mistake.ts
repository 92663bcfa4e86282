/**
 * Mistakes in a control value, made with any items.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ControlMade, controlMistakes } from '../src/explain/control-mistakes.js'
import { explainControl } from '../src/explain/index.js'
import { controlItems } from '../src/index.js'

interface Sale {
  readonly endpointId: string
  readonly clientOrderId: string
  readonly amount: string
  readonly email: string
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

/** The whole text the other side digests, by the row of the table that should be named. */
const mistakes: Readonly<Record<string, (sale: Sale, key: string) => string>> = {
  'amount-form': ({ endpointId, clientOrderId, amount, email }, key) =>
    `${endpointId}${clientOrderId}${amount.slice(0, -2)}.${amount.slice(-2)}${email}${key}`,
  'item-left-out': ({ endpointId, clientOrderId, amount }, key) => endpointId + clientOrderId + amount + key,
  'white-space-or-case': ({ endpointId, clientOrderId, amount, email }, key) =>
    endpointId + clientOrderId + amount + email.toUpperCase() + key,
  key: sale => Object.values(sale).join(''),
  order: ({ endpointId, clientOrderId, amount, email }, key) => clientOrderId + endpointId + email + amount + key,
  separator: (sale, key) => [...Object.values(sale), key].join('|'),
  'item-encoding': ({ endpointId, clientOrderId, amount, email }, key) =>
    endpointId + clientOrderId + amount + encodeURIComponent(email) + key,
}

const sale: fc.Arbitrary<Sale> = fc.record({
  endpointId: fc.nat({ max: 99999 }).map(String),
  clientOrderId: fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  amount: fc.integer({ min: 100, max: 999999 }).map(String),
  email: fc.stringMatching(/^[a-z+.]{1,8}@[a-z]{1,8}\.[a-z]{2,3}$/),
})
const controlKey = fc.uuid()

/** Defines one test: it makes a mistake with random items, as often as `numRuns`, from one seed or from a new one in each run. */
export function nameAnyMistake(runs: { readonly numRuns: number; readonly seed?: number }): void {
  it('names the mistake, or one that makes the very same text', () => {
    fc.assert(
      fc.property(sale, controlKey, fc.constantFrom(...Object.keys(mistakes)), (values, key, name) => {
        const theirs = mistakes[name]?.(values, key) ?? ''
        fc.pre(theirs !== Object.values(values).join('') + key)
        const items = controlItems.sale
        const explained = explainControl({ items, values, controlKey: key, expected: sha1(theirs) })
        const found = explained.explanation?.mistake
        if (found !== name) expect(namesOf(values, key, theirs)).toEqual(expect.arrayContaining([name, found]))
        expect(JSON.stringify(explained)).not.toContain(key)
      }),
      runs,
    )
  })
}

function namesOf(values: Sale, controlKey: string, theirs: string): string[] {
  const items = controlItems.sale.map(name => ({ name, value: values[name] }))
  const made: ControlMade = { items, controlKey, candidates: {} }
  return controlMistakes
    .filter(({ candidates }) => [...candidates(made)].some(({ text }) => text === theirs))
    .map(({ mistake }) => mistake)
}
