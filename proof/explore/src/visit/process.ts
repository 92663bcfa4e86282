/** All that a process of the world of visits may do next, and what it hears. */
import type { Effect, Ended, Event, Handled, Known, Run } from '../../../../packages/till/src/engine/run.js'
import type { CallbackResult } from '../../../../packages/till/src/intents/callback.js'
import type { VisitResult } from '../../../../packages/till/src/intents/customers/visit.js'
import type { Answer, Question } from '../../../../packages/till/src/rules/answer.js'
import { claimedOutcome } from '../../../../packages/till/src/rules/delivery/delivery.js'
import { merchantIdOf } from '../../../../packages/till/src/store/keys.js'
import { answerOf } from '../pay/gateway.js'
import type { Advance } from '../sending/world.js'
import { keeping, spend, withProcess, wronged } from '../walk/alike.js'
import { committed, handlerEnds, keyOf, wrongCall } from '../walk/handlers.js'
import { breaks } from '../walk/rules.js'
import { wrongEnd, wrongShown } from './judge.js'
import { type Cast, isFinal, type LateCommit, type Move, type Process, stored, tick, type World } from './world.js'

interface Place {
  readonly process: Process
  readonly place: number
}

const unknown: Event = { kind: 'unknown', cause: undefined }

const nameOf = ({ process: { does }, place }: Place): string =>
  does === 'visit' ? `customer ${place + 1}` : `the ${does}`

/** All that a process may do next. */
export function processMoves(world: World, at: Place, cast: Cast): readonly Move[] {
  const { process, place } = at
  const { now, left, known } = world
  const { doing } = process.run
  const moves: Move[] = []
  const move = (text: string, after: World) => moves.push({ text: `${nameOf(at)} ${text}`, world: after })
  const dead = (after: World): World => withProcess(spend(after, 'crashes'), place, undefined)
  if (left.crashes > 0) move(`dies while it does "${doing.kind}"`, dead(world))
  if (process.restsUntil > now) return moves
  switch (doing.kind) {
    case 'read':
      move('reads', heard(world, at, { kind: 'read', known }, cast))
      break
    case 'write':
      return [...moves, ...writes(world, at, doing, cast)]
    case 'ask':
      return [...moves, ...asks(world, at, doing.question, cast)]
    case 'handle':
      return [...moves, ...called(world, at, doing.token, cast)]
    case 'sleep':
      move('wakes', heard(world, at, { kind: 'slept' }, cast))
      break
    default:
      move(
        `does "${doing.kind}"`,
        wronged(world, breaks('looks send nothing', `${process.run.id} does "${doing.kind}"`)),
      )
  }
  return moves
}

function asks(world: World, at: Place, question: Question, cast: Cast): readonly Move[] {
  const { now, left, books } = world
  const own = books.find(each => each.clientOrderId === merchantIdOf(question.clientOrderId))
  if (own?.login !== question.login) {
    const text = `${at.process.run.id} asks ${question.login} about an order of ${own?.login}`
    return [{ text, world: wronged(world, breaks('asked where it is', text)) }]
  }
  const text = `${nameOf(at)} asks about ${question.clientOrderId}`
  const hears = (answer: Answer, after: World, process: Process = at.process): World =>
    heard(after, { ...at, process }, { kind: 'asked', answer }, cast)
  const misled = { ...at.process, mustShow: false }
  const said = answerOf(books, question, { now, absence: 'by its word' })
  const moves: Move[] = [{ text, world: hears(said, world) }]
  if (left.lags > 0 && books.some(each => each.clientOrderId === own.clientOrderId && isFinal(each))) {
    const before = books.map(each => ({ ...each, state: 'begun' as const }))
    const lagging = answerOf(before, question, { now, absence: 'by its word' })
    moves.push({ text: `${text}, and status lags`, world: hears(lagging, spend(world, 'lags'), misled) })
  }
  if (left.lostQuestions > 0) {
    const none = { kind: 'no-answer', question, askedAt: now, answeredAt: now } as const
    moves.push({ text: `${text} in vain`, world: hears(none, spend(world, 'lostQuestions'), misled) })
  }
  return moves
}

