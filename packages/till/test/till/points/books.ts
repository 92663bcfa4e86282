/**
 * The fate of one life, by the gateway's books, the merchant's rows and the store.
 *
 * @module
 */

import type { FakeGateway } from '@tillkit/testing'
import type { PaymentState } from '../../../src/rules/pay/payment.js'
import { isUnresolved } from '../../../src/state/attempt-rules.js'
import type { PaymentDocument } from '../../../src/state/document.js'
import { isUntold } from '../../../src/state/known.js'
import type { ToldRow } from '../../kills/merchant.js'
import type { LifeName } from './points.js'

/** The outcomes that the merchant must have been told in the end, and how often. Declines: one for each order that the gateway declined. */
const told: { readonly [Name in LifeName]: readonly string[] } = {
  sold: ['sale paid'],
  'second-card': ['sale paid'],
  'captured-by-wish': ['preauth held', 'capture paid'],
  'returned-in-part': ['sale paid', 'reversal returned'],
  'paid-out': ['payout-check verified', 'payout sent'],
}

/** The stages that the gateway must have approved in the end, once each. */
const approved: { readonly [Name in LifeName]: readonly string[] } = {
  sold: ['sale'],
  'second-card': ['sale'],
  'captured-by-wish': ['preauth', 'capture'],
  'returned-in-part': ['sale', 'reversal'],
  'paid-out': ['payout-check', 'payout'],
}

const end: { readonly [Name in LifeName]: PaymentState } = {
  sold: 'paid',
  'second-card': 'paid',
  'captured-by-wish': 'paid',
  'returned-in-part': 'paid',
  'paid-out': 'sent',
}

interface Now {
  readonly state: PaymentState
  readonly rows: readonly ToldRow[]
  readonly document: PaymentDocument | undefined
}

/** Requests of which it is not known what became, of orders that the payment did not go on without; what was not told, and what is left to do. */
const openIn = ({ orders, telling, wishes = [] }: PaymentDocument): readonly string[] => [
  ...orders
    .filter(({ left }) => left === undefined)
    .flatMap(({ attempts }) => attempts.filter(isUnresolved))
    .map(({ operation, clientOrderId }) => `${operation} of ${clientOrderId} is unknown for ever`),
  ...orders.flatMap(({ stages }) => stages.filter(isUntold)).map(({ stage }) => `the ${stage} is not marked as told`),
  ...(telling === undefined ? [] : ['a telling is under way for ever']),
  ...wishes.map(({ name }) => `the ${name} that the handler wanted was not done`),
]

/** Whether a life has come to its end. */
export const isOver = (life: LifeName, { state, rows, document }: Now): boolean =>
  state === end[life] &&
  document !== undefined &&
  openIn(document).length === 0 &&
  told[life].every(line => rows.some(({ stage, kind }) => `${stage} ${kind}` === line))

interface Ended {
  readonly reference: string
  readonly state: PaymentState
  readonly document: PaymentDocument | undefined
  readonly orders: ReturnType<FakeGateway['orders']['list']>
  readonly rows: readonly ToldRow[]
}

/** Accuses a life that has ended of all that is wrong with it. */
export function auditLife(life: LifeName, { reference, state, document, orders, rows }: Ended): readonly string[] {
  const found: string[] = []
  const accuse = (what: string) => found.push(`${life} ${reference}: ${what}`)
  const own = orders.filter(({ clientOrderId: id }) => id === reference || id.startsWith(`${reference}.`))
  const stages = own.flatMap(({ clientOrderId, stages }) => stages.map(each => ({ clientOrderId, ...each })))
  const charged = stages.flatMap(({ stage, status }) => (status === 'approved' ? [stage] : []))
  if (charged.sort().join() !== [...approved[life]].sort().join())
    accuse(`the gateway approved ${charged.join(', ') || 'nothing'}`)
  const declined = stages.filter(({ status }) => status === 'declined').map(({ clientOrderId }) => clientOrderId)
  // A process that is too slow to open the form in time does not try the first card at all.
  if (declined.length > 0 && life !== 'second-card') accuse(`${declined.length} orders were declined`)
  const lines = rows.map(({ stage, kind }) => `${stage} ${kind}`)
  const meant = [...told[life], ...declined.map(() => 'sale declined')]
  if (lines.sort().join() !== meant.sort().join()) accuse(`told was ${lines.join(', ') || 'nothing'}`)
  if (state !== end[life]) accuse(`it is ${state} in the end`)
  if (document === undefined) accuse('the store does not have it')
  else openIn(document).forEach(accuse)
  return found
}
