/** The rules that every world of changes must keep. */
import { defaultProfile } from '@tillkit/protocol'
import { type Ended, requestIn } from '../../../../packages/till/src/engine/run.js'
import type { ChangeResult } from '../../../../packages/till/src/intents/change.js'
import { unshownOf } from '../../../../packages/till/src/rules/orders/open-callbacks.js'
import { paymentOf } from '../../../../packages/till/src/rules/pay/payment.js'
import { mayHaveArrived } from '../../../../packages/till/src/state/attempt-rules.js'
import type { KnownAttempt, KnownOrder } from '../../../../packages/till/src/state/known.js'
import { latestOutcome } from '../../../../packages/till/src/state/late-approval.js'
import { partKeyIn } from '../../../../packages/till/src/store/keys.js'
import { type Broken, breaks, endless } from '../walk/rules.js'
import { changed, changes, orderIds, orderOf, paid, type Wish } from './gateway.js'
import { attemptsOf, mayArrive, type Process, type World, wishIn } from './world.js'

/** No run hears of more events than that. */
const mostSteps = 24

/** Names the rule that a world breaks; undefined: none. */
export function brokenIn(world: World): Broken | undefined {
  const { books, known, processes, wrong } = world
  if (wrong !== undefined) return wrong
  const given = books.filter(({ state }) => state !== 'declined')
  const asked = given.filter(({ wish }) => wish !== 'hand')
  const twice = asked.find((each, at) => asked.findIndex(({ wish }) => wish === each.wish) < at)
  if (twice !== undefined) return breaks('sent once', `${twice.wish} is ${done[changes[twice.wish].name]} twice`)
  for (const order of Object.keys(orderIds)) {
    const own = books.filter(({ wish }) => orderOf(wish) === order)
    for (const name of ['return', 'capture'] as const) {
      const sum = changed(own, name)
      if (sum > paid) return breaks('no more than there is', `${sum / 100} of ${paid / 100} is ${done[name]}`)
    }
  }
  const released = given.findIndex(({ wish }) => wish === 'void')
  if (released >= 0 && given.slice(released + 1).some(({ wish }) => changes[wish].name === 'capture'))
    return breaks('no more than there is', 'money is captured that was released before')
  if (released >= 0 && changed(given.slice(0, released), 'capture') === paid)
    return breaks('no more than there is', 'nothing is held that is released')
  const lie = attemptsOf(known.document).find(
    ({ reservation, end }) =>
      end !== undefined && didNothing.has(end.kind) && mayArrive(world, each => each === reservation),
  )
  if (lie !== undefined)
    return breaks('nothing means nothing', `it is kept that ${lie.reservation} did nothing, and it may arrive`)
  if (processes.some(each => each !== undefined && each.steps > mostSteps)) return endless
  return wrongTotals(world) ?? overlooked(world)
}

/**
 * Once the latest callback about each change was taken, and nothing is on its way, totals that are certain are those of the books, and so is what
 * the merchant was told of, unless a person is asked.
 */
function wrongTotals({ books, known, processes, wire, lateWrites, called, handWish, now }: World): Broken | undefined {
  const isQuiet = processes.every(each => each === undefined) && wire.length + lateWrites.length === 0
  const isHeard = books.every(({ wish }, nth) => wish !== 'hand' || called.includes(nth))
  if (handWish !== 'hand' || !isQuiet || !isHeard) return undefined
  const when = { reference: 'basket-7', at: now, profile: defaultProfile }
  const { state, totals, underWay } = paymentOf(known.document, when)
  const given = changed(books, 'return')
  if (underWay.length > 0) return undefined
  if (totals !== undefined && Math.round(Number(totals.returned) * 100) !== given)
    return breaks('totals are true', `totals say that ${totals.returned} went back, and the books say ${given / 100}`)
  const told = returnedIn(known.document)
  // A change of the merchant's own has a callback of its own, which is not one of this world.
  const isOwn = books.some(({ wish }) => wish !== 'hand')
  const isOpen = known.document?.orders.some(order => isLookedUp(order, known.document)) === true
  return isOwn || isOpen || state === 'disputed' || told === given
    ? undefined
    : breaks('totals are true', `${told / 100} went back as the merchant hears, and the books say ${given / 100}`)
}

/** The sum of what was given back, as far as the merchant hears of it, in minor units. */
const returnedIn = (document: World['known']['document']): number =>
  (document?.orders ?? [])
    .flatMap(({ stages }) => stages)
    .filter(each => each.stage === 'reversal' && latestOutcome(each, defaultProfile) === 'approved')
    .reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)

/** Whether a callback about an order is open, or a person is asked what status did not show. */
const isLookedUp = (order: KnownOrder, document: World['known']['document']): boolean =>
  order.callbackAt !== undefined || unshownOf(order, document ?? {}, defaultProfile).length > 0

/**
 * Once its callback was taken, what somebody gave back at the gateway is known, or looked up.
 * A stage with the serial number of a request is the till's own.
 */
