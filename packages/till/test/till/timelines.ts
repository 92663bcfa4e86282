/** Every timeline that a test has produced is decided again, and must come to the same payment. */
import { isDeepStrictEqual } from 'node:util'
import { type DocumentStore, defaultProfile, type PaymentDocument, readDocument, type Stored } from '@tillkit/protocol'
import { expect } from 'vitest'
import { replayed } from '../../../protocol/test/replayed.js'

/** What a later release wrote cannot be read here. */
const isPayment = ({ key, body }: Stored): boolean => key.startsWith('payment/') && JSON.parse(body).v === 2

/** All payments that a store keeps. */
async function documentsIn(store: Pick<DocumentStore, 'list'>): Promise<readonly PaymentDocument[]> {
  const found: Stored[] = []
  for (let after: string | undefined; ; ) {
    const { items, next } = await store.list({ limit: 100, ...(after === undefined ? {} : { after }) })
    found.push(...items)
    if (next === undefined) return found.filter(isPayment).map(readDocument)
    after = next
  }
}

/** The payments of a store whose timeline says something else than their document, at one of some times. */
export async function wronglyReplayed(
  store: Pick<DocumentStore, 'list'>,
  times: readonly number[],
): Promise<readonly string[]> {
  const documents = await documentsIn(store)
  return times.flatMap(at =>
    documents.flatMap(document => {
      const { known, again } = replayed(document, { at, profile: defaultProfile })
      if (isDeepStrictEqual(known, again)) return []
      return [`${document.reference}: ${JSON.stringify(known)} is replayed as ${JSON.stringify(again)}`]
    }),
  )
}

/** @throws Where the timeline of a payment says something else than its document. */
export async function expectReplays(store: Pick<DocumentStore, 'list'>, now: number): Promise<void> {
  expect(await wronglyReplayed(store, [now])).toEqual([])
}
