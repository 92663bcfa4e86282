/** Every timeline that a test has produced must say all that is known of its payment. */
import { defaultProfile } from '@tillkit/protocol'
import { expect } from 'vitest'
import { readDocument } from '../../src/rules/kept/entry.js'
import { paymentOf } from '../../src/rules/pay/payment.js'
import type { DocumentStore, Stored } from '../../src/store/store.js'
import { unsaidBy } from '../state/unsaid.js'

/** Histories of a later release, and documents that are moved or damaged, have no timeline here. */
const isHistory = ({ key, body }: Stored): boolean => key.startsWith('payment/') && JSON.parse(body).facts !== undefined

/** The facts of a store's payments that their timelines do not say. */
export async function unsaidIn(store: Pick<DocumentStore, 'list'>): Promise<readonly string[]> {
  const found: Stored[] = []
  for (let after: string | undefined; ; ) {
    const { items, next } = await store.list({ limit: 100, ...(after === undefined ? {} : { after }) })
    found.push(...items)
    if (next === undefined) return found.filter(isHistory).flatMap(unsaidOf)
    after = next
  }
}

function unsaidOf(stored: Stored): readonly string[] {
  const known = readDocument(stored)
  const { reference } = known
  const { timeline } = paymentOf(known, { reference, at: 0, profile: defaultProfile })
  return unsaidBy(timeline, known).map(each => `${reference}: ${each}`)
}

/** @throws Where the timeline of a payment does not say all that is known of it. */
export async function expectAllSaid(store: Pick<DocumentStore, 'list'>): Promise<void> {
  expect(await unsaidIn(store)).toEqual([])
}
