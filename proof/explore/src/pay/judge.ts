/** The rules that every world of a payment must keep. */

import { type Ended, requestIn } from '../../../../packages/till/src/engine/run.js'
import type { Decided } from '../../../../packages/till/src/intents/decide.js'
import type { PayResult } from '../../../../packages/till/src/intents/pay.js'
import type { Question } from '../../../../packages/till/src/rules/answer.js'
import { isSameMatter } from '../../../../packages/till/src/state/decision.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import type { KnownAttempt, KnownOrder } from '../../../../packages/till/src/state/known.js'
import { orderIdFor, orderPlace } from '../../../../packages/till/src/store/keys.js'
import { hasUntold } from '../walk/handlers.js'
import { type Broken, breaks, endless } from '../walk/rules.js'
import { addressOf, isPaid, isPayable } from './gateway.js'
import { attemptsOf, type Cast, mostOrders, type Process, reference, type World } from './world.js'

/** No run hears of more events than that. */
const mostSteps = 60

/** Names the rule that a world breaks; undefined: none. */
export function brokenIn(world: World): Broken | undefined {
  const { known, processes, wrong } = world
  if (wrong !== undefined) return wrong
  const both = chargeable(world)
  if (both.length > 1) return breaks('one charge', `customers may pay, or have paid, ${both.join(' and ')}`)
  const lie = attemptsOf(known.document).find(
    ({ reservation, end }) => end !== undefined && didNothing.has(end.kind) && mayArrive(world, reservation),
  )
  if (lie !== undefined)
    return breaks('nothing means nothing', `it is kept that ${lie.reservation} did nothing, and it may arrive`)
  return processes.some(each => each !== undefined && each.steps > mostSteps) ? endless : undefined
}

const didNothing: ReadonlySet<string> = new Set(['refused', 'not-sent', 'no-trace'])

const mayArrive = ({ books, wire }: World, request: string): boolean =>
  [...books, ...wire].some(each => each.request === request)

/**
 * The orders that charge a customer, or still can: one who was given the address. An order that the store says was replaced does not count where
 * the merchant allows another form beside it, or did. Nor does one that a person gave up, or that was declined when the next one was opened,
 * and approved after all.
 */
function chargeable({ books, given, known, mayReplace, hasChanged, now }: World): readonly string[] {
  const replaced = mayReplace || hasChanged ? replacedIn(known.document) : givenUpIn(known.document)
  return books
    .filter(each => given.includes(addressOf(each)) && (isPayable(each, now) || each.state === 'approved'))
    .filter(({ clientOrderId }) => !replaced.includes(clientOrderId))
    .map(({ orderId, clientOrderId }) => `form ${orderId} of ${clientOrderId}`)
}

type Left = NonNullable<KnownOrder['left']>

const leftIn = (document: PaymentDocument | undefined, ...because: readonly Left[]): readonly (string | undefined)[] =>
  (document?.orders ?? []).flatMap(({ left, clientOrderId }) =>
    left !== undefined && because.includes(left) ? [clientOrderId] : [],
  )

const givenUpIn = (document: PaymentDocument | undefined) => leftIn(document, 'by-person')

/** The orders that the payment went on without although their forms are open. */
export const replacedIn = (document: PaymentDocument | undefined): readonly (string | undefined)[] =>
  leftIn(document, 'replaced', 'by-person')

/** Results that say that nothing of this run was done, or will be. */
export const saysNothing: ReadonlySet<PayResult['kind']> = new Set([
  'not-opened',
  'not-reserved',
  'paused',
  'refused',
  'elsewhere',
])

/** Names the rule that the end of a run breaks, as its caller hears it; undefined: none. */
export function wrongEnd(world: World, { run, about }: Process, ended: Ended<PayResult>): Broken | undefined {
  const { books, wire, known } = world
  const isThere = [...books, ...wire].some(({ request }) => request.startsWith(`${run.id}/`))
  if (ended.kind === 'failed')
    return isThere ? breaks('nothing means nothing', `${run.id} says that nothing was sent`) : undefined
  const { result, unwritten } = ended
  const saysSo = saysNothing.has(result.kind) && !('isLate' in result && result.isLate)
  if (saysSo && isThere)
    return breaks('nothing means nothing', `${run.id} says ${result.kind}, and its request may arrive`)
  if (result.kind === 'over' && !books.some(isPaid))
    return breaks('heard is true', `${run.id} says over, and nothing was paid`)
  if (result.kind !== 'go' || unwritten !== undefined) return undefined
  const { formUrl } = result
  const isKept = attemptsOf(known.document).some(({ end }) => end?.redirectUrl === formUrl)
  if (formUrl === undefined || !isKept) return breaks('heard is true', `${run.id} gives an address that is not durable`)
  const isSame = books.some(each => addressOf(each) === formUrl && each.amount === about)
  return isSame ? undefined : breaks('heard is true', `${run.id} leads to a form over another amount`)
}

/** Names the rule that the end of a decision breaks, as the person hears it; undefined: none. */
export function wrongDecision({ known }: World, ended: Ended<Decided>): Broken | undefined {
  if (ended.kind === 'failed' || ended.unwritten !== undefined || ended.result.verdict.kind !== 'done') return undefined
  const { matter } = ended.result.verdict.decision
  const isKept = known.document?.decisions?.some(each => isSameMatter(each.matter, matter)) === true
  return isKept
    ? undefined
    : breaks('decision is kept', `a person hears that it is done, and the word "${matter.kind}" is not kept`)
}