function overlooked({ books, known: { document }, called, isNumbered }: World): Broken | undefined {
  const [order] = document?.orders ?? []
  if (order === undefined || !isNumbered || isLookedUp(order, document)) return undefined
  const heard = books.filter(({ wish, state }, nth) => wish === 'hand' && state === 'approved' && called.includes(nth))
  const own = new Set(order.attempts.flatMap(({ end }) => end?.serialNumber ?? []))
  const known = order.stages.filter(each => each.stage === 'reversal' && !own.has(each.serialNumber ?? ''))
  return known.length < heard.length
    ? breaks('all is told', `${heard.length} parts were given back at the gateway, and ${known.length} are known`)
    : undefined
}

const done = { return: 'given back', capture: 'captured', void: 'released' } as const

const didNothing: ReadonlySet<string> = new Set(['refused', 'not-sent', 'no-trace'])

/** Names the end of a run. */
export function endOf(ended: Ended<ChangeResult>): string {
  if (ended.kind === 'failed') return 'failed'
  const { result } = ended
  switch (result.kind) {
    case 'ended':
      return result.end.kind
    case 'again':
      return result.isAccepted ? 'again, accepted' : 'again, not known'
    case 'refused':
      return `may not: ${result.step.kind}`
    case 'not-reserved':
      return `not reserved: ${result.why.kind}`
    default:
      return result.kind
  }
}

/** Names the rule that the end of a run breaks, as its caller hears it; undefined: none. */
export function wrongEnd(world: World, { run, wish }: Process, ended: Ended<ChangeResult>): Broken | undefined {
  const said = `${run.id} says "${endOf(ended)}"`
  const isThere = mayArrive(world, request => request.startsWith(`${run.id}/`))
  if (ended.kind === 'failed') return isThere ? mayStillArrive(said) : undefined
  const { result, unwritten } = ended
  if (result.kind !== 'ended') {
    if (isThere) return mayStillArrive(said)
    return result.kind === 'again' ? wrongAgain(world.books, { wish, ended, said }) : undefined
  }
  const { kind } = result.end
  if (didNothing.has(kind)) return isThere ? mayStillArrive(said) : undefined
  if (kind !== 'accepted') return undefined
  const isBooked = world.books.some(({ request }) => request === run.heard.request)
  if (!isBooked) return breaks('heard is true', `${said}, and it never arrived`)
  const isKept = requestIn(world.known, run.heard.request ?? '')?.end?.kind === 'accepted'
  return isKept || unwritten !== undefined ? undefined : breaks('heard is true', `${said}, and that is not kept`)
}

/** A caller hears that nothing was done, and the request may arrive. */
export const mayStillArrive = (said: string): Broken =>
  breaks('nothing means nothing', `${said}, and its request may arrive`)

interface Said {
  readonly wish: Wish | undefined
  readonly ended: Extract<Ended<ChangeResult>, { kind: 'done' }>
  readonly said: string
}

/** It was sent before only if the run knows of a request of that wish that may have arrived; and the gateway took it only if it has it. */
function wrongAgain(books: World['books'], { wish, ended: { known, result }, said }: Said): Broken | undefined {
  const same = attemptsOf(known.document).filter(
    each => each.effect === 'changes' && wish !== undefined && isOf(each, wish),
  )
  if (!same.some(mayHaveArrived)) return breaks('heard is true', `${said}, and no such request may have arrived`)
  const isTaken = books.some(each => each.wish === wish)
  const isAccepted = result.kind === 'again' && result.isAccepted
  return isAccepted && !isTaken ? breaks('heard is true', `${said}, and the gateway has none`) : undefined
}

/** Whether a request is for that wish. */
function isOf({ operation, attemptId, clientOrderId }: KnownAttempt, wish: Wish): boolean {
  const { name, ...rest } = changes[wish]
  if (clientOrderId !== orderOf(wish)) return false
  return operation === name && partKeyIn(attemptId) === ('part' in rest ? rest.part.key : undefined)
}

/** Names the rule that a request breaks as its first byte leaves; undefined: none. */
export function wrongRequest(world: World, process: Process, attempt: KnownAttempt): Broken | undefined {
  const { now, known } = world
  const { run, sent, isAlone } = process
  const wish = wishIn(process)
  const { reservation, sendBy, amount } = attempt
  if (requestIn(known, reservation) === undefined)
    return breaks('kept before it leaves', `${reservation} leaves, and is not kept`)
  if (now >= sendBy) return breaks('in its time', `${reservation} leaves too late`)
  if (sent > 1) return breaks('sent once', `${run.id} sends ${sent} requests`)
  if (isAlone === true)
    return breaks('no request after a no', `${reservation} leaves, and its caller was told that nothing is sent`)
  const isPart = wish !== undefined && 'part' in changes[wish]
  return isPart && amount !== '3.00'
    ? breaks('sent once', `${reservation} is over ${amount} in place of 3.00`)
    : undefined
}
