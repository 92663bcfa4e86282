/** All that a process may do next, and what it hears. */

import {
  type Effect,
  type Ended,
  type Event,
  heardSoFar,
  type Run,
  requestIn,
  waitsForStore,
} from '../../../../packages/till/src/engine/run.js'
import type { Decided } from '../../../../packages/till/src/intents/decide.js'
import type { PayResult } from '../../../../packages/till/src/intents/pay.js'
import type { Answer } from '../../../../packages/till/src/rules/answer.js'
import { spend, withProcess, wronged } from '../walk/alike.js'
import { handlerEnds, keyOf, wrongCall } from '../walk/handlers.js'
import { addressOf, answerOf, type Booked } from './gateway.js'
import { untoldBefore, untoldBy, wrongDecision, wrongEnd, wrongLook, wrongQuestion, wrongRequest } from './judge.js'
import {
  type Cast,
  type Move,
  type Packet,
  type Process,
  patience,
  quietPeriod,
  stored,
  timeout,
  type World,
} from './world.js'

/** An event, and what the store's clock said then. */
type Heard = Omit<NonNullable<Process['answer']>, 'until'>

interface Place {
  readonly place: number
  readonly process: Process
}

const unknown: Event = { kind: 'unknown', cause: undefined }

/** All that a process may do, or that may happen to it. */
export function processMoves(world: World, at: Place, cast: Cast): readonly Move[] {
  const { now, left, known } = world
  const { process, place } = at
  const { does, run, answer, isAlone, heardAt } = process
  const { doing } = run
  const name = does === 'pay' ? `process ${place + 1}` : does === 'ask' ? 'the asker' : 'the person’s process'
  const moves: Move[] = []
  const move = (text: string, world: World) => moves.push({ text: `${name} ${text}`, world })
  const hears = (event: Event, after: World = world): World => heard(after, at, { event }, cast)
  const comes = (text: string, after: World, answer: Heard) =>
    moves.push(...answered(`${name} ${text}`, after, at, answer, cast))
  const dead = (after: World): World => withProcess(spend(after, 'crashes'), place, undefined)
  if (left.crashes > 0) move(`dies while it does "${doing.kind}"`, dead(world))
  if (does === 'pay' && isAlone !== true && waitsForStore(run) && now - heardAt >= patience)
    move('has no caller any more', leaves(world, at))
  if (answer !== undefined) {
    if (now >= answer.until) move(`hears of its "${doing.kind}": ${answer.event.kind}`, heard(world, at, answer, cast))
    return moves
  }
  switch (doing.kind) {
    case 'read':
      comes('reads', world, { event: { kind: 'read', known, marks: marksOf(world) }, word: now })
      break
    case 'write': {
      const { text, event, after } = writes(world, doing)
      comes(text, after, { event, word: now })
      if (left.crashes > 0 && after !== world) move(`${text}, and dies`, dead(after))
      if (left.lostWrites === 0) break
      const lost = spend(after, 'lostWrites')
      move(`${text}, and does not hear of it`, heard(lost, at, { event: unknown }, cast))
      if (after === world) break
      const { id, after: before, document } = doing
      const late = spend({ ...world, lateWrites: [...world.lateWrites, { id, after: before, document }] }, 'lostWrites')
      move(`loses its write ${id} on the way`, heard(late, at, { event: unknown }, cast))
      break
    }
    case 'request':
      moves.push(...sends(world, at, doing, cast))
      break
    case 'ask': {
      const { question } = doing
      const said = answerOf(world.books, question, { now, absence: cast.absence })
      const text = `asks about ${question.clientOrderId}:`
      const asked = wronged(world, wrongQuestion(world, process, question))
      comes(`${text} ${said.kind}`, asked, { event: { kind: 'asked', answer: said } })
      const when = { question, askedAt: now, answeredAt: now }
      // One that refuses every question alike refuses some for other reasons.
      const silent: Answer =
        cast.absence === 'by its word' ? { ...when, kind: 'no-answer' } : { ...when, kind: 'refused', errorCode: '99' }
      if (left.lostQuestions > 0)
        move(`${text} nothing`, hears({ kind: 'asked', answer: silent }, spend(world, 'lostQuestions')))
      break
    }
    case 'handle':
      moves.push(...handled(world, at, doing.token, cast))
      break
    case 'sleep':
      if (now >= (process.wakesAt ?? now)) move('wakes', hears({ kind: 'slept' }))
      break
    default:
      throw new TypeError(`A run that pays does "${doing.kind}".`)
  }
  return moves
}

