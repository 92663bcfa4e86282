/** The rules that every world of follow-ups must keep, besides those of changes. */

import type { Ended } from '../../../../packages/till/src/engine/run.js'
import type { ChangeResult } from '../../../../packages/till/src/intents/change.js'
import type { FollowUpResult } from '../../../../packages/till/src/intents/follow-up.js'
import type { KnownAttempt } from '../../../../packages/till/src/state/known.js'
import { changed, changes, orderOf, paid, type Wish } from '../change/gateway.js'
import { endOf, mayStillArrive, wrongEnd } from '../change/judge.js'
import { mayArrive, owed, type Process, type World, wishIn } from '../change/world.js'
import { type Broken, breaks } from '../walk/rules.js'

/** The end of the change that a run carried out; undefined: it tried none. */
function changeEnd(ended: Ended<FollowUpResult>): Ended<ChangeResult> | undefined {
  if (ended.kind === 'failed') return ended
  const { came } = ended.result
  return came === undefined || came.kind === 'surplus' ? undefined : { ...ended, result: came }
}

/** Names the end of a run that carries a follow-up out. */
export function carriedEnd(ended: Ended<FollowUpResult>): string {
  if (ended.kind === 'failed') return 'failed'
  const { kind, came } = ended.result
  const end = changeEnd(ended)
  if (end !== undefined) return `${kind}: ${endOf(end)}`
  return came?.kind === 'surplus' ? `${kind}: surplus ${came.step}` : `${kind}: nothing`
}

/** Names the rule that a follow-up's run breaks by its end, as its caller hears it; undefined: none. */
export function wrongCarried(world: World, process: Process, ended: Ended<FollowUpResult>): Broken | undefined {
  const end = changeEnd(ended)
  const wish = wishIn(process)
  if (end !== undefined) return wrongEnd(world, wish === undefined ? process : { ...process, wish }, end)
  const isThere = mayArrive(world, request => request.startsWith(`${process.run.id}/`))
  return isThere ? mayStillArrive(`${process.run.id} says "${carriedEnd(ended)}"`) : undefined
}

/** Names the rule that a process breaks by the permission to send that it writes down; undefined: none. Follow-ups are carried out in their order. */
export function wrongPermission({ known }: World, process: Process): Broken | undefined {
  if (process.carries !== true || process.run.gate?.kind !== 'request') return undefined
  const wish = wishIn(process)
  const [next = 'nothing'] = owed(known.document)
  return wish === next
    ? undefined
    : breaks('follow-ups', `${process.run.id} may carry ${wish} out, and ${next} is next`)
}

/** Names the rule that a follow-up's request breaks as its first byte leaves; undefined: none. */
export function wrongFollowUp(world: World, process: Process, { reservation }: KnownAttempt): Broken | undefined {
  if (process.carries !== true) return undefined
  const { books, wire } = world
  const wish = wishIn(process)
  // It is sent once, even if it fails.
  if ([...books, ...wire].some(each => each.wish === wish))
    return breaks('follow-ups', `${reservation} leaves, and ${wish} was sent before`)
  if (wish !== 'surplus') return undefined
  if (process.isAfterHand === true)
    return breaks('one order stays', `${reservation} leaves, and the other order was given back by hand`)
  return otherMayGo(world, reservation)
    ? breaks('one order stays', `${reservation} leaves, and the other order may be on its way back`)
    : undefined
}

/** Whether a return of the other order that was written down before a request may arrive, or has, and did not fail. */
function otherMayGo(world: World, reservation: string): boolean {
  const before = requestsBefore(world, reservation, 'other')
  const { books, wire, processes } = world
  return (
    books.some(({ request, state }) => before.includes(request) && state !== 'declined') ||
    wire.some(({ request }) => before.includes(request)) ||
    processes.some(
      each => each?.run.doing.kind === 'request' && each.hasSent !== true && before.includes(each.run.doing.request),
    )
  )
}

/** The returns of an order that were written down before a request, in the order of the facts. */
function requestsBefore({ known }: World, reservation: string, wish: Wish): readonly string[] {
  const requested = (known.document?.facts ?? []).flatMap(fact => (fact.kind === 'requested' ? [fact.attempt] : []))
  const at = requested.findIndex(each => each.reservation === reservation)
  return requested
    .slice(0, at)
    .filter(each => each.effect === 'changes' && each.clientOrderId === orderOf(wish))
    .map(each => each.reservation)
}

/** Names the rule that the list breaks, or the follow-ups that were carried out; undefined: none. */
export function wrongList(world: World): Broken | undefined {
  const { followUps, known, books } = world
  if (followUps.length === 0) return undefined
  const left = owed(known.document)
  const gone = followUps.find(each => !left.includes(each) && !mayBeGone(world, each))
  if (gone !== undefined) return breaks('follow-ups', `${gone} is struck, and the gateway has not taken it`)
  const given = books.filter(({ state }) => state !== 'declined')
  const surplus = given.find(({ wish }) => wish === 'surplus')
  const other = given.find(({ wish }) => wish === 'other')
  if (surplus === undefined || other === undefined) return undefined
  return requestsBefore(world, surplus.request, 'other').includes(other.request)
    ? breaks('one order stays', 'both orders are given back, and the other one was first')
    : undefined
}

/** Names the rule that is broken if a surplus order counts as kept while its request may still arrive; undefined: none. */
export function wrongKept({ followUps, known, wire, books, processes }: World): Broken | undefined {
  const isStruck = followUps.includes('surplus') && !owed(known.document).includes('surplus')
  if (!isStruck || books.some(({ wish }) => wish === 'surplus')) return undefined
  const leaves = processes.some(
    each => each !== undefined && wishIn(each) === 'surplus' && each.run.doing.kind === 'request',
  )
  return leaves || wire.some(({ wish }) => wish === 'surplus')
    ? breaks('follow-ups', 'surplus is struck as kept, and its request is on its way')
    : undefined
}

/** A follow-up goes once the gateway has taken it; a surplus order is kept where the other one was given back. */
const mayBeGone = ({ books }: World, followUp: Wish): boolean =>
  books.some(
    ({ wish, state }) => wish === followUp || (followUp === 'surplus' && wish === 'other' && state === 'approved'),
  )

/** Whether nothing more can come of the list: it is empty, or the gateway has no money left for what is next. */
export function isCarriedOut({ known, books }: World): boolean {
  const [next] = owed(known.document)
  if (next === undefined) return true
  const own = books.filter(({ wish }) => orderOf(wish) === orderOf(next))
  const left = paid - changed(own, 'return')
  return left < ('part' in changes[next] ? 300 : 1)
}
