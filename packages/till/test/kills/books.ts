/**
 * Compares what a process believed, and what its store has, with the books of the gateway.
 *
 * @module
 */

import type { FakeGateway } from '@tillkit/testing'
import { readDocument } from '../../src/rules/kept/entry.js'
import type { PaymentDocument } from '../../src/state/document.js'
import type { Store } from '../../src/store/store.js'
import type { ToldRow } from './merchant.js'
import type { Belief } from './messages.js'
import { kinds, type Movement, movementKey, type Payment, toldAs } from './payments.js'

/** The books of one list of payments. */
export interface Books {
  /** A step begins: what it believes has to have been true at one moment from now on. */
  begin(): void
  /**
   * Accuses a belief of all that is wrong with it, at the moment that it is told.
   *
   * @param by Names the life that believes it.
   * @param isLate Whether that life was stopped meanwhile, while others went on: its own request may have left no trace where theirs arrived.
   */
  judge(belief: Belief, by: string, isLate: boolean): readonly string[]
  /** Whether a movement has arrived, for a person who looks it up. */
  hasArrived(key: string): boolean
  /** The gateway's ids of a movement that has arrived. */
  idsOf(key: string): { readonly orderId?: string; readonly serialNumber?: string }
  /** Accuses the books so far: something was sent twice, or never asked for. */
  audit(): readonly string[]
  /** Accuses the books once every payment has come to its end. */
  auditEnd(store: Store<never>, told: (reference: string) => Promise<readonly ToldRow[]>): Promise<readonly string[]>
  /** Payments that were reported to be over. */
  over(): ReadonlySet<string>
}

const moving = new Set(['sale', 'preauth', 'capture', 'return', 'void'])

/** Opens the books of a list. */
export function openBooks(gateway: FakeGateway, payments: readonly Payment[]): Books {
  /** The movements whose end was known, which may never be unknown again. */
  const settled = new Set<string>()
  /** All that was believed of each movement, and by whom. */
  const believed = new Map<string, readonly string[]>()
  const unsettled = new Set<string>()
  const over = new Set<string>()
  /** How many stages each order had when the step began. */
  let stagesThen = new Map<string, number>()
  const wanted = new Map(
    payments.flatMap(({ reference, kind }) =>
      (kinds[kind] as readonly Movement[]).map(each => [movementKey(reference, each), each] as const),
    ),
  )

  /** The movements that came to the gateway, whatever it answered. */
  const calls = () =>
    gateway.calls().flatMap(({ operation, fields, reply = {} }) => {
      if (operation === undefined || !moving.has(operation)) return []
      const field = (name: string) => fields.find(([each]) => each === name)?.[1] ?? ''
      return [{ key: `${operation} ${field('client_orderid')} ${field('merchant_order')}`, reply }]
    })
  /** How often each movement came. */
  const arrivals = (): ReadonlyMap<string, number> => {
    const counted = new Map<string, number>()
    for (const { key } of calls()) counted.set(key, (counted.get(key) ?? 0) + 1)
    return counted
  }
  const count = (key: string): number => arrivals().get(key) ?? 0
  const orders = (clientOrderId: string) => gateway.orders.list().filter(each => each.clientOrderId === clientOrderId)

  const wrong = (belief: Belief, isLate: boolean): string | undefined => {
    const { what, key, clientOrderId, word, stage } = belief
    const came = count(key)
    switch (what) {
      case 'accepted':
      case 'known':
      case 'happened':
        return came === 1 ? undefined : `it came ${came} times`
      case 'no-trace':
        return came === 0 || (isLate && came === 1 && settled.has(key)) ? undefined : `it came ${came} times`
      case 'decided':
        return came === (word === 'accepted' ? 1 : 0) ? undefined : `it came ${came} times`
      case 'unresolved': {
        if (!settled.has(key) || unsettled.has(key)) return undefined
        return 'its end was known before, and that was lost'
      }
      case 'status': {
        // A request that arrives late may make a stage between the answer and this moment.
        const since = Math.max(0, (stagesThen.get(clientOrderId) ?? 0) - 1)
        const stages = orders(clientOrderId).at(-1)?.stages.slice(since) ?? []
        return stages.some(each => each.status === word && each.stage === stage)
          ? undefined
          : `status said ${word} of a ${stage}, the books say ${stages.map(each => `${each.status} of a ${each.stage}`)}`
      }
      case 'told': {
        const stages = orders(clientOrderId).flatMap(each => each.stages)
        const isTrue = stages.some(each => each.stage === stage && each.status === word)
        return isTrue ? undefined : `the handler was told ${word} of a ${stage}, which the books do not have`
      }
      default:
        return undefined
    }
  }

  return {
    begin() {
      stagesThen = new Map(gateway.orders.list().map(({ clientOrderId, stages }) => [clientOrderId, stages.length]))
    },
    judge(belief, by, isLate) {
      const { what, key, reference } = belief
      const found = wrong(belief, isLate)
      const before = believed.get(key) ?? []
      believed.set(key, [...before, `${what}, by ${by}`])
      if (what === 'over') over.add(reference)
      if (what === 'unsettled') unsettled.add(key)
      const isLasting = what === 'accepted' || what === 'known' || what === 'happened'
      if (isLasting || (what === 'decided' && belief.word === 'accepted')) settled.add(key)
      if (found === undefined) return []
      return [[`${what}: ${key}: ${found}; believed by ${by}, and before it:`, ...before].join('\n')]
    },
    hasArrived: key => count(key) > 0,
    idsOf(key) {
      const reply = calls().find(each => each.key === key)?.reply ?? {}
      const { 'paynet-order-id': orderId = '', 'serial-number': serialNumber = '' } = reply
      return { orderId, serialNumber }
    },
    audit: () =>
      [...arrivals()].flatMap(([key, came]) => {
        if (!wanted.has(key)) return [`nobody asked for ${key}`]
        return came > 1 ? [`sent twice: ${key} came ${came} times`] : []
      }),
    async auditEnd(store, told) {
      const found: string[] = []
      for (const [key] of wanted) if (count(key) !== 1) found.push(`in the end ${key} came ${count(key)} times`)
      for (const payment of payments) {
        const { reference, kind, by } = payment
        const movements: readonly Movement[] = kinds[kind]
        if (!over.has(reference)) found.push(`${reference} did not come to its end`)
        if (by !== 'status') {
          const rows = await told(reference)
          const heard = rows.map(row => `${row.client_order_id} ${row.stage} ${row.kind}`)
          const meant = movements.map(each => `${reference}${each.order} ${each.stage} ${toldAs(each)}`)
          if (heard.join() !== meant.join()) found.push(`told was ${heard.join()} in place of ${meant.join()}`)
        }
        const { stored } = await store.read(`payment/test/kills/${reference}`)
        if (stored === undefined) {
          found.push(`lost: the store does not know ${reference}`)
          continue
        }
        const document = readDocument(stored)
        for (const suffix of new Set(movements.map(each => each.order))) {
          const asked = movements.filter(each => each.order === suffix)
          found.push(
            ...compareOrder(`${reference}${suffix}`, { asked, orders: orders(`${reference}${suffix}`), document }),
          )
        }
      }
      return found
    },
    over: () => over,
  }
}

