/**
 * Compares the payments of a round with the books of the gateway.
 *
 * @module
 */
import { defaultProfile } from '@tillkit/protocol'
import type { FakeGateway } from '@tillkit/testing'
import { readDocument } from '../../src/rules/kept/entry.js'
import { paymentOf } from '../../src/rules/pay/payment.js'
import type { Stored } from '../../src/store/store.js'
import type { ToldRow } from '../kills/merchant.js'
import { auditLife, isOver } from '../till/points/books.js'

/** All that is known of the payments of a round. */
export interface Judged {
  readonly references: readonly string[]
  readonly orders: ReturnType<FakeGateway['orders']['list']>
  /** The merchant's rows of each payment. */
  readonly rows: ReadonlyMap<string, readonly ToldRow[]>
  /** The store, by its keys. */
  readonly documents: ReadonlyMap<string, Stored>
}

/** The payments as they stand. */
export interface Judgement {
  /** Whether nothing is left to do about any of them. */
  readonly isOver: boolean
  /** Everything that is wrong with them, if they are over. */
  readonly wrong: readonly string[]
  /** How many orders the gateway has approved. */
  readonly charges: number
}

const profile = defaultProfile

/** The key of a payment in the store of the shops. */
export const keyOf = (reference: string): string => `payment/test/kills/${reference}`

/** Judges the payments: each one is charged once, told once for each order that ended, and has nothing open. */
export function auditRound({ references, orders, rows: all, documents }: Judged): Judgement {
  const judged = references.map(reference => {
    const stored = documents.get(keyOf(reference))
    const document = stored === undefined ? undefined : readDocument(stored)
    const { state } =
      document === undefined
        ? { state: 'new' as const }
        : paymentOf(document, { reference, at: Date.now(), profile, patience: 60_000 })
    const own = orders.filter(({ clientOrderId: id }) => id === reference || id.startsWith(`${reference}.`))
    const stages = own.flatMap(each => each.stages)
    const life = stages.some(({ status }) => status === 'declined') ? 'second-card' : 'sold'
    const rows = all.get(reference) ?? []
    // A decline that was not told yet is told later.
    const ended = stages.filter(({ status }) => status === 'approved' || status === 'declined').length
    return {
      isOver: isOver(life, { state, rows, document }) && rows.length >= ended,
      wrong: auditLife(life, { reference, state, document, orders: own, rows }),
      charges: stages.filter(({ status }) => status === 'approved').length,
    }
  })
  return {
    isOver: judged.every(each => each.isOver),
    wrong: judged.flatMap(each => each.wrong),
    charges: judged.reduce((sum, each) => sum + each.charges, 0),
  }
}
