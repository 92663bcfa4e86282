/** The ends of a world's payments, in lines that can be compared. */

import type { TillReport } from '../../../src/index.js'
import type { Payment } from '../../../src/rules/pay/payment.js'
import { gatewaysIdIn, merchantsIdIn } from './line.js'
import type { World } from './world.js'

/** The life of one payment. */
export interface Lived {
  /** Requests to the gateway besides status, in their order. */
  readonly sent: readonly string[]
  /**
   * The outcomes that the merchant was told, in their order. The store has no transactions: after a failure the same outcome is told
   * again, and stands here once.
   */
  readonly told: readonly string[]
  /** How the payment stands in the end, and what a person is asked. */
  readonly end: readonly string[]
}

/** The life of each payment of a world, by its reference; and how often each fault struck and each thing was wanted. */
export interface Trace {
  readonly payments: ReadonlyMap<string, Lived>
  readonly counts: ReadonlyMap<string, number>
}

/** @throws What nobody expected in that world. */
export async function endsOf(references: readonly string[], world: World): Promise<ReadonlyMap<string, Lived>> {
  const { gateway, process, thrown, told, count } = world
  if (thrown.length > 0) throw new Error(thrown.join('\n'))
  for (const { fault } of gateway.calls()) if (fault !== undefined) count(`line ${fault}`)
  const { till } = process(0)
  const report = await till.report()
  const found = new Map<string, Lived>()
  for (const reference of references) {
    found.set(reference, {
      sent: sentOf(reference, world),
      told: [
        ...new Map(told.filter(each => each.reference === reference).map(each => [each.outcome, each.line])).values(),
      ],
      end: endOf(await till.payment(reference), report),
    })
  }
  const strangers = report.unmatched.items.map(({ clientOrderId }) => `unmatched ${clientOrderId}`)
  return strangers.length === 0 ? found : found.set('elsewhere', { sent: [], told: [], end: strangers })
}

function endOf({ reference, state, totals, needsPerson }: Payment, report: TillReport): readonly string[] {
  const lists = ['surplus', 'needsPerson', 'failing', 'unknown', 'untold'] as const
  return [
    `${state} ${totals === undefined ? 'without totals' : JSON.stringify(totals)}`,
    ...lists
      .filter(list => report[list].items.some(item => item.reference === reference))
      .map(list => `on list ${list}`),
    ...(needsPerson === undefined ? [] : [`a person: ${needsPerson}`]),
  ]
}

function sentOf(reference: string, { gateway }: World): readonly string[] {
  const ids = new Map(gateway.orders.list().map(({ orderId, clientOrderId }) => [orderId, clientOrderId]))
  return gateway.calls().flatMap(({ operation, fields, verdict }) => {
    const field = (name: string) => fields.find(each => each[0] === name)?.[1]
    const order = merchantsIdIn(field) ?? ids.get(gatewaysIdIn(field) ?? '') ?? ''
    if (operation === 'status' || order.replace(/\.\d+r$/, '') !== reference) return []
    return [`${operation} ${order} ${field('amount') ?? ''} ${verdict}`]
  })
}
