/** All that a process may do next, and what it hears. */

import {
  type Effect,
  type Ended,
  type Event,
  type Run,
  requestOf,
  waitsForStore,
} from '../../../../packages/till/src/engine/run.js'
import type { AskedOrder } from '../../../../packages/till/src/intents/ask.js'
import type { CallbackResult } from '../../../../packages/till/src/intents/callback.js'
import type { ChangeResult } from '../../../../packages/till/src/intents/change.js'
import type { FollowUpResult } from '../../../../packages/till/src/intents/follow-up.js'
import { isAwaited } from '../../../../packages/till/src/rules/orders/expected.js'
import { findOrder } from '../../../../packages/till/src/state/document.js'
import type { KnownAttempt } from '../../../../packages/till/src/state/known.js'
import { carriedEnd, wrongCarried, wrongFollowUp, wrongPermission } from '../follow-up/judge.js'
import { spend, withProcess, wronged } from '../walk/alike.js'
import { answerOf, paid } from './gateway.js'
import { endOf, wrongEnd, wrongRequest } from './judge.js'
import {
  type Cast,
  type Move,
  owed,
  type Process,
  patience,
  quietPeriod,
  stored,
  timeout,
  type World,
  wishIn,
} from './world.js'

interface Place {
  readonly process: Process
  readonly place: number
}

const isAsker = ({ wish, carries }: Process): boolean => wish === undefined && carries !== true

const nameOf = ({ process, place }: Place): string => (isAsker(process) ? 'the asker' : `process ${place + 1}`)

/** The world once a process has heard of an event. */
function heard(world: World, at: Place, event: Event, cast: Cast): World {
  const { process, place } = at
  const { now } = world
  const { run, began, wish, isAlone, answer: _heard, hasSent: _sent, ...rest } = process
  const alone = isAlone === true ? { isAlone } : {}
  const moment = { earliest: now, latest: now, passed: now - began }
  const steps = process.steps + 1
  if (process.carries === true) {
    const { run: after, effect } = cast.followUp(run as Run<FollowUpResult>, answeredAt(event, now), moment)
    const [follows] = owed(after.heard.first)
    if (effect.kind !== 'end')
      return withProcess(world, place, { ...rest, ...alone, began, follows, run: after, steps })
    const over = withProcess(world, place, undefined)
    if (isAlone === true) return over
    cast.look(carriedEnd(effect.result), over)
    return wronged(over, wrongCarried(over, { ...process, follows }, effect.result))
  }
  const { called } = process
  if (called !== undefined || process.looks === true) {
    const { run: after, effect } = cast.called(called)(run as Run<CallbackResult>, answeredAt(event, now), moment)
    if (effect.kind !== 'end') return withProcess(world, place, { ...rest, run: after, began, steps })
    const over = withProcess(world, place, undefined)
    const isLatest = called !== undefined && world.books[called.nth]?.state === called.state
    return isLatest && isTaken(effect.result) ? { ...over, called: [...new Set([...over.called, called.nth])] } : over
  }
  if (wish === undefined) {
    const { run: after, effect } = cast.ask(process.about ?? 'basket-7')(
      run as Run<AskedOrder>,
      answeredAt(event, now),
      moment,
    )
    const next = effect.kind === 'end' ? undefined : { ...rest, run: after, began, steps }
    return withProcess(world, place, next)
  }
  const { run: after, effect } = cast.change(wish)(run as Run<ChangeResult>, answeredAt(event, now), moment)
  if (effect.kind === 'end') return ended(withProcess(world, place, undefined), process, effect.result, cast)
  return withProcess(world, place, { ...rest, ...alone, wish, began, run: after, steps })
}

/** A caller who has left hears nothing any more. */
function ended(world: World, process: Process, end: Ended<ChangeResult>, { look }: Cast): World {
  if (process.isAlone === true) return world
  look(endOf(end), world)
  return wronged(world, wrongEnd(world, process, end))
}

/** Whether a callback is answered with 200, or kept. One that is neither comes again: its order has not ended by what status says. */
function isTaken(ended: Ended<CallbackResult>): boolean {
  if (ended.kind === 'failed' || ended.unwritten !== undefined || ended.result.kind !== 'asked') return false
  const { failure, isWhole, now } = ended.result
  const kept = ended.known.document && findOrder(ended.known.document, now)
  return kept?.callbackAt !== undefined || (failure === undefined && isWhole && !isAwaited(now))
}

/** It counts as answered when it is heard of. */
const answeredAt = (event: Event, now: number): Event =>
  event.kind === 'asked' ? { ...event, answer: { ...event.answer, answeredAt: now } } : event

const waits = (world: World, { process, place }: Place, answer: Event): World =>
  withProcess(world, place, { ...process, answer })

const lost: Event = { kind: 'unknown', cause: undefined }