/** The handler ends, and its run hears of that. */
function handled(world: World, at: Place, token: string, cast: Cast): readonly Move[] {
  const { known, book, left } = world
  const key = keyOf(at.process.run, token)
  return handlerEnds(known, token, { hasTransactions: cast.tells === 'by commits', left }).map(each => {
    const spent = each.spends === undefined ? world : spend(world, each.spends)
    const kept = each.known === known ? spent : stored(spent, each.known)
    const booked = each.isBooked ? { ...kept, book: [...book, key] } : kept
    return {
      text: `the handler of process ${at.place + 1} ${each.text}`,
      world: heard(booked, at, { event: { kind: 'handled', end: each.end } }, cast),
    }
  })
}

const marksOf = ({ isPaused, isRestored }: World) => ({
  ...(isPaused ? { pause } : {}),
  ...(isRestored ? { restoredUntil: Number.MAX_SAFE_INTEGER } : {}),
})

const pause = { kind: 'paused', who: 'ann', why: 'a key was stolen', at: 0 } as const

/** An answer is heard of at once: what may happen before that may happen after it as well. One who is slow hears of it a tick later. */
function answered(text: string, world: World, at: Place, answer: Heard, cast: Cast): readonly Move[] {
  const { process, place } = at
  const now = { text, world: heard(world, at, answer, cast) }
  if (world.left.slowTicks === 0) return [now]
  const later = withProcess(world, place, { ...process, answer: { ...answer, until: world.now + 1 } })
  return [now, { text: `${text}, and is slow to hear of it`, world: later }]
}

/** The caller waits for the store no longer. It hears what there is to say, and an address that is not durable is given to nobody. */
function leaves(world: World, { process, place }: Place): World {
  const { run } = process
  const alone = withProcess(world, place, { ...process, isAlone: true })
  return wronged(alone, wrongEnd(world, process, heardSoFar(run as Run<PayResult>, undefined)))
}

function writes(
  world: World,
  { id, after: before, document }: Extract<Effect<unknown>, { kind: 'write' }>,
): { readonly text: string; readonly event: Event; readonly after: World } {
  const { known } = world
  if (known.writeId === id) return { text: 'writes again', event: { kind: 'written' }, after: world }
  if (known.writeId !== before) return { text: 'writes too late', event: { kind: 'conflict', known }, after: world }
  const after = stored(world, { document, writeId: id })
  return { text: `writes ${id}`, event: { kind: 'written' }, after }
}

/** The process hears of something, and goes on to its next effect. */
function heard(world: World, { process, place }: Place, { event, word }: Heard, cast: Cast): World {
  const { now, isPaused } = world
  const { does, run: before, isAlone } = process
  const heardAt = event.kind === 'unknown' ? process.heardAt : now
  const clock = word === undefined ? process : { behind: now - word, ahead: word - process.askedAt }
  const { behind, ahead } = clock
  const passed = isAlone === true ? Number.POSITIVE_INFINITY : now - heardAt
  const lived = process.spokenAt === undefined ? {} : { lived: now - process.spokenAt }
  const at = { earliest: now - behind, latest: now + ahead, passed, ...lived, isHandling: false }
  const advance = runnerOf(process, cast)
  const { run, effect } = advance(before as never, answeredAt(event, at.latest), at)
  const mayKnow = event.kind === 'read' ? event.marks?.pause !== undefined : isPaused && event.kind === 'asked'
  const next: Process = {
    ...process,
    run,
    heardAt,
    askedAt: now,
    behind,
    ahead,
    answer: undefined,
    hasSent: undefined,
    wakesAt: effect.kind === 'sleep' ? now + 1 : undefined,
    steps: process.steps + 1,
    ...(mayKnow ? { mayKnowPause: true } : {}),
  }
  if (effect.kind === 'handle') return begins(world, { process: next, place }, effect.token)
  if (effect.kind !== 'end') return withProcess(world, place, next)
  const after = withProcess(world, place, undefined)
  if (does === 'decide') return wronged(after, wrongDecision(world, effect.result as Ended<unknown> as Ended<Decided>))
  if (does === 'ask') return wronged(after, wrongLook(world, next, cast.accounts))
  return isAlone === true ? after : ends(after, next, effect.result as Ended<PayResult>, cast)
}

function runnerOf({ does, about, login, mayReplace }: Process, cast: Cast) {
  const advance =
    does === 'pay'
      ? cast.pay({ amount: about, login, mayReplace: mayReplace === true })
      : does === 'ask'
        ? cast.ask({ clientOrderId: about, login })
        : cast.decide(about)
  // Which of them it is, its run says.
  return advance as ReturnType<typeof cast.pay>
}

/** It counts as answered when it is heard of. */
const answeredAt = (event: Event, now: number): Event =>
  event.kind === 'asked' ? { ...event, answer: { ...event.answer, answeredAt: now } } : event

