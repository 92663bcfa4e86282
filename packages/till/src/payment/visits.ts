import { type SettledVisit, shownBy, type VisitPlan, type VisitResult, visit } from '../intents/customers/visit.js'
import type { DeliverResult } from '../intents/deliver.js'
import { type Next, planned } from '../intents/next.js'

/** An order that a customer comes back for, or whose page of 3DS a customer looks at. */
export interface VisitQuestion extends Pick<VisitPlan, 'until' | 'attempts' | 'interval'> {
  readonly login: string
  readonly clientOrderId: string
  /** Called if the order is not kept. */
  readonly onUnknown: () => void
}

/** A visit by a run: what the customer sees, and the end of delivering, which may be much later. */
export interface Visited extends SettledVisit {
  readonly delivered: Promise<DeliverResult>
}

/** Everything that a visit is lived with. */
export interface VisitContext extends Pick<VisitPlan, 'profile' | 'lease'> {
  /** Drives the run of the visit. */
  drive(next: Next<VisitResult>): Promise<VisitResult>
}

/**
 * Lives a visit. It resolves once status has been asked: a handler may take longer than a customer waits.
 *
 * @returns Undefined where nothing is awaited.
 */
export async function visitOrder(
  { login, clientOrderId, onUnknown, until, attempts, interval }: VisitQuestion,
  { profile, lease, drive }: VisitContext,
): Promise<Visited | undefined> {
  const plan: VisitPlan = { about: { clientOrderId, login }, profile, lease, until, attempts, interval }
  let show: (shown: SettledVisit) => void = () => {}
  const shown = new Promise<SettledVisit>(resolve => {
    show = resolve
  })
  const visiting = (made: VisitPlan): Next<VisitResult> => {
    const next = visit(made)
    return scene => {
      const step = next(scene)
      const settled = step.kind === 'ask' ? undefined : shownBy(plan, scene.heard)
      if (settled !== undefined) show(settled)
      return step
    }
  }
  const driven = drive(planned('visit', plan, visiting))
  const first = await Promise.race([shown, driven])
  if ('settlement' in first)
    return { ...first, delivered: driven.then(result => (result.kind === 'asked' ? result.delivered : nothing)) }
  if (first.kind === 'no-order') onUnknown()
  return undefined
}

const nothing: DeliverResult = { kind: 'nothing', payment: undefined }