/** All that a process may do next. */
export function processMoves(world: World, at: Place, cast: Cast): readonly Move[] {
  const { process, place } = at
  const { now, left, isHold } = world
  const { run, began, answer, isAlone } = process
  const name = nameOf(at)
  const what = run.doing.kind
  const moves: Move[] = []
  const move = (text: string, after: World) => moves.push({ text: `${name} ${text}`, world: after })
  if (left.crashes > 0) move(`dies while it does "${what}"`, withProcess(spend(world, 'crashes'), place, undefined))
  const mayLeave = isAlone !== true && run.saying === undefined && waitsForStore(run) && now - began >= patience
  if (!isAsker(process) && mayLeave) {
    const gone = ended(world, process, { kind: 'failed', cause: undefined }, cast)
    move('is left by its caller', withProcess(gone, place, { ...process, isAlone: true }))
  }
  if (answer !== undefined) {
    move(`hears of its "${what}": ${answer.kind}`, heard(world, at, answer, cast))
    if (what === 'write' && left.lostWrites > 0)
      move('does not hear of its write', heard(spend(world, 'lostWrites'), at, lost, cast))
    if (what === 'request' && left.lostAnswers > 0)
      move('does not hear the answer to its request', heard(spend(world, 'lostAnswers'), at, unanswered(now), cast))
    return moves
  }
  switch (run.doing.kind) {
    case 'read':
      move('reads', waits(world, at, { kind: 'read', known: world.known }))
      break
    case 'write':
      return [...moves, ...writes(world, at, run.doing, cast)]
    case 'request':
      return [...moves, ...sends(world, at, run.doing, cast)]
    case 'ask': {
      const { question } = run.doing
      const of = question.bySerialNumber === undefined ? '' : ` by ${question.bySerialNumber}`
      move(`asks${of}`, waits(world, at, { kind: 'asked', answer: answerOf(world.books, question, { now, isHold }) }))
      if (left.lags > 0 && world.books.length > 0) {
        const said = answerOf(world.books, question, { now, isHold, lags: true })
        move(`asks${of}, and status lags`, waits(spend(world, 'lags'), at, { kind: 'asked', answer: said }))
      }
      if (left.lostQuestions > 0) {
        const said = { question, askedAt: now, answeredAt: now, kind: 'no-answer' } as const
        move(`asks${of}, in vain`, waits(spend(world, 'lostQuestions'), at, { kind: 'asked', answer: said }))
      }
      break
    }
    default:
  }
  return moves
}

const unanswered = (at: number): Event => ({ kind: 'sent', end: { kind: 'unknown', connection: 'closed', at } })

function writes(
  world: World,
  at: Place,
  { id, after, document }: Extract<Effect<unknown>, { kind: 'write' }>,
  cast: Cast,
): readonly Move[] {
  const { known, left, lateWrites } = world
  const name = nameOf(at)
  if (known.writeId === id) return [{ text: `${name} writes again`, world: waits(world, at, { kind: 'written' }) }]
  if (known.writeId !== after)
    return [{ text: `${name} writes too late`, world: waits(world, at, { kind: 'conflict', known }) }]
  const judged = wronged(world, wrongPermission(world, at.process))
  const written = waits(stored(judged, { id, document }), at, { kind: 'written' })
  const moves: Move[] = [{ text: `${name} writes ${id}`, world: written }]
  if (left.lostWrites > 0) {
    const late = { ...spend(judged, 'lostWrites'), lateWrites: [...lateWrites, { id, after, document }] }
    moves.push({ text: `${name} loses its write ${id} on the way`, world: heard(late, at, lost, cast) })
  }
  return moves
}

function sends(
  world: World,
  at: Place,
  doing: Extract<Effect<unknown>, { kind: 'request' }>,
  cast: Cast,
): readonly Move[] {
  const { now, wire, left } = world
  const { process, place } = at
  const { request, startBy } = doing
  const name = nameOf(at)
  if (process.hasSent !== true) {
    const attempt = requestOf(process.run, doing)
    if (now >= startBy)
      return [
        {
          text: `${name} does not send ${request}: it is too late`,
          world: heard(world, at, { kind: 'sent', end: { kind: 'not-sent', at: now } }, cast),
        },
      ]
    const sending: Process = { ...process, hasSent: true, sent: process.sent + 1 }
    const until = now + 2 * timeout + quietPeriod - 1
    const packet = { request, wish: wishIn(process) ?? 'whole', amount: minorOf(attempt), until }
    const sent = withProcess({ ...world, wire: [...wire, packet] }, place, sending)
    const over = attempt.amount === undefined ? 'all' : attempt.amount
    return [
      {
        text: `${name} sends ${request} over ${over}`,
        world: wronged(sent, wrongRequest(world, sending, attempt) ?? wrongFollowUp(world, sending, attempt)),
      },
    ]
  }
  if (now < startBy || left.lostAnswers === 0) return []
  // The connection is closed: what is on its way arrives soon, or never.
  const closed = wire.map(each =>
    each.request === request ? { ...each, until: Math.min(each.until, now + quietPeriod) } : each,
  )
  return [
    {
      text: `${name} waits no longer`,
      world: heard({ ...spend(world, 'lostAnswers'), wire: closed }, at, unanswered(now), cast),
    },
  ]
}

/** Without an amount it means all of the order. */
const minorOf = ({ amount }: KnownAttempt): number => (amount === undefined ? paid : Math.round(Number(amount) * 100))