/** A handler begins. */
function begins(world: World, { process, place }: Place, token: string): World {
  const { known, now, processes, called } = world
  const others = processes.flatMap((each, at) => (each === undefined || at === place ? [] : [each.run]))
  const next = withProcess(world, place, process)
  const wrong = wrongCall(process.run, token, { known, now, others })
  return wronged({ ...next, called: [...called, keyOf(process.run, token)] }, wrong)
}

/** The caller hears how the run ended: a customer is given an address. */
function ends(world: World, process: Process, ended: Ended<PayResult>, cast: Cast): World {
  cast.look(ended.kind === 'done' ? ended.result.kind : 'not done')
  const judged = wronged(world, wrongEnd(world, process, ended) ?? untoldBy(process, ended, cast))
  if (ended.kind === 'failed' || ended.unwritten !== undefined || ended.result.kind !== 'go') return judged
  const { formUrl = '' } = ended.result
  const { given } = judged
  return given.includes(formUrl) ? judged : { ...judged, given: [...given, formUrl].sort() }
}

function sends(
  world: World,
  at: Place,
  { request, startBy }: Extract<Effect<unknown>, { kind: 'request' }>,
  cast: Cast,
): readonly Move[] {
  const { now, wire, left } = world
  const { process, place } = at
  const name = `process ${place + 1}`
  const hears = (event: Event, after: World): World => heard(after, at, { event }, cast)
  if (process.hasSent !== true) {
    if (now + process.ahead >= startBy) {
      const late: Event = { kind: 'sent', end: { kind: 'not-sent', at: now } }
      return [{ text: `${name} does not send ${request}: it is too late`, world: hears(late, world) }]
    }
    const attempt = requestIn(process.run.known, request)
    const { clientOrderId = '', amount = '', login = '' } = attempt ?? {}
    const packet: Packet = { request, login, clientOrderId, amount, until: startBy + timeout + quietPeriod - 1 }
    const sending: Process = { ...process, hasSent: true, sent: process.sent + 1 }
    const after = withProcess({ ...world, wire: [...wire, packet] }, place, sending)
    return [
      {
        text: `${name} sends ${request}`,
        world: wronged(
          after,
          wrongRequest(world, sending, { attempt, accounts: cast.accounts }) ?? untoldBefore(sending, cast),
        ),
      },
    ]
  }
  if (now < startBy || left.lostAnswers === 0) return []
  // The connection is closed: what is on its way arrives soon, or never.
  const closed = wire.map(each =>
    each.request === request ? { ...each, until: Math.min(each.until, now + quietPeriod - 1) } : each,
  )
  const after = spend({ ...world, wire: closed }, 'lostAnswers')
  return [{ text: `${name} waits no longer`, world: hears(unanswered(now), after) }]
}

const unanswered = (at: number): Event => ({ kind: 'sent', end: { kind: 'unknown', connection: 'closed', at } })

/** Each request on its way may arrive. Whoever waits for its answer gets it, unless it is lost. */
export function arrivals(world: World, cast: Cast): readonly Move[] {
  const { wire, books, now, processes, left } = world
  return wire.flatMap(packet => {
    const { request, login, clientOrderId, amount } = packet
    const isUsed = books.some(each => each.clientOrderId === clientOrderId && each.login === login)
    const isRefused = cast.usedIds === 'refused' && isUsed
    const orderId = `${books.length + 1}`
    const { formsEnd, formRetries: takesAnother } = cast
    const ends = formsEnd === undefined ? {} : { endsAt: now + formsEnd }
    const order: Booked = { login, clientOrderId, orderId, request, amount, state: 'open', takesAnother, ...ends }
    const arrived: World = {
      ...world,
      wire: wire.filter(each => each !== packet),
      books: isRefused ? books : [...books, order],
    }
    const event: Event = {
      kind: 'sent',
      end: isRefused
        ? { kind: 'refused', connection: 'answered', at: now }
        : { kind: 'accepted', orderId, redirectUrl: addressOf(order), connection: 'answered', at: now },
    }
    const text = `${request} arrives for ${clientOrderId}: ${isRefused ? 'it is refused' : `form ${orderId} opens`}`
    const place = processes.findIndex(
      each => each?.hasSent === true && each.run.doing.kind === 'request' && each.run.doing.request === request,
    )
    const process = processes[place]
    if (process === undefined) return [{ text, world: arrived }]
    const at = { process, place }
    const moves = answered(text, arrived, at, { event }, cast)
    return left.lostAnswers === 0
      ? moves
      : [
          ...moves,
          {
            text: `${text}, and nobody hears of it`,
            world: heard(spend(arrived, 'lostAnswers'), at, { event: unanswered(now) }, cast),
          },
        ]
  })
}
