/**
 * The world of the explorer, as plain values: time, the store, the gateway with what is on its way to it, and processes that run the shipped
 * rules and runner: those of customers, who press, and one that asks status. Ticks are whole numbers.
 *
 * @module
 */
import type { AttemptEnd } from '@tillkit/protocol'
import type { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import {
  type Ended,
  type Event,
  type Known,
  type Run,
  waitsForStore,
} from '../../../../packages/till/src/engine/run.js'
import type { AskedOrder } from '../../../../packages/till/src/intents/ask.js'
import type { SendResult } from '../../../../packages/till/src/intents/send.js'
import type { Answer, Question } from '../../../../packages/till/src/rules/answer.js'
import { isUnresolved } from '../../../../packages/till/src/state/attempt-rules.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import type { History } from '../../../../packages/till/src/state/facts.js'
import { type KnownAttempt, quietFrom } from '../../../../packages/till/src/state/known.js'
import { wronged } from '../walk/alike.js'
import { forgotten } from '../walk/forgotten.js'
import type { Broken } from '../walk/rules.js'
import { replyAt } from './gateway.js'

/** How long a caller waits, how long nothing may have been on its way, and how far apart two answers of absence are, in ticks. */
export const [timeout, quietPeriod, apart] = [1, 1, 1]

export const gatewayUrl = 'https://gate.example/paynet'

/** The order of all scenes. */
export const about = { clientOrderId: 'basket-7', login: 'merchant' }

/** How often each thing may go wrong in a scene. */
export interface Budget {
  /** Presses of the button, each in whatever process is idle. */
  readonly presses: number
  readonly crashes: number
  /** Writes whose answer is lost. */
  readonly lostWrites: number
  /** Requests that the gateway never answers; it may carry them out all the same, then or later. */
  readonly lostAnswers: number
  /** Ticks in which a process does nothing although it could. */
  readonly slowTicks: number
}

export interface Process {
  readonly does: 'send' | 'ask'
  readonly run: Run<unknown>
  /** When it began. */
  readonly began: number
  /** The event that its effect gave, before the process has heard of it. */
  readonly answer?: Event | undefined
  /** Whether its request has left. */
  readonly hasSent?: true | undefined
  /** Whether its caller has left, and heard that nothing was sent. */
  readonly isAlone?: true
}

/** A request on its way to the gateway. */
export interface Packet {
  readonly request: string
  /** When its first byte left. */
  readonly leftAt: number
  /** It does not arrive after that. */
  readonly until: number
}

/** The result of a run. `request`: the one that it wrote down. */
export interface Result {
  readonly run: string
  readonly kind: Exclude<SendResult['kind'], 'ended'> | 'failed' | AttemptEnd['kind']
  readonly request?: string
}

export interface World {
  readonly now: number
  readonly left: Budget
  readonly known: Known
  /** The requests that the gateway carried out, in their order: each is a charge. */
  readonly books: readonly string[]
  readonly wire: readonly Packet[]
  /** The first ones are the customers', the last one asks. */
  readonly processes: readonly (Process | undefined)[]
  /** How many runs have asked. */
  readonly asked: number
  readonly results: readonly Result[]
  /** Something was done that must not be done. */
  readonly wrong?: Broken | undefined
}

/** A step of the world, in words. */
export interface Move {
  readonly text: string
  readonly world: World
}

export type Advance<Result = SendResult> = ReturnType<typeof createAdvance<Result>>

/** The intents that run in the processes. */
export interface Cast {
  readonly send: Advance
  readonly ask: Advance<AskedOrder>
  /** A run that has not begun. */
  readonly begin: (id: string) => Run<unknown>
}

export const firstWorld = (left: Budget, customers: number): World => ({
  now: 0,
  left,
  known: { document: undefined, writeId: undefined },
  books: [],
  wire: [],
  processes: Array.from({ length: customers + 1 }, () => undefined),
  asked: 0,
  results: [],
})

const spend = (left: Budget, what: keyof Budget): Budget => ({ ...left, [what]: left[what] - 1 })

const withProcess = ({ processes }: World, place: number, process: Process | undefined): World['processes'] =>
  processes.map((each, at) => (at === place ? process : each))

/** All that may happen next. */
export function movesOf(world: World, cast: Cast): readonly Move[] {
  const { processes } = world
  return [
    ...processes.flatMap((process, place) => {
      if (process !== undefined) return processMoves(world, { process, place }, cast)
      return place === processes.length - 1 ? asks(world, place, cast) : pressed(world, place, cast)
    }),
    ...arrivals(world),
    ...ticks(world),
  ]
}

/** Time passes while nobody can do anything else, and beyond that where somebody is slow. An answer that is not lost is there in time. */
function ticks(world: World): readonly Move[] {
  const { now, processes, left } = world
  const alive = processes.flatMap(each => each ?? [])
  const isAwaited = (each: Process): boolean => each.hasSent === true && each.answer === undefined
  if (alive.some(each => isAwaited(each) && now >= each.began + timeout)) return []
  const isBusy = alive.some(each => !isAwaited(each))
  if (!isBusy) return [{ text: 'time passes', world: later(world) }]
  return left.slowTicks === 0
    ? []
    : [{ text: 'time passes, and somebody is slow', world: later({ ...world, left: spend(left, 'slowTicks') }) }]
}

function later({ now, wire, ...world }: World): World {
  return { ...world, now: now + 1, wire: wire.filter(({ until }) => until > now) }
}

function pressed(world: World, place: number, { begin }: Cast): readonly Move[] {
  const { left, now } = world
  if (left.presses === 0) return []
  const run = begin(`run-${left.presses}`)
  const processes = withProcess(world, place, { does: 'send', run, began: now })
  return [
    { text: `process ${place + 1} is asked to pay`, world: { ...world, left: spend(left, 'presses'), processes } },
  ]
}

/** Status is asked about a request whose end is not known, once nothing of it can be on its way; once for each tick. */
function asks(world: World, place: number, { begin }: Cast): readonly Move[] {
  const { now, known, asked } = world
  const request = openRequests(known.document).find(each => now >= quietFrom(each))
  if (request === undefined || request.absence?.neverSeenAt === now) return []
  const run = begin(`asker-${asked + 1}`)
  const processes = withProcess(world, place, { does: 'ask', run, began: now })
  return [{ text: 'somebody wants to know', world: { ...world, asked: asked + 1, processes } }]
}

const withResult = ({ results }: World, result: Result): readonly Result[] =>
  [...results, result].sort((one, other) => (one.run < other.run ? -1 : 1))

function resultOf(run: string, ended: Ended<SendResult>): Result {
  if (ended.kind === 'failed') return { run, kind: 'failed' }
  const { result } = ended
  if (result.kind !== 'ended') return { run, kind: result.kind }
  return { run, kind: result.end.kind, request: result.reservation }
}

interface Place {
  readonly process: Process
  readonly place: number
}

function processMoves(world: World, { process, place }: Place, cast: Cast): readonly Move[] {
  const { now, left } = world
  const { does, run, began, answer, isAlone } = process
  const name = does === 'ask' ? 'the asker' : `process ${place + 1}`
  const what = run.doing.kind
  /** The world once the process has heard of an event. */
  const heard = (event: Event, world: World): World => {
    const at = { earliest: now, latest: now, passed: now - began }
    if (does === 'ask') {
      const { run: after, effect } = cast.ask(run as Run<AskedOrder>, answeredAt(event, now), at)
      const next = effect.kind === 'end' ? undefined : { does, run: after, began }
      return { ...world, processes: withProcess(world, place, next) }
    }
    const { run: after, effect } = cast.send(run as Run<SendResult>, event, at)
    if (effect.kind !== 'end')
      return {
        ...world,
        processes: withProcess(world, place, { ...process, answer: undefined, hasSent: undefined, run: after }),
      }
    const results = isAlone === true ? world.results : withResult(world, resultOf(run.id, effect.result))
    return { ...world, results, processes: withProcess(world, place, undefined) }
  }
  const waits = (event: Event, world: World): World => ({
    ...world,
    processes: withProcess(world, place, { ...process, answer: event }),
  })
  const moves: Move[] = []
  if (left.crashes > 0)
    moves.push({
      text: `${name} dies while it does "${what}"`,
      world: { ...world, left: spend(left, 'crashes'), processes: withProcess(world, place, undefined) },
    })
  if (does === 'send' && isAlone !== true && run.saying === undefined && waitsForStore(run) && now - began >= timeout) {
    const results = withResult(world, { run: run.id, kind: 'failed' })
    const processes = withProcess(world, place, { ...process, isAlone: true })
    moves.push({ text: `the caller of ${name} leaves`, world: { ...world, results, processes } })
  }
  if (answer !== undefined) {
    moves.push({ text: `${name} hears of its "${what}": ${answer.kind}`, world: heard(answer, world) })
    if (what === 'write' && left.lostWrites > 0)
      moves.push({
        text: `${name} does not hear of its write`,
        world: heard({ kind: 'unknown', cause: undefined }, { ...world, left: spend(left, 'lostWrites') }),
      })
    if (what === 'request' && left.lostAnswers > 0)
      moves.push({
        text: `${name} does not hear the answer to its request`,
        world: heard(
          { kind: 'sent', end: { kind: 'unknown', connection: 'closed', at: now } },
          { ...world, left: spend(left, 'lostAnswers') },
        ),
      })
    return moves
  }
  switch (run.doing.kind) {
    case 'read':
      moves.push({ text: `${name} reads`, world: waits({ kind: 'read', known: world.known }, world) })
      break
    case 'write':
      moves.push(...writes(world, run.doing, name, waits))
      break
    case 'request':
      moves.push(...sends(world, { process, place }, run.doing, heard))
      break
    case 'ask': {
      const { question } = run.doing
      const said = answerOf(world, question)
      moves.push({ text: `status is asked: ${said.kind}`, world: waits({ kind: 'asked', answer: said }, world) })
      break
    }
    case 'end':
  }
  return moves
}

function writes(
  world: World,
  { id, after, document }: Extract<Run<unknown>['doing'], { kind: 'write' }>,
  name: string,
  waits: (event: Event, world: World) => World,
): readonly Move[] {
  const { known } = world
  if (known.writeId === id) return [{ text: `${name} writes again`, world: waits({ kind: 'written' }, world) }]
  if (known.writeId !== after)
    return [{ text: `${name} writes too late`, world: waits({ kind: 'conflict', known }, world) }]
  const lost = forgotten(known.document, document)
  const written = wronged({ ...world, known: { document, writeId: id } }, lost)
  return [{ text: `${name} writes ${id}`, world: waits({ kind: 'written' }, written) }]
}

function sends(
  world: World,
  { process, place }: Place,
  { request, startBy }: Extract<Run<unknown>['doing'], { kind: 'request' }>,
  heard: (event: Event, world: World) => World,
): readonly Move[] {
  const { now, wire } = world
  const name = `process ${place + 1}`
  if (process.hasSent !== true) {
    if (now >= startBy)
      return [
        {
          text: `${name} does not send ${request}: it is too late`,
          world: heard({ kind: 'sent', end: { kind: 'not-sent', at: now } }, world),
        },
      ]
    const until = startBy + timeout + quietPeriod - 1
    const processes = withProcess(world, place, { ...process, hasSent: true })
    return [
      {
        text: `${name} sends ${request}`,
        world: { ...world, processes, wire: [...wire, { request, leftAt: now, until }] },
      },
    ]
  }
  const { left } = world
  if (now < process.began + timeout || left.lostAnswers === 0) return []
  // The connection is closed: what is on its way arrives soon, or never.
  const closed = wire.map(each =>
    each.request === request ? { ...each, until: Math.min(each.until, now + quietPeriod - 1) } : each,
  )
  const event: Event = { kind: 'sent', end: { kind: 'unknown', connection: 'closed', at: now } }
  return [
    {
      text: `${name} waits no longer`,
      world: heard(event, { ...world, left: spend(left, 'lostAnswers'), wire: closed }),
    },
  ]
}

/** Each request on its way may arrive. Whoever waits for its answer gets it. */
function arrivals(world: World): readonly Move[] {
  return world.wire.map(packet => {
    const { request } = packet
    const processes = world.processes.map(each =>
      each?.run.doing.kind === 'request' && each.run.doing.request === request
        ? { ...each, answer: acceptedAt(world.now) }
        : each,
    )
    return {
      text: `${request} arrives: the gateway charges`,
      world: {
        ...world,
        processes,
        wire: world.wire.filter(each => each !== packet),
        books: [...world.books, request],
      },
    }
  })
}

const acceptedAt = (at: number): Event => ({
  kind: 'sent',
  end: { kind: 'accepted', orderId: '77', connection: 'answered', at },
})

/** The answer that status gives now. */
function answerOf({ now, books }: World, question: Question): Answer {
  const when = { question, askedAt: now, answeredAt: now }
  return books.length > 0
    ? { ...when, kind: 'reply', reply: replyAt(now) }
    : { ...when, kind: 'never-seen', baseUrl: gatewayUrl, before: [] }
}

/** It counts as answered when it is heard of. */
const answeredAt = (event: Event, now: number): Event =>
  event.kind === 'asked' ? { ...event, answer: { ...event.answer, answeredAt: now } } : event

export const openRequests = (document: PaymentDocument | undefined): readonly KnownAttempt[] =>
  (document?.orders ?? []).flatMap(({ attempts }) => attempts.filter(isUnresolved))

/** Fields that hold a moment. */
const moments: ReadonlySet<string> = new Set([
  'at',
  'began',
  'reservedAt',
  'sendBy',
  'startBy',
  'until',
  'leftAt',
  'askedAt',
  'answeredAt',
  'answeredAt',
  'quietSince',
  'neverSeenAt',
])

/** No rule tells moments apart that are longer ago, in ticks. */
const longestAgo = 4

/**
 * Worlds of one text have one future: moments count from now, and those of what is over do not count; the asker's writes are named by their
 * order, equal processes are in no order, and the sum of a history is left out, as is how the payment was first read.
 */
export function textOf({ now, processes, asked: _named, ...world }: World): string {
  const ids = new Map<string, string>()
  const text = (value: unknown): string =>
    JSON.stringify(value, (field, each: unknown) => {
      if (field === 'known') {
        const { document, writeId } = each as Known
        return { facts: withoutOldMoments(document?.facts ?? []), telling: document?.telling, writeId }
      }
      if (field === 'document' || field === 'payment' || field === 'first') return undefined
      if (field === 'history') return { facts: withoutOldMoments((each as History).facts) }
      if (typeof each === 'number' && moments.has(field)) return Math.max(each - now, -longestAgo)
      return each
    })
  const all = text([world, processes.map(text).sort()])
  return all.replace(/asker-\d+\/\d+|asker-\d+/g, id => {
    const name = ids.get(id) ?? `asker ${ids.size}`
    ids.set(id, name)
    return name
  })
}

/** Nothing is decided any more by when a request was sent and ended whose end is known. */
function withoutOldMoments(facts: History['facts']): readonly unknown[] {
  const isOver = facts.some(fact => fact.kind === 'answered' && fact.end.kind === 'accepted')
  if (!isOver) return facts
  return facts.map(fact => JSON.parse(JSON.stringify(fact, (field, each) => (moments.has(field) ? 0 : each))))
}
