import { type AnyRequest, addressesFor, type RequestOrigin } from '@tillkit/express-middleware/core'
import { type AskedSettlement, type CustomerStep, threeDSecureStep } from '@tillkit/protocol'
import { type SecuredSoFar, type SecurePlan, secure } from '../../intents/customers/secure.js'
import { planned } from '../../intents/next.js'
import type { PageVoice } from '../../pages/options.js'
import type { Account } from '../../payment/accounts.js'
import type { Deliveries } from '../../payment/deliveries.js'
import { isOver } from '../../rules/visit.js'
import type { CustomerContext } from '../customer-return.js'
import type { Visitor } from '../visitors.js'
import { polling, type SettleVisit } from '../visits.js'

/** Everything that the pages of 3DS need of the till. */
export interface ThreeDSecureContext extends CustomerContext {
  /** The address of the pages, as the bank sees it, without a slash at the end. */
  readonly address: string
  readonly keyOf: (clientOrderId: string) => string
  readonly drive: Deliveries['drive']
}

/** Everything that all visits of the pages share. */
export interface SharedByVisits extends ThreeDSecureContext {
  readonly settle: SettleVisit
  /** Uploads under way, by order and step. */
  readonly uploads: Map<string, Promise<UploadEnd>>
  readonly voice: PageVoice
}

/**
 * The end of an upload. `taken`: it was sent, now or before. `unknown`: it may have arrived; status says whether 3DS goes on. `open`:
 * it was not taken, and another result of the same step may be.
 */
export type UploadEnd = 'taken' | 'unknown' | 'open'

/** One visit of a customer, or of the bank in the customer's browser. */
export interface Visit extends SharedByVisits, Visitor {
  readonly request: AnyRequest
  /** The facts about its origin that the request itself does not say, and the form that it brought. */
  readonly origin: RequestOrigin & { readonly body?: unknown }
  /** The address of a page of this visit: the first one, or one below it. */
  readonly addressOf: (page?: 'method' | 'notify' | 'again') => string
}

type Tracked = Pick<Visit, 'account' | 'clientOrderId' | 'keyOf' | 'drive'>

/** How far an order is with 3DS. */
export interface Standing {
  /** Whether status will not say anything better than this. */
  readonly isOver: boolean
  /** The step that the customer has to take, if status asks for one. */
  readonly step: CustomerStep | undefined
  /** The gateway's order id, which uploads need. */
  readonly orderId: string | undefined
}

/** Asks status, and tells the merchant what it said. @returns Undefined if the merchant waits for nothing. */
export async function standingOf(visit: Visit, attempts: number = polling.attempts): Promise<Standing | undefined> {
  const settled = await visit.settle({ ...visit, attempts })
  if (settled === undefined) return undefined
  const { order, settlement } = settled
  return {
    isOver: isOver(settlement),
    step: stepOf(settlement, visit.account),
    // If the reply to the sale was lost, status says it.
    orderId:
      order.orderId ??
      ('observation' in settlement ? (settlement.order.orderId ?? settlement.observation.reply.orderId) : undefined),
  }
}

/**
 * Reads how far the customer is, and writes down what follows from it, in one run. A store that does not take it holds no customer up: the
 * merchant is warned, and the customer goes on as if it were written.
 *
 * @throws Why it cannot be read.
 */
export async function track(
  { account, clientOrderId, keyOf, drive }: Tracked,
  seen: SecurePlan['seen'],
): Promise<SecuredSoFar> {
  const key = keyOf(clientOrderId)
  const about = { clientOrderId, login: account.login }
  const ended = await drive(account, key, { next: planned('secure', { about, seen }, secure) })
  if (ended.kind === 'done') return ended.result
  account.runs.onTrouble({ kind: 'given-up', key, cause: ended.cause, failures: 1 })
  throw ended.cause
}

/** Writes down that a step was handed over, or its result uploaded. A store that fails holds no customer up: the merchant is warned. */
export const noteDone = (visit: Tracked, key: string): Promise<unknown> =>
  track(visit, () => ({ done: [key] })).catch(() => undefined)

/** A step is taken from nothing  but a reply about the awaited stage of this very order, which is under way. */
export function stepOf(settlement: AskedSettlement, { profile, client }: Account): CustomerStep | undefined {
  if (settlement.kind !== 'not-final') return undefined
  return threeDSecureStep(settlement.observation.reply, profile, addressesFor(client))
}

/** A step of one kind. */
export type StepOf<Kind extends CustomerStep['kind']> = Extract<CustomerStep, { readonly kind: Kind }>

/** Gives the key that a step is remembered by: a cascade may ask for another step of the same kind. */
export function stepKey(step: CustomerStep): string {
  if (step.kind === 'gateway-run' || step.kind === 'unusable') return step.kind
  return `${step.kind} ${(step.kind === 'pares' ? step.md : step.threeDSServerTransId) ?? ''}`
}