function writes(
  world: World,
  at: Place,
  { id, after, document }: Extract<Effect<unknown>, { kind: 'write' }>,
  cast: Cast,
): readonly Move[] {
  const { known, left, lateWrites } = world
  const { place } = at
  const name = nameOf(at)
  if (known.writeId === id)
    return [{ text: `${name} writes again`, world: heard(world, at, { kind: 'written' }, cast) }]
  if (known.writeId !== after)
    return [{ text: `${name} writes too late`, world: heard(world, at, { kind: 'conflict', known }, cast) }]
  const written = stored(world, { id, document })
  const moves: Move[] = [{ text: `${name} writes ${id}`, world: heard(written, at, { kind: 'written' }, cast) }]
  if (left.crashes > 0)
    moves.push({
      text: `${name} writes ${id}, and dies`,
      world: withProcess(spend(written, 'crashes'), place, undefined),
    })
  if (left.lostWrites === 0) return moves
  const late = { ...world, lateWrites: [...lateWrites, { id, after, document }] }
  return [
    ...moves,
    {
      text: `${name} writes ${id}, and does not hear of it`,
      world: heard(spend(written, 'lostWrites'), at, unknown, cast),
    },
    { text: `${name} loses its write ${id} on the way`, world: heard(spend(late, 'lostWrites'), at, unknown, cast) },
  ]
}

/** Commits what a handler did, with the mark that it was told. @returns The very world where its lease is over. */
export function commit(world: World, { token, key }: LateCommit): World {
  const known = committed(world.known, token)
  return known === undefined
    ? world
    : credited(booked(keeping(world, known), { known: world.known, token, key }), token)
}

/** The merchant books an outcome. */
function booked(world: World, { known, token, key }: LateCommit & { readonly known: Known }): World {
  const told = { ...world, book: [...world.book, key] }
  if (world.budget.lateAmounts === 0) return told
  const outcome = known.document && claimedOutcome(known.document, token)
  return { ...told, isToldWithout: outcome?.stage.outcome === 'approved' && outcome.stage.amount === undefined }
}

/** The run with that lease has told an outcome. */
const credited = (world: World, token: string): World => ({
  ...world,
  processes: world.processes.map(each =>
    each !== undefined && token.startsWith(`${each.run.id}/`) ? { ...each, told: each.told + 1 } : each,
  ),
})

function called(world: World, at: Place, token: string, cast: Cast): readonly Move[] {
  const { known, left, lateCommits } = world
  const key = keyOf(at.process.run, token)
  const hears = (end: Handled, after: World): World =>
    heard(after, { ...at, process: after.processes[at.place] ?? at.process }, { kind: 'handled', end }, cast)
  const text = `the handler of ${nameOf(at)}`
  const moves = handlerEnds(known, token, world).map(each => {
    const spent = each.spends === undefined ? world : spend(world, each.spends)
    const kept = each.known === known ? spent : keeping(spent, each.known)
    const after = each.isBooked ? credited(booked(kept, { known, token, key }), token) : kept
    return { text: `${text} ${each.text}`, world: hears(each.end, after) }
  })
  if (!world.hasTransactions || left.lostCommits === 0) return moves
  const late = { ...spend(world, 'lostCommits'), lateCommits: [...lateCommits, { token, key }] }
  return [
    ...moves,
    { text: `${text} loses its commit on the way`, world: hears({ kind: 'unknown', cause: undefined }, late) },
  ]
}

/** The world once a process has heard of an event. */
function heard(world: World, { process, place }: Place, event: Event, cast: Cast): World {
  const { now } = world
  const { does, about } = process
  const advance = (about === undefined ? cast.visit.advance : cast.callback(about)) as Advance<
    VisitResult | CallbackResult
  >
  const moment = { earliest: now, latest: now, passed: 0 }
  const { run, effect } = advance(process.run as Run<VisitResult | CallbackResult>, event, moment)
  const rests = event.kind === 'unknown' ? tick : effect.kind === 'sleep' ? effect.milliseconds : 0
  const next: Process = { ...process, run, restsUntil: now + rests, steps: process.steps + 1 }
  const shown = does === 'visit' && effect.kind !== 'ask' ? cast.visit.shown(run.heard) : undefined
  const isNew = shown !== undefined && process.shown === undefined
  const showing = isNew ? { ...next, shown } : next
  const judged = isNew ? wronged(world, wrongShown(world, next, shown)) : world
  if (effect.kind === 'end') return ended(withProcess(judged, place, undefined), showing, effect.result, cast)
  return effect.kind === 'handle'
    ? begins(judged, { process: showing, place }, effect.token)
    : withProcess(judged, place, showing)
}

function ended(world: World, process: Process, end: Ended<VisitResult | CallbackResult>, cast: Cast): World {
  if (process.does === 'visit') cast.look(end as Ended<VisitResult>, process)
  return wronged(world, wrongEnd(process, end))
}

/** A handler begins. */
function begins(world: World, { process, place }: Place, token: string): World {
  const { known, now, processes } = world
  const others = processes.flatMap((each, at) => (each === undefined || at === place ? [] : [each.run]))
  const next = withProcess(world, place, { ...process, called: process.called + 1 })
  const calls = [...world.called, keyOf(process.run, token)]
  return wronged({ ...next, called: calls }, wrongCall(process.run, token, { known, now, others }))
}
