import {
  type AskedSettlement,
  type CustomerStep,
  isSettled,
  needsPerson,
  notify,
  type SafeAddressOptions,
  threeDSecureStep,
  type WireProfile,
} from '@tillkit/protocol'
import type { Polling } from '../config/options.js'
import { unknownOrder, type visitSettler } from '../customer-return/visit.js'
import type { NodeRequest } from '../http/parameters.js'
import type { ThreeDSecureProgress, ThreeDSecureStore, ThreeDSecureVisitOptions } from './options.js'
import type { BrowserRequest } from './pages/customer-browser.js'
import type { PageVoice } from './pages/document.js'

/** The request of a visit. */
export type VisitRequest = NodeRequest & BrowserRequest

/** A visit. */
export interface Visit {
  readonly clientOrderId: string
  /** Whether the state in the address has expired: it is no login, and shows no page of 3DS any more. */
  readonly isExpired: boolean
  readonly request: VisitRequest
  /** Address of a page of this visit: the first one, or one below it. */
  readonly addressOf: (page?: 'method' | 'notify' | 'again') => string
  readonly options: ThreeDSecureVisitOptions<VisitRequest>
  readonly polling: Required<Polling>
  readonly settle: ReturnType<typeof visitSettler>
  readonly progress: ThreeDSecureStore
  /** Uploads under way, by order and step. */
  readonly uploads: Map<string, Promise<boolean>>
  readonly voice: PageVoice
  readonly profile: WireProfile
  readonly addresses: SafeAddressOptions
  /** Milliseconds since the epoch. */
  readonly clock: () => number
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

/**
 * Asks status, and tells the merchant what it said.
 *
 * @param questions Most questions; fewer where a step is shown, or it is over.
 * @returns undefined where the merchant waits for nothing.
 */
export async function standingOf(visit: Visit, questions: number): Promise<Standing | undefined> {
  const { clientOrderId, options, request } = visit
  const onUnknown = () => notify(() => options.onRejected?.(unknownOrder(clientOrderId), request))
  const until = (settlement: AskedSettlement) => stepOf(settlement, visit) !== undefined
  const settled = await visit.settle({ clientOrderId, attempts: questions, until, onUnknown })
  if (settled === undefined) return undefined
  const { known, settlement } = settled
  return {
    settlement,
    isOver: isSettled(settlement) || needsPerson(settlement),
    step: stepOf(settlement, visit),
    // Where the reply to the sale was lost, status says it.
    orderId:
      known.order.orderId ??
      ('observation' in settlement ? (settlement.order.orderId ?? settlement.observation.reply.orderId) : undefined),
  }
}

/** A step is taken from nothing but a reply about the awaited stage of this very order, which is under way. */
function stepOf(
  settlement: AskedSettlement,
  { profile, addresses }: Pick<Visit, 'profile' | 'addresses'>,
): CustomerStep | undefined {
  if (settlement.kind !== 'not-final') return undefined
  return threeDSecureStep(settlement.observation.reply, profile, addresses)
}

export type StepOf<Kind extends CustomerStep['kind']> = Extract<CustomerStep, { readonly kind: Kind }>

/** What a step is remembered by: a cascade may ask for another one of the same kind. */
export function stepKey(step: CustomerStep): string {
  switch (step.kind) {
    case 'method':
    case 'challenge':
      return `${step.kind} ${step.threeDSServerTransId ?? ''}`
    case 'pares':
      return `pares ${step.md ?? ''}`
    case 'gateway-run':
    case 'unusable':
      return step.kind
  }
}

/** What is remembered of a visit's order. */
export async function progressOf({ progress, clientOrderId }: Visit): Promise<ThreeDSecureProgress> {
  return (await progress.find(clientOrderId)) ?? { done: [] }
}

/** Remembers that a step was handed over, or its result uploaded. */
export async function noteDone(visit: Visit, key: string): Promise<void> {
  const current = await progressOf(visit)
  if (current.done.includes(key)) return
  await visit.progress.save(visit.clientOrderId, { ...current, done: [...current.done, key] })
}
