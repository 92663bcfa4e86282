/**
 * Sales that a server is stopped in the middle of, and what must be true once it is back.
 *
 * @module
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AnyGatewayError } from '@tillkit/client'
import { defineProfile } from '@tillkit/protocol'
import { createFakeGateway, testCard } from '@tillkit/testing'
import pg from 'pg'
import { expect } from 'vitest'
import { createTill } from '../../src/index.js'
import { migrate, postgresStore } from '../../src/postgres.js'
import { readDocument } from '../../src/rules/kept/entry.js'
import type { Store } from '../../src/store/store.js'
import { ownServer } from '../postgres-server.js'
import { readyAccount } from '../till/ready-account.js'

const sale = (clientOrderId: string) => ({
  clientOrderId,
  amount: '10.00',
  currency: 'EUR',
  email: 'joan@customer.example',
  creditCardNumber: testCard,
  cardPrintedName: 'JOAN BAKER',
  expireMonth: '12',
  expireYear: '2031',
  cvv2: '123',
})

/** The fate of the sales. */
export interface Stopped {
  /** How often each order's sale came to the gateway. */
  readonly came: readonly number[]
  /** How each order's attempts ended, in the documents. */
  readonly ends: readonly (readonly (string | undefined)[])[]
  /** How many sales had been sent, and not been answered, when the server stopped. */
  readonly underWay: number
  /** The errors of the calls that began while it was away. */
  readonly refusals: readonly AnyGatewayError[]
}

/** How long an answer of the gateway may take, in milliseconds: longer than anything here does. */
const longest = 120_000

/**
 * Stops a server in the middle of some sales, tries as many while it is away, and brings all to their end.
 *
 * @param sales How many are under way when it stops.
 * @param away How much longer it is away then, in milliseconds.
 */
export async function stopInTheMiddle({
  sales,
  away,
}: {
  readonly sales: number
  readonly away: number
}): Promise<Stopped> {
  const server = await ownServer()
  const gateway = createFakeGateway({ profile: defineProfile({ orderNeverSeen: '4711' }) })
  await gateway.listen()
  // Answers come when its clock goes on, once the server is away.
  gateway.faults.arm({ fault: 'slow-body', delay: longest, times: sales })
  const pools = [0, 1].map(() => {
    const pool = new pg.Pool({ connectionString: server.url, max: 5 })
    pool.on('error', () => {})
    return pool
  })
  const [pool] = pools as [pg.Pool]
  await migrate(pool)
  const tillsWithin = (timeout: number) =>
    pools.map(each =>
      createTill<never>({
        account: { ...readyAccount(gateway), timeout, observer: { warning() {} } },
        store: postgresStore(each) as unknown as Store<never>,
        name: 'stopped',
        returnTo: () => '/',
        onOutcome: 'told-elsewhere',
      }),
    )
  const [patient, hasty] = [tillsWithin(longest), tillsWithin(5_000)]
  const orders = Array.from({ length: 2 * sales }, (_, at) => `o-${at + 1}`)
  const sell = (tills: typeof patient, id: string, at: number): Promise<AnyGatewayError | undefined> =>
    (tills[at % 2] as (typeof tills)[number]).client.sale(sale(id)).then(
      () => undefined,
      (error: AnyGatewayError) => error,
    )

  const first = orders.slice(0, sales).map((id, at) => sell(patient, id, at))
  while (gateway.calls('sale').length < sales) await pause(5)
  const underWay = sales - (await Promise.race([Promise.all(first), pause(0).then(() => [])])).length
  await server.kill()
  await gateway.clock.advance(longest)
  const second = await Promise.all(orders.slice(sales).map((id, at) => sell(hasty, id, at)))
  await pause(away)
  await server.restart()
  await Promise.all(first)

  // A caller that was told that nothing was sent sends it; the others have sent it, and must not.
  for (const [at, id] of orders.entries()) {
    for (;;) {
      const error = await sell(patient, id, at + 1)
      if (error === undefined || error.code === 'ERR_ALREADY_SENT') break
      if (error.code !== 'ERR_NOT_SENT') throw error
    }
  }
  for (const each of [...patient, ...hasty]) await each.close()
  const bodies = await pool.query('select key, version, body from tillkit.documents')
  const documents = new Map(bodies.rows.map(row => [readDocument(row).reference, readDocument(row)]))
  for (const each of pools) await each.end()
  await gateway.close()
  await server.stop()
  return {
    came: orders.map(id => gateway.orders.list().filter(each => each.clientOrderId === id).length),
    ends: orders.map(id =>
      (documents.get(id)?.orders ?? []).flatMap(each => each.attempts.map(({ end }) => end?.kind)),
    ),
    underWay,
    refusals: second.flatMap(error => error ?? []),
  }
}

/** Each sale came once and is known to have, whatever the store was when it began. */
export function expectNothingLost({ came, ends, underWay, refusals }: Stopped): void {
  expect(underWay).toBe(came.length / 2)
  expect(came).toEqual(came.map(() => 1))
  expect(ends).toEqual(ends.map(() => ['accepted']))
  expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: underWay }, () => 'ERR_NOT_SENT'))
}
