/**
 * Compares what the merchant was told of many payments with the books of the gateway.
 *
 * @module
 */
import type { FakeGateway } from '@tillkit/testing'
import { expect } from 'vitest'
import type { ToldRow } from '../../kills/merchant.js'

export interface ToldPayments {
  readonly references: readonly string[]
  /** The rows of each payment that was told, in the order of `references`. */
  readonly rows: readonly (readonly ToldRow[])[]
  readonly orders: ReturnType<FakeGateway['orders']['list']>
}

/** Expects that each order was told once, as it ended, and that each payment was charged and told as paid once. */
export function expectToldOnce({ references, rows, orders }: ToldPayments): void {
  for (const [nth, reference] of references.entries()) {
    const own = orders.filter(({ clientOrderId: id }) => id === reference || id.startsWith(`${reference}.`))
    const ended = own.flatMap(({ clientOrderId, stages }) =>
      stages.flatMap(({ final, status }) =>
        final ? [`${clientOrderId} ${status === 'approved' ? 'paid' : 'declined'}`] : [],
      ),
    )
    const told = rows[nth]?.map(row => `${row.client_order_id} ${row.kind}`) ?? []
    expect([...told].sort()).toEqual([...ended].sort())
    for (const list of [told, ended]) expect(list.filter(line => line.endsWith(' paid'))).toHaveLength(1)
  }
}