interface Compared {
  readonly asked: readonly Movement[]
  readonly orders: ReturnType<FakeGateway['orders']['list']>
  readonly document: PaymentDocument
}

/** Compares, for one order, the merchant's requests, the gateway's deeds and the store. */
function compareOrder(clientOrderId: string, { asked, orders, document }: Compared): readonly string[] {
  const found: string[] = []
  if (orders.length !== 1) found.push(`${clientOrderId} is ${orders.length} orders at the gateway`)
  const made = orders.flatMap(each => each.stages.map(({ stage, status }) => `${stage} ${status}`))
  const meant = asked.map(({ stage, outcome }) => `${stage} ${outcome}`)
  if (made.join() !== meant.join()) found.push(`${clientOrderId} has ${made.join()} in place of ${meant.join()}`)
  const kept = document.orders.filter(each => each.clientOrderId === clientOrderId)
  if (kept.length !== 1) found.push(`${clientOrderId} is ${kept.length} orders in the store`)
  const attempts = kept.flatMap(each => each.attempts)
  const open = attempts.filter(({ end }) => end === undefined || end.kind === 'unknown')
  if (open.length > 0) found.push(`${clientOrderId} has ${open.length} open attempts in the store`)
  const taken = attempts.filter(({ end }) => end?.kind === 'accepted').map(each => each.operation)
  if (taken.join() !== asked.map(each => each.operation).join())
    found.push(`${clientOrderId} was accepted as ${taken.join()} by the store`)
  const known = kept.flatMap(each => each.stages.map(({ stage, outcome }) => `${stage} ${outcome}`))
  const last = asked.at(-1)
  if (last !== undefined && known.at(-1) !== `${last.stage} ${last.outcome}`)
    found.push(`${clientOrderId} ends with ${known.at(-1)} in the store`)
  return found
}
