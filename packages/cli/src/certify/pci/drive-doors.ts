import type { Parameter } from '@tillkit/signing'
import type { FakeGateway, OrderView } from '@tillkit/testing'
import type { CertifyCase } from '../cases.js'
import { known } from '../certify.js'
import { cardOf } from '../customer.js'
import type { Hear } from '../doors.js'
import type { CaseTimes } from '../drive.js'
import { callbackAddress, caseEvents, claimOf, type EventSteps, forges, openWith, returnAddress } from '../events.js'
import type { MerchantUnderTest } from '../merchant.js'
import { type CaseResult, runCase } from '../run-case.js'
import type { Canary, Door } from './canaries.js'

/** A door that was tried. */
export interface TriedDoor {
  readonly door: Door
  /** True if the number came in there. Otherwise the report says nothing about this door. */
  readonly applied: boolean
  /** The merchant's fault that kept it from coming in. */
  readonly why?: string
}

/** A payment, and the doors that it tries. */
interface DoorRun {
  readonly outcome: CertifyCase['outcome']
  readonly fault?: 'commit-then-drop'
  /** Doors of the card that the shop is handed, and of the one that is typed on the gateway's page. */
  readonly atShop?: Door
  readonly atGateway?: Door
  /** The door of the number that comes in by the steps. */
  readonly door?: Door
  readonly steps?: (canary: Canary) => EventSteps
}

const withCard =
  ({ number, securityCode }: Canary) =>
  (order: OrderView): readonly (readonly Parameter[])[] => [
    [...claimOf(order), ['credit_card_number', number], ['cvv2', securityCode]],
  ]

const runs: readonly DoorRun[] = [
  { outcome: 'approved', atShop: 'card-approved', atGateway: 'form-approved' },
  { outcome: 'declined', atShop: 'card-declined', atGateway: 'form-declined' },
  { outcome: 'approved', fault: 'commit-then-drop', atShop: 'card-no-answer', atGateway: 'form-no-answer' },
  {
    outcome: 'approved',
    atShop: 'card-given-back',
    atGateway: 'form-given-back',
    steps: () => caseEvents.reversed,
  },
  // It is refused, rightly: the steps say that this is not a payment in which all is well.
  { outcome: 'approved', door: 'card-mistyped', steps: () => ({}) },
  {
    outcome: 'approved',
    door: 'callback',
    steps: canary => forges(callbackAddress, openWith, withCard(canary)),
  },
  { outcome: 'approved', door: 'return', steps: canary => forges(returnAddress, openWith, withCard(canary)) },
]

/** How the customer of a run is known, and what is told of each run. */
export interface DoorTrial extends Pick<CaseTimes, 'patience' | 'quiet' | 'grace'> {
  readonly gateway: FakeGateway
  readonly canaries: readonly Canary[]
  readonly email: string
  readonly hear: Hear
  /** Told of the doors of a run when it is done, and how many runs are done of all. */
  readonly onRun?: (tried: readonly TriedDoor[], progress: { readonly done: number; readonly of: number }) => void
}

/** Brings each canary to its door of the merchant: a customer pays with it, or somebody sends it along. */
export async function tryDoors(merchant: MerchantUnderTest, trial: DoorTrial): Promise<readonly TriedDoor[]> {
  const { gateway, canaries, email, hear, onRun, ...times } = trial
  const { profile } = known(gateway)
  const canaryOf = (door: Door): Canary => canaries.find(each => each.door === door) as Canary
  const tried: TriedDoor[] = []
  for (const [index, run] of runs.entries()) {
    const { outcome, fault, atShop = 'card-approved', atGateway = 'form-approved', door, steps } = run
    const [shopCanary, pageCanary] = [canaryOf(door === 'card-mistyped' ? door : atShop), canaryOf(atGateway)]
    const cards = {
      atShop: cardOf(shopCanary.number, shopCanary.securityCode),
      atGateway: cardOf(pageCanary.number, pageCanary.securityCode),
    }
    const faults = fault === undefined ? [] : [{ fault }]
    const result = await runCase(
      { name: `run ${index}`, outcome, faults },
      merchant,
      { gateway, profile, customer: { email, cards, hear }, ...times },
      door === undefined ? steps?.(shopCanary) : steps?.(canaryOf(door)),
    )
    const takesCards = tried.some(each => each.door === 'card-approved' && each.applied)
    const done = (run.door === undefined ? [run.atShop, run.atGateway] : [run.door]).flatMap(each => {
      if (each === undefined) return []
      return resultOf(each, { result, canary: canaryOf(each), takesCards })
    })
    tried.push(...done)
    onRun?.(done, { done: index + 1, of: runs.length })
  }
  return tried
}

function resultOf(
  door: Door,
  tried: { readonly result: CaseResult; readonly canary: Canary; readonly takesCards: boolean },
): TriedDoor {
  const { result, canary, takesCards } = tried
  const broken = result.verdicts.find(({ kind }) => kind === 'failed' || kind === 'hung')
  const why = broken === undefined ? {} : { why: broken.explanation }
  const hasArrived = result.orders.some(
    ({ card }) => card?.bin === canary.number.slice(0, 6) && card.lastFourDigits === canary.number.slice(-4),
  )
  // A number with a wrong digit makes no order; a shop that sends other cards on was handed this one.
  if (door === 'card-mistyped') return { door, applied: takesCards && broken === undefined, ...why }
  if (door === 'callback' || door === 'return') return { door, applied: result.applied, ...why }
  return { door, applied: hasArrived && result.applied, ...why }
}
