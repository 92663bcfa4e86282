import {
  type AskedSettlement,
  type CustomerStep,
  defaultProfile,
  isSettled,
  needsPerson,
  notify,
  type ThreeDSecureProgress,
  threeDSecureStep,
} from '@tillkit/protocol'
import { pollingOf } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { warningsOf } from '../config/warnings.js'
import { unknownOrder, visitSettler } from '../customer-return/visit.js'
import { addressesFor } from '../http/addresses.js'
import type { NodeRequest } from '../http/parameters.js'
import { visitLedger } from '../outcomes/ledger.js'
import type { ThreeDSecureVisitOptions } from './options.js'
import type { BrowserRequest, RequestOrigin } from './pages/customer-browser.js'
import { pageVoice } from './pages/document.js'

/** The request of a visit. */
export type VisitRequest = (NodeRequest & BrowserRequest) | Request

/** What all visits of one router share. */
export function visitsOf<Transaction>(given: ThreeDSecureVisitOptions<VisitRequest, Transaction>) {
  const { client, polling, pages, profile = defaultProfile, clock = systemClock } = given
  const warn = warningsOf(given)
  const ledger = visitLedger({ ...given, warn })
  const options: Omit<ThreeDSecureVisitOptions<VisitRequest, Transaction>, 'onOutcome' | 'store'> = {
    ...given,
    onRejected: given.onRejected ?? (rejection => warn('WARN_CUSTOMER_REFUSED', rejection)),
    onProblem: given.onProblem ?? (({ explanation, cause }) => warn('WARN_3D_SECURE_STUCK', { explanation, cause })),
  }
  return {
    options,
    polling: pollingOf(polling),
    settle: visitSettler(options, ledger, { profile, warn }),
    ledger,
    /** Uploads under way, by order and step. */
    uploads: new Map<string, Promise<boolean>>(),
    voice: pageVoice(pages),
    profile,
    addresses: addressesFor(client),
    /** Milliseconds since the epoch. */
    clock,
  }
}

/** One visit of a customer, or of the bank in the customer's browser. */
export interface Visit extends ReturnType<typeof visitsOf> {
  readonly clientOrderId: string
  /** Whether the state in the address has expired: it is no login, and shows no page of 3DS any more. */
  readonly isExpired: boolean
  readonly request: VisitRequest
  /** What the request does not say of where it comes from, and the form that it brought. */
  readonly origin: RequestOrigin & { readonly body?: unknown }
  /** Address of a page of this visit: the first one, or one below it. */
  readonly addressOf: (page?: 'method' | 'notify' | 'again') => string
}

/** Where an order is with 3DS. */
export interface Standing {
  readonly settlement: AskedSettlement
  /** Whether status will not say anything better than this: settled, or for a person. */
  readonly isOver: boolean
  /** What the customer has to do, if status asks for it. */
  readonly step: CustomerStep | undefined
  /** The gateway's order id, which uploads need. */
  readonly orderId: string | undefined
}

/** Asks status at most so many times, and tells the merchant what it said. @returns undefined where the merchant waits for nothing. */
export async function standingOf(visit: Visit, questions: number): Promise<Standing | undefined> {
  const { clientOrderId, options, request } = visit
  const onUnknown = () => notify(() => options.onRejected?.(unknownOrder(clientOrderId), request))
  const until = (settlement: AskedSettlement) => stepOf(settlement, visit) !== undefined
  const settled = await visit.settle({ clientOrderId, attempts: questions, until, onUnknown })
  if (settled === undefined) return undefined
  const { order, settlement } = settled
  return {
    settlement,
    isOver: isSettled(settlement) || needsPerson(settlement),
    step: stepOf(settlement, visit),
    // Where the reply to the sale was lost, status says it.
    orderId:
      order.orderId ??
      ('observation' in settlement ? (settlement.order.orderId ?? settlement.observation.reply.orderId) : undefined),
  }
}

/** A step is taken from nothing but a reply about the awaited stage of this very order, which is under way. */
function stepOf(settlement: AskedSettlement, { profile, addresses }: Visit): CustomerStep | undefined {
  if (settlement.kind !== 'not-final') return undefined
  return threeDSecureStep(settlement.observation.reply, profile, addresses)
}

export type StepOf<Kind extends CustomerStep['kind']> = Extract<CustomerStep, { readonly kind: Kind }>

/** What a step is remembered by: a cascade may ask for another one of the same kind. */
export function stepKey(step: CustomerStep): string {
  if (step.kind === 'gateway-run' || step.kind === 'unusable') return step.kind
  return `${step.kind} ${(step.kind === 'pares' ? step.md : step.threeDSServerTransId) ?? ''}`
}

/** How far the customer is, and what the store's clock says, in milliseconds. */
export async function progressOf({
  ledger,
  options,
  clientOrderId,
}: Visit): Promise<{ readonly progress: ThreeDSecureProgress; readonly at: number }> {
  const found = await ledger.find({ payments: options.client.payments, clientOrderId })
  return { progress: found?.order.threeDSecure ?? { done: [] }, at: found?.at ?? 0 }
}

/** Notes how far the customer is, by what the store's clock says then. */
export const noteProgress = (
  { ledger, options, clientOrderId }: Visit,
  seen: (at: number) => Partial<ThreeDSecureProgress>,
): Promise<void> => ledger.threeDSecureSeen({ payments: options.client.payments, clientOrderId }, seen)

/** Remembers that a step was handed over, or its result uploaded. */
export const noteDone = (visit: Visit, key: string): Promise<void> => noteProgress(visit, () => ({ done: [key] }))
