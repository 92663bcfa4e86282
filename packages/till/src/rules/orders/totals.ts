import {
  defaultProfile,
  endsHold,
  finalOutcome,
  mayRepeat,
  moneyMoved,
  type Order,
  readableDigits,
  readMinorUnits,
  readOrder,
  type Stage,
  type StageName,
  type WireProfile,
} from '@tillkit/protocol'
import { fromMinorUnits, InvalidInputError } from '@tillkit/signing'
import { countedStages } from '../../state/late-approval.js'

/** Totals in major units, each with the currency's digits. */
export interface OrderTotals {
  readonly currency: string
  /** Reserved on the card and neither settled nor released. */
  readonly held: string
  /** Taken from the customer, before returns. */
  readonly captured: string
  /** Given back to the customer, chargebacks included. */
  readonly returned: string
  /** The amount that a reversal could still give back: captured, less returned. */
  readonly returnable: string
  /** Sent to a recipient. */
  readonly sent: string
}

/** Which changes of an order are possible now. */
export interface AllowedNow {
  readonly capture: boolean
  readonly void: boolean
  /** `cancel` releases the hold, `reversal` gives money back; undefined when neither is possible. */
  readonly return: 'cancel' | 'reversal' | undefined
}

/**
 * Adds up the approved stages of an order.
 *
 * @returns undefined where a total would be a guess: no stage has a currency, or two differ in it; the amount of an approved one is
 * absent or cannot be read; the gateway contradicted itself about an approval or its amount (that it approves at last what it had
 * declined is no contradiction: the latest word counts); money was given back and the stage that took it is not known; a stage that can
 * happen again has no serial number, so that it may stand for several; or the gateway approved something that this library does not
 * know.
 * @see Interface specification, section 3; ADR 0009 and 0017
 */
export function orderTotals(known: Order, profile: WireProfile = defaultProfile): OrderTotals | undefined {
  const order = countedOrder(known, profile)
  const currencies = new Set(order.stages.flatMap(stage => stage.currency ?? []))
  const [currency] = currencies
  if (currency === undefined || currencies.size > 1) return undefined
  const isDoubtful = order.stages.some(stage => isDisputed(stage, profile) || isUncounted(stage, order, profile))
  if (isDoubtful || isPartOfAStory(order, profile)) return undefined
  try {
    return addUp(order, { currency, profile })
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}

/** Whether an approved stage takes, holds or sends money. */
export function bringsMoney(stage: StageName): boolean {
  const moved = moneyMoved(stage)
  return moved === 'captured' || moved === 'held' || moved === 'sent'
}

/** The order, in which a decline that was corrected to approved is an approval: what counts is the latest word. */
function countedOrder(known: Order, profile: WireProfile): Order {
  const order = readOrder('order', known)
  const stages = countedStages(order.stages, profile)
  return stages === order.stages ? order : { ...order, stages }
}

/** The currency in which amounts are counted, and the profile by which they are. */
interface Counting {
  readonly currency: string
  readonly profile: WireProfile
}

function addUp(order: Order, counting: Counting): OrderTotals {
  const { currency, profile } = counting
  const sum = (...names: readonly StageName[]) => sumOf(approved(order, names), counting)
  const captured = sum(...(approved(order, ['void']).length > 0 ? [] : (['sale'] as const)), 'capture')
  const returned = sum('reversal', 'chargeback')
  const held = remainingHold(order, counting)
  const digits = readableDigits(profile)
  const text = (minor: bigint) => fromMinorUnits(minor, currency, 'iso-4217', digits)
  return {
    currency,
    held: text(held),
    captured: text(captured),
    returned: text(returned),
    returnable: text(returned < captured ? captured - returned : 0n),
    sent: text(sum('payout', 'transfer')),
  }
}

/** Says which changes the six rules of section 3 allow now. They allow none while a stage is still under way. */
export function allowedNow(known: Order, profile: WireProfile = defaultProfile): AllowedNow {
  const order = countedOrder(known, profile)
  const totals = orderTotals(order, profile)
  const underWay = order.stages.some(stage => stage.outcome === undefined)
  if (totals === undefined || underWay) return { capture: false, void: false, return: undefined }
  const minor = (amount: string) => readMinorUnits(amount, totals.currency, profile)
  const holds = minor(totals.held) > 0n
  const unsettledSale =
    !profile.saleIsSettled.value &&
    approved(order, ['sale']).length > 0 &&
    approved(order, ['void']).length === 0 &&
    minor(totals.returned) === 0n
  const returnable = minor(totals.returnable) > 0n
  // Once some of a hold is captured, a return is one of the capture (rule 3); the rest is released by void.
  const cancelable = holds && minor(totals.captured) === 0n
  return {
    capture: holds,
    void: holds || unsettledSale,
    return: cancelable ? 'cancel' : returnable ? 'reversal' : undefined,
  }
}

/** Whether approved is one of several final words, or was over several amounts: one of them moved and not the other. */
function isDisputed({ status, corrections, restated }: Stage, profile: WireProfile): boolean {
  if (restated !== undefined) return true
  if (corrections.length === 0) return false
  return [status, ...corrections.map(({ to }) => to)].some(word => finalOutcome(word, profile) === 'approved')
}

/**
 * Whether an approved stage may stand for several, or for one that is listed beside it: without a serial number equal
 * returns look the same. What ends the hold is approved once, by whatever request. What an unrecognized stage does to
 * money is not known.
 */
export function isUncounted(seen: Stage, order: Pick<Order, 'stages'>, profile: WireProfile): boolean {
  if (seen.outcome !== 'approved') return false
  if (seen.stage === 'unrecognized') return true
  if (seen.serialNumber !== undefined || !mayRepeat(seen.stage)) return false
  return !endsHold(seen, { stages: order.stages, profile }) || approved(order, [seen.stage]).length > 1
}

/** Money that was given back was taken before, and money that was captured was held: unseen stages are missing in every total. */
function isPartOfAStory(order: Order, profile: WireProfile): boolean {
  const has = (...names: readonly StageName[]) => order.stages.some(({ stage }) => names.includes(stage))
  if (has('reversal', 'chargeback') && !has('sale', 'capture')) return true
  if (has('preauth')) return false
  return (has('capture') && !profile.captureEndsHold.value) || (has('cancel') && !profile.cancelEndsHold.value)
}

/** The hold ends by void; by a capture and a cancel as far as they go, or altogether where the profile says so. */
function remainingHold(order: Order, counting: Counting): bigint {
  const { profile } = counting
  const held = sumOf(approved(order, ['preauth']), counting)
  if (approved(order, ['void']).length > 0) return 0n
  const [captures, cancels] = [approved(order, ['capture']), approved(order, ['cancel'])]
  if (profile.captureEndsHold.value && captures.length > 0) return 0n
  if (profile.cancelEndsHold.value && cancels.length > 0) return 0n
  const rest = held - sumOf([...captures, ...cancels], counting)
  return rest > 0n ? rest : 0n
}

function approved(order: Pick<Order, 'stages'>, names: readonly StageName[]): readonly Stage[] {
  return order.stages.filter(stage => stage.outcome === 'approved' && names.includes(stage.stage))
}

function sumOf(stages: readonly Stage[], { currency, profile }: Counting): bigint {
  return stages.reduce((sum, { amount }) => sum + readMinorUnits(amount ?? '', currency, profile), 0n)
}