/** Names the rule that a request breaks as its first byte leaves; undefined: none. */
export function wrongRequest(
  world: World,
  process: Process,
  { attempt, accounts }: { readonly attempt: KnownAttempt | undefined; readonly accounts: readonly string[] },
): Broken | undefined {
  const { now, known } = world
  const { run, sent, isAlone, mayKnowPause, wasPaid, begun } = process
  if (attempt === undefined || requestIn(known, attempt.reservation) === undefined)
    return breaks('kept before it leaves', `${run.id} sends what is not durable`)
  const { reservation, sendBy, clientOrderId = '' } = attempt
  if (now >= sendBy) return breaks('in its time', `${reservation} leaves too late`)
  if (sent > 1) return breaks('sent once', `${run.id} sends ${sent} requests`)
  if (isAlone === true) return breaks('no request after a no', `${run.id} sends what its caller was told is not sent`)
  if (mayKnowPause === true)
    return breaks('not after a stop', `${reservation} leaves although new money was stopped before that was looked up`)
  if (wasPaid)
    return breaks('not beside money', `${reservation} leaves although the gateway had the money when it was asked for`)
  const taken = replacedIn(run.known.document).find(each => begun.some(id => id === each))
  if (taken !== undefined)
    return breaks('not beside money', `${reservation} leaves beside ${taken}, whose customer had given a card`)
  const unasked = world.isRestored ? unaskedBy(process, clientOrderId, accounts) : undefined
  return unasked === undefined
    ? undefined
    : breaks(
        'asked after a restore',
        `${reservation} leaves for ${clientOrderId}, and nobody has asked for ${unasked} since the restore`,
      )
}

/** An order that the store may have lost, and that this run has not asked about. */
function unaskedBy(
  { run }: Pick<Process, 'run'>,
  clientOrderId: string,
  accounts: readonly string[],
): string | undefined {
  const ids = Array.from({ length: mostOrders }, (_, nth) => orderIdFor({ reference, attempt: nth + 1 }))
  const known = (run.known.document?.orders ?? []).map(each => each.clientOrderId)
  return ids.find(
    id =>
      accounts.some(login => !isAsked(run, { login, clientOrderId: id })) &&
      (id === clientOrderId || !known.includes(id)),
  )
}

const isAsked = ({ heard }: Process['run'], about: Pick<Question, 'login' | 'clientOrderId'>): boolean =>
  heard.answers.some(({ question }) => question.login === about.login && question.clientOrderId === about.clientOrderId)

/** Names the look in the background that has not looked for all later orders since the store was restored; undefined: none. */
export function wrongLook(
  { isRestored }: Pick<World, 'isRestored'>,
  { run, about }: Process,
  accounts: readonly string[],
): Broken | undefined {
  const last = run.known.document?.orders.at(-1)?.clientOrderId
  const isAnswered = run.heard.answers.every(({ kind }) => kind === 'reply' || kind === 'never-seen')
  if (!isRestored || last === undefined || last !== about || !isAnswered) return undefined
  const later = Array.from({ length: mostOrders }, (_, nth) => orderIdFor({ reference, attempt: nth + 1 })).filter(
    id => orderPlace(id).attempt > orderPlace(last).attempt,
  )
  const unasked = later.find(id => !accounts.every(login => isAsked(run, { login, clientOrderId: id })))
  return unasked === undefined
    ? undefined
    : breaks('asked after a restore', `${run.id} ends, and nobody has asked for ${unasked} since the restore`)
}

/** Whether a run has tried to tell, or has waited for somebody else who tells. */
const hasTried = ({ run: { heard } }: Process): boolean => heard.deliveries.length > 0 || heard.waited > 0

/** Names the run that sends a request before it tells what status said to it; undefined: it does not. */
export function untoldBefore(process: Process, { tells }: Pick<Cast, 'tells'>): Broken | undefined {
  const { run } = process
  const isLeft = run.heard.answers.length > 0 && hasUntold(run.known.document) && !hasTried(process)
  return tells !== undefined && isLeft
    ? breaks('all is told', `${run.id} sends something before it tells what it has learnt`)
    : undefined
}

/** Names the run that has learnt something, sent nothing, and ends without telling it; undefined: it does not. */
export function untoldBy(
  process: Process,
  ended: Ended<PayResult>,
  { tells }: Pick<Cast, 'tells'>,
): Broken | undefined {
  const { run } = process
  if (tells === undefined || ended.kind === 'failed' || run.heard.request !== undefined) return undefined
  const isLeft = run.heard.answers.length > 0 && hasUntold(ended.known.document) && !hasTried(process)
  return isLeft ? breaks('all is told', `${run.id} ends, and has told nobody what it has learnt`) : undefined
}

/**
 * Names the rule that a question breaks; undefined: none. Every account is asked about an order of which nothing is kept, and once the store
 * was restored about one that status has not shown.
 */
export function wrongQuestion(
  { isRestored }: Pick<World, 'isRestored'>,
  { run }: Process,
  { clientOrderId, login }: Question,
): Broken | undefined {
  const own = (run.known.document?.orders ?? []).filter(each => each.clientOrderId === clientOrderId)
  const isLookedFor = isRestored && own.every(({ stages }) => stages.length === 0)
  if (own.length === 0 || isLookedFor || own.some(each => each.login === login)) return undefined
  return breaks(
    'asked where it is',
    `${run.id} asks ${login} about ${clientOrderId}, which is an order of ${own.map(each => each.login).join()}`,
  )
}
