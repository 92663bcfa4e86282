import {
  type FinalOutcome,
  finalOutcome,
  mayRepeat,
  type SettleInput,
  type StageName,
  type StatusResponse,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import { mayHaveArrived } from '../../state/attempt-rules.js'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../state/known.js'

/** A request about an order, and the stage that it made, where status has shown it. */
export interface ShownAttempt {
  readonly attempt: KnownAttempt
  readonly stage: KnownStage | undefined
}

/**
 * The requests that may have made a stage of an order, each with that stage. What made the order goes by the name of its stage, a
 * change by its serial number; one that nothing is known to belong to gets the first stage that fits it. No stage belongs to two.
 */
export function shownAttempts({ attempts, stages }: KnownOrder): readonly ShownAttempt[] {
  const asked = attempts.filter(each => each.stages.length > 0 && (each.effect === 'creates' || mayHaveArrived(each)))
  if (stages.length === 0) return asked.map(attempt => ({ attempt, stage: undefined }))
  const found = new Map<KnownAttempt, KnownStage>()
  const taken = new Set<KnownStage>()
  const assign = (attempt: KnownAttempt, fits: (stage: KnownStage) => boolean): void => {
    const stage = stages.find(each => attempt.stages.includes(each.stage) && !taken.has(each) && fits(each))
    if (stage === undefined) return
    found.set(attempt, stage)
    taken.add(stage)
  }
  // A request that may have arrived counts before one that is known to have done nothing.
  const creations = asked.filter(({ effect }) => effect === 'creates')
  for (const each of [...creations.filter(mayHaveArrived), ...creations]) {
    if (!found.has(each)) assign(each, ({ stage }) => !mayRepeat(stage))
  }
  const changes = asked.filter(({ effect }) => effect === 'changes')
  for (const each of changes) {
    const own = each.end?.serialNumber
    if (own !== undefined) assign(each, ({ serialNumber }) => serialNumber === own)
  }
  for (const each of changes) {
    if (!found.has(each)) assign(each, stage => mayBe(each, stage))
  }
  return asked.map(attempt => ({ attempt, stage: found.get(attempt) }))
}

/** Whether a stage can be that of a change which is not known to have made it. */
function mayBe({ amount, end, baseline }: KnownAttempt, stage: KnownStage): boolean {
  if (hasFailedBefore(stage, baseline)) return false
  // A stage that an order has only once is that one, by whatever number it was asked about.
  if (mayRepeat(stage.stage) && end?.serialNumber !== undefined && stage.serialNumber !== undefined) return false
  return isAsMuch(stage, { amount })
}

/** Whether two amounts may be the same: what is not known may be. */
export const isAsMuch = (
  { amount: one }: Pick<KnownStage, 'amount'>,
  other: { readonly amount?: string | undefined },
): boolean => one === undefined || other.amount === undefined || sameAmount(one, other.amount)

/** Whether a stage is the one that status showed before a change was asked for, and that had failed by then. A number tells by itself. */
const hasFailedBefore = (stage: KnownStage, before: KnownAttempt['baseline']): boolean =>
  hasEnded(stage) &&
  stage.outcome !== 'approved' &&
  stage.serialNumber === undefined &&
  before?.stage === stage.stage &&
  before.status === stage.status &&
  before.amount === stage.amount

/** The word of status about a serial number. */
export interface SaidByNumber {
  readonly serialNumber: string
  readonly stage: StageName | undefined
  readonly outcome: FinalOutcome | undefined
  readonly amount: string | undefined
}

/**
 * The order, with the serial number of each change at the stage that belongs to it, where status showed that before the number was
 * known. Two kinds get none until status was asked by that number, since they may be somebody else's: one that may have moved money,
 * and has a code of the acquirer; and one that failed.
 *
 * @param said Its reply to a question by a number. One that does not repeat the number counts as well: there are gateways that never do so.
 * @returns The very order where every number is there.
 */
export function numbered(order: KnownOrder, said: SaidByNumber | undefined): KnownOrder {
  const numbers = new Map<KnownStage, string>()
  for (const { attempt, stage } of shownAttempts(order)) {
    const { effect, end } = attempt
    if (effect !== 'changes' || end?.serialNumber === undefined) continue
    if (stage === undefined || stage.serialNumber !== undefined || isCoded(stage)) continue
    // It ended in two ways before: another one's word was among them, perhaps.
    if (stage.corrections.length > 0 && mayRepeat(stage.stage)) continue
    const isSaid =
      end.serialNumber === said?.serialNumber &&
      stage.stage === said.stage &&
      stage.outcome === said.outcome &&
      isAsMuch(stage, said)
    if (!hasFailedOnce(stage) || isSaid) numbers.set(stage, end.serialNumber)
  }
  if (numbers.size === 0) return order
  const withNumber = (stage: KnownStage): KnownStage => {
    const serialNumber = numbers.get(stage)
    return serialNumber === undefined ? stage : { ...stage, serialNumber }
  }
  return { ...order, stages: order.stages.map(withNumber) }
}

/** Whether a stage may have moved money, and has a code by which that movement is told apart. */
const isCoded = ({ processorRrn, approvalCode, outcome }: KnownStage): boolean =>
  (outcome === undefined || outcome === 'approved') && (processorRrn !== undefined || approvalCode !== undefined)

/**
 * Whether it is not told which change a stage without a serial number is: it may be that of one that has a number, and is asked for by
 * it, or of several.
 */
export function isUnclear(order: KnownOrder, stage: KnownStage): boolean {
  if (!mayRepeat(stage.stage) || stage.serialNumber !== undefined) return false
  const may = shownAttempts(order).filter(
    each =>
      each.attempt.effect === 'changes' &&
      each.stage === undefined &&
      each.attempt.stages.includes(stage.stage) &&
      mayBe(each.attempt, stage),
  )
  // A void operation has no part: whoever sent it, the hold is released, once.
  const isNumbered = stage.stage !== 'void' && may.some(({ attempt }) => attempt.end?.serialNumber !== undefined)
  return may.length > 1 || isNumbered || (may.length > 0 && hasEqual(order, stage))
}

/** Whether an equal stage was shown before: something may have repeated its request. */
const hasEqual = ({ stages }: KnownOrder, { stage, amount }: KnownStage): boolean =>
  stages.some(each => each.stage === stage && isAsMuch(each, { amount }))

/**
 * Stages that a reply without a serial number is surely not about: they have one, are over, and were over another amount. None, unless
 * there is one change that the reply can be about, whose own number was lost with its answer.
 */
export function otherStages(
  order: KnownOrder,
  said: { readonly stage: StageName; readonly amount: string | undefined },
): readonly KnownStage[] {
  const { stage: name, amount } = said
  if (amount === undefined || !mayRepeat(name)) return []
  const lost = shownAttempts(order).filter(
    ({ attempt, stage }) =>
      attempt.effect === 'changes' &&
      stage === undefined &&
      attempt.end?.serialNumber === undefined &&
      attempt.stages.includes(name) &&
      attempt.amount !== undefined &&
      sameAmount(attempt.amount, amount),
  )
  if (lost.length !== 1) return []
  return order.stages.filter(
    each =>
      each.stage === name &&
      each.serialNumber !== undefined &&
      each.outcome !== undefined &&
      each.amount !== undefined &&
      !sameAmount(each.amount, amount),
  )
}

/** The request that a stage of an order came from; undefined where the document has none that it can be from. */
export const attemptBehind = (
  order: KnownOrder,
  stage: KnownStage,
  shown = shownAttempts(order),
): KnownAttempt | undefined => shown.find(each => each.stage === stage)?.attempt

/** Says which stages and which money are waited for of a request. A change of the whole names no amount: then none is compared. */
export function expectationOf({ effect, stages, amount, currency, end }: KnownAttempt): SettleInput['expected'] {
  const serialNumber = effect === 'changes' ? end?.serialNumber : undefined
  return {
    stages,
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(amount === undefined || currency === undefined ? {} : { amount, currency: currency.trim() }),
  }
}

/** Finds the attempt that made an order: of several tries the one that may have arrived. */
export const creationOf = (order: KnownOrder, shown = shownAttempts(order)): ShownAttempt | undefined => {
  const creations = shown.filter(({ attempt }) => attempt.effect === 'creates')
  return (
    creations.find(({ stage }) => stage !== undefined) ?? creations.findLast(({ attempt }) => mayHaveArrived(attempt))
  )
}

/**
 * The request that made an order, and a change of it that has ended, where status does not show how that request ended: by then it shows
 * the change alone. A change that failed says nothing of a request that was seen under way.
 */
export function shownBeyond(
  order: KnownOrder,
  shown = shownAttempts(order),
): { readonly attempt: KnownAttempt; readonly later: KnownStage } | undefined {
  const { attempt, stage } = creationOf(order, shown) ?? {}
  if (attempt === undefined || !mayHaveArrived(attempt) || hasEnded(stage)) return undefined
  const later = order.stages.find(
    each => mayRepeat(each.stage) && hasEnded(each) && (stage === undefined || each.outcome === 'approved'),
  )
  return later === undefined ? undefined : { attempt, later }
}

/** A change that status has shown. */
interface ShownChange {
  readonly stage: KnownStage
  /** It is asked about by this number. Absent: nobody knows one. */
  readonly serialNumber: string | undefined
  /** Whether the store has its request. */
  readonly isOurs: boolean
}

/**
 * The changes of an order that status has shown: ours in the order of their requests, and then the others. A stage has a number from a
 * person, where a restored store lacks the request, or the gateway gave that none.
 */
function shownChanges(order: KnownOrder, shown: readonly ShownAttempt[]): readonly ShownChange[] {
  const ours = shown.flatMap(({ attempt: { effect, end }, stage }) =>
    effect !== 'changes' || stage === undefined
      ? []
      : [{ stage, serialNumber: stage.serialNumber ?? end?.serialNumber, isOurs: true }],
  )
  const others = order.stages
    .filter(each => mayRepeat(each.stage) && attemptBehind(order, each, shown) === undefined)
    .map(stage => ({ stage, serialNumber: stage.serialNumber, isOurs: false }))
  return [...ours, ...others]
}

/** Status is asked once more about this many changes that failed, the latest ones: did they fail? */
const mostDoubted = 3

/**
 * The serial numbers that status is to be asked about, and at last undefined: the question about the latest request. They are of changes
 * whose end it has not shown, and of the latest that failed or were corrected: the gateway may have corrected that since. The request
 * that made the order is asked about too, where status has shown what came after it and not its end, or its failure, and then an approved
 * change.
 */
export function questionsAbout(order: KnownOrder): readonly (string | undefined)[] {
  const shown = shownAttempts(order)
  const failed = shownChanges(order, shown)
    .filter(({ stage }) => stage.outcome !== undefined && !isApprovedOnce(stage))
    .flatMap(({ serialNumber }) => serialNumber ?? [])
  const made = creationOf(order, shown)
  const others = order.stages.filter(each => each !== made?.stage)
  // A failure that came before an approved change was taken back.
  const isTakenBack = ({ outcome, corrections }: KnownStage): boolean =>
    outcome !== 'approved' && corrections.length === 0 && others.some(each => each.outcome === 'approved')
  const isOvertaken = made?.stage?.outcome === undefined ? others.length > 0 : isTakenBack(made.stage)
  const numbersOf = (some: readonly ShownAttempt[]) => some.flatMap(({ attempt }) => attempt.end?.serialNumber ?? [])
  return [
    ...new Set([
      ...numbersOf(made !== undefined && isOvertaken ? [made] : []),
      ...failed.slice(-mostDoubted),
      ...numbersOf(openChanges(shown)),
    ]),
    undefined,
  ]
}

/** The changes whose end status has not shown, or has shown without the number that they have. */
const openChanges = (shown: readonly ShownAttempt[]): readonly ShownAttempt[] =>
  shown.filter(each => each.attempt.effect === 'changes' && (!hasShownEnd(each) || isGuessed(each.attempt, each.stage)))

/** Whether a reply about a stage of this name can be about a change that was asked for, and that status has not shown yet. */
export const isAwaitedChange = (order: KnownOrder, name: StageName): boolean =>
  openChanges(shownAttempts(order)).some(({ attempt }) => attempt.stages.includes(name))

/** Whether a change has a number, and the stage that fits it none: that may be another movement of money. */
const isGuessed = ({ end }: KnownAttempt, stage: KnownStage | undefined): boolean =>
  end?.serialNumber !== undefined &&
  stage !== undefined &&
  stage.serialNumber === undefined &&
  mayRepeat(stage.stage) &&
  isCoded(stage)

/**
 * The serial numbers that status is to be asked about as well, by what it said of the latest request: that of our latest change of this
 * kind, and of the latest whose request the store lacks. None, where ours had failed or was corrected: the word is about that. A change
 * that was approved is not asked about again, and one that ended without money is none that is known: the gateway has taken back its word,
 * or somebody else tried.
 */
export function questionsRaisedBy(
  reply: StatusResponse,
  { order, profile }: { readonly order: KnownOrder; readonly profile: WireProfile },
): readonly string[] {
  const name = stageOf(reply, profile)
  const outcome = finalOutcome(reply.status, profile)
  if (outcome === undefined || outcome === 'approved') return []
  const ofKind = shownChanges(order, shownAttempts(order)).filter(({ stage }) => stage.stage === name)
  const ours = ofKind.findLast(({ isOurs }) => isOurs)
  if (ours !== undefined && !isApprovedOnce(ours.stage)) return []
  return [ours, ofKind.findLast(({ isOurs }) => !isOurs)].flatMap(each =>
    each !== undefined && isApprovedOnce(each.stage) ? (each.serialNumber ?? []) : [],
  )
}

/** Whether a stage was approved, and the gateway has said nothing else of it. */
const isApprovedOnce = ({ outcome, corrections }: KnownStage): boolean =>
  outcome === 'approved' && corrections.length === 0

/** Whether something that was asked for has not come to an end that status has shown. */
export const isAwaited = (order: KnownOrder): boolean =>
  shownAttempts(order).some(each => mayHaveArrived(each.attempt) && !hasShownEnd(each))

/**
 * Whether status has shown how a request ended. A failure that was seen before the number of its request was known may be that of another
 * one, which somebody tried at the gateway: status is asked once more.
 */
export function hasShownEnd({ attempt, stage }: ShownAttempt): boolean {
  if (stage?.outcome === undefined) return false
  const isDoubted = attempt.effect === 'changes' && hasFailedOnce(stage)
  return !isDoubted || stage.serialNumber !== undefined || attempt.end?.serialNumber === undefined
}

/** Whether a stage that may happen again has failed, by its first word. */
const hasFailedOnce = ({ stage, outcome }: KnownStage): boolean =>
  mayRepeat(stage) && outcome !== undefined && outcome !== 'approved'

/** Whether status has shown the end of a stage. */
export const hasEnded = (stage: KnownStage | undefined): boolean => stage?.outcome !== undefined
