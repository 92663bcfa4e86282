/**
 * The world of deliveries, as plain values: the store with one payment, the merchant's book, and processes that run the shipped intent and runner.
 * What a process does besides, it does as the driver and the handler's effect do it. Moments are milliseconds; time passes by ticks.
 *
 * @module
 */
import {
  attemptEnded,
  claimedOutcome,
  defaultProfile,
  findOrder,
  historyAfter,
  observationOf,
  type PaymentDocument,
  type StatusResponse,
  statusSeen,
  toldOutcome,
} from '@tillkit/protocol'
import { toDocument } from '../../../protocol/src/history/to-document.js'
import {
  type Effect,
  type Ended,
  type Event,
  type Handled,
  type Known,
  newRun,
  type Run,
} from '../../src/engine/run.js'
import type { Told } from '../../src/rules/happening.js'
import { replyAt } from './gateway.js'
import { plan } from './scenes.js'
import { type Advance, about } from './world.js'

/** As long as the intent waits before it looks again, in milliseconds. */
export const tick = 250

/** How long a handler has, in milliseconds. The caller waits as long, anew after each word that comes. */
export const lease = Number(process.env.LEASE ?? 2) * tick

/** What a scene allows to go wrong, and how often. */
export interface Budget {
  readonly crashes: number
  /** Answers of the store to a read or a write. The write was made, or it was not. */
  readonly lostAnswers: number
  /** Writes that the store refuses for good. */
  readonly refusals: number
  /** Answers of the store to a commit. It arrives then or later, while its lease is there, or never. */
  readonly lostCommits: number
  /** Handlers that throw. */
  readonly failures: number
  /** Handlers that are still running when their lease is over. */
  readonly overstays: number
  /** Handlers that wait until a connection is free. */
  readonly queues: number
  /** Ticks in which a process does nothing although it could. */
  readonly slowTicks: number
  /** Callers who leave. */
  readonly leavers: number
  /** Further status words, which somebody else writes down. */
  readonly others: number
}

/** A call of the merchant's handler. */
export interface Call {
  readonly token: string
  /** Of the outcome. */
  readonly key: string
  /** When its lease is over. */
  readonly until: number
  /** Whether its run waits for it. */
  readonly isAwaited: boolean
  /** Whether it waits for a connection. */
  readonly isQueued?: true
}

/** A run, and what its driver knows. */
export interface Life {
  readonly does: 'deliver' | 'write down'
  readonly run: Run<unknown>
  /** When it last heard anything. */
  readonly heardAt: number
  /** When it began its effect. */
  readonly askedAt: number
  /** By how much the store's clock may be later, and earlier, than it thinks. */
  readonly behind: number
  readonly ahead: number
  /** What came of its effect, before it has heard of it. `word`: what the store's clock said then. */
  readonly answer?: { readonly event: Event; readonly word?: number } | undefined
  /** Until then it need not do anything. */
  readonly restsUntil: number
  /** How many handlers it began, and how many of them count as told. */
  readonly called: number
  readonly told: number
  readonly isAlone?: true
  /** How many events it has heard. */
  readonly steps: number
}

export interface Process {
  readonly lives: readonly Life[]
  readonly calls: readonly Call[]
}

export interface World {
  readonly now: number
  readonly left: Budget
  readonly hasTransactions: boolean
  readonly known: Known
  /** How many words the gateway has said of each stage. */
  readonly words: readonly number[]
  /** The outcomes that the merchant has booked, by their keys: each was committed, or its handler returned. */
  readonly book: readonly string[]
  /** The outcomes that a handler was called for. */
  readonly called: readonly string[]
  /** Commits on their way to the store that nobody waits for. */
  readonly wire: readonly Call[]
  readonly processes: readonly Process[]
  /** How many runs have begun. */
  readonly runs: number
  /** What was done that must not be done. */
  readonly wrong?: string | undefined
}

/** A step of the world, in words. */
export interface Move {
  readonly text: string
  readonly world: World
}

/** What lives in the processes, and who judges it. */
export interface Cast<Result> {
  readonly deliver: Advance<Result>
  /** Writes down what became of a handler that has outstayed its lease. */
  readonly writeDown: Advance<unknown>
  /** What is wrong with that end of a run; undefined: nothing. */
  readonly judge: (world: World, life: Life, ended: Ended<Result>) => string | undefined
}

const see = (document: PaymentDocument, reply: StatusResponse, at: number): PaymentDocument => {
  const order = findOrder(document, about)
  if (order === undefined) throw new TypeError('There is an order.')
  const observation = observationOf(order, { reply, age: 0 }, at)
  return statusSeen(document, about, { observation, profile: defaultProfile })
}

const after = ({ history, document: before }: Known, document: PaymentDocument, writeId: string): Known => ({
  history: historyAfter(history, { before, after: document }),
  document,
  writeId,
})

/** An approved sale, and the bank that took its money back: neither was told. @param stages How many of the two. */
export function firstWorld(left: Budget, hasTransactions: boolean, stages: 1 | 2): World {
  const attempt = { ...plan.attempt, reservation: 'request', reservedAt: 0, sendBy: 1 }
  const sold = see(attemptEnded(undefined, attempt, { kind: 'accepted', orderId: '77', at: 1 }), replyAt(2), 2)
  const back = see(sold, { ...replyAt(3), transactionType: 'chargeback', processorRrn: '2', approvalCode: '2' }, 3)
  const nothing = { history: undefined, document: undefined, writeId: undefined }
  return {
    now: 100 * tick,
    left,
    hasTransactions,
    known: after(nothing, stages === 1 ? sold : back, 'first'),
    words: stages === 1 ? [1] : [1, 1],
    book: [],
    called: [],
    wire: [],
    processes: [idle, idle],
    runs: 0,
  }
}

export const idle: Process = { lives: [], calls: [] }

/** How many words of each stage the store says were told. */
export const toldIn = ({ known }: World): readonly number[] =>
  known.document?.orders.flatMap(({ stages }) => stages.map(({ told = 0 }) => told)) ?? []

export const isAllTold = (world: World): boolean => `${toldIn(world)}` === `${world.words}`

const spend = (world: World, what: keyof Budget): World => ({
  ...world,
  left: { ...world.left, [what]: world.left[what] - 1 },
})

const changed = <T>(list: readonly T[], place: number, value: T): readonly T[] =>
  list.map((each, at) => (at === place ? value : each))

const withProcess = (world: World, place: number, change: Partial<Process>): World => ({
  ...world,
  processes: world.processes.map((each, at) => (at === place ? { ...each, ...change } : each)),
})

/** All that may happen next. */
export function movesOf<Result>(world: World, cast: Cast<Result>): readonly Move[] {
  return [
    ...world.processes.flatMap((process, place) => [
      ...begins(world, process, place),
      ...process.lives.flatMap((life, nth) => lifeMoves(world, { place, nth, life }, cast)),
      ...process.calls.flatMap(call => callMoves(world, { place, call }, cast)),
    ]),
    ...commits(world),
    ...corrected(world),
    ...ticks(world),
  ]
}

/** Like the work in the background: as long as something was not told. */
function begins(world: World, { lives, calls }: Process, place: number): readonly Move[] {
  const name = `process ${place + 1}`
  const moves: Move[] = []
  if (!isAllTold(world) && lives.every(({ does }) => does !== 'deliver'))
    moves.push({ text: `${name} begins`, world: withLife(world, place, 'deliver') })
  if (world.left.crashes > 0 && lives.length + calls.length > 0) {
    const what = lives.map(({ run }) => run.doing.kind).join(' and ')
    moves.push({ text: `${name} dies while it does "${what}"`, world: withProcess(spend(world, 'crashes'), place, idle) })
  }
  return moves
}

function withLife(world: World, place: number, does: Life['does'], staged: readonly Told[] = []): World {
  const { now, processes, runs } = world
  const run = { ...newRun<unknown>(`run-${runs + 1}`, lease), staged }
  const times = { heardAt: now, askedAt: now, restsUntil: now, behind: 0, ahead: 0 }
  const life: Life = { does, run, ...times, called: 0, told: 0, steps: 0 }
  return withProcess({ ...world, runs: runs + 1 }, place, { lives: [...(processes[place]?.lives ?? []), life] })
}

/** Time passes while nobody can do anything, and beyond that where somebody is slow, or a handler outstays its lease. */
function ticks(world: World): readonly Move[] {
  const { now, processes, left } = world
  const overstaying = processes.flatMap(({ calls }) => calls).filter(({ until }) => until > now && until <= now + tick)
  const isSlow = processes.some(({ lives }) => lives.some(each => isBusy(each, now)))
  if (overstaying.length > left.overstays || (isSlow && left.slowTicks === 0)) return []
  const spent = overstaying.reduce(before => spend(before, 'overstays'), isSlow ? spend(world, 'slowTicks') : world)
  return [{ text: `time passes${isSlow ? ', and somebody is slow' : ''}`, world: { ...spent, now: now + tick } }]
}

function isBusy({ answer, run: { doing }, restsUntil, ahead }: Life, now: number): boolean {
  if (answer !== undefined) return true
  return doing.kind === 'handle' ? now + ahead >= doing.until : now >= restsUntil
}

interface Place {
  readonly place: number
  readonly nth: number
  readonly life: Life
}

function lifeMoves<Result>(world: World, at: Place, cast: Cast<Result>): readonly Move[] {
  const { now, left, known } = world
  const { place, nth, life } = at
  const { answer, run, does, ahead } = life
  const { doing } = run
  const name = `process ${place + 1}${does === 'deliver' ? '' : ', which writes down what is late,'}`
  const hears = (event: Event, after: World = world, word?: number): World => heard(after, at, { event, word }, cast)
  const waits = (event: Event, after: World = world): World => {
    const lives = after.processes[place]?.lives ?? []
    return withProcess(after, place, { lives: changed(lives, nth, { ...life, answer: { event, word: now } }) })
  }
  const unknown = { kind: 'unknown', cause: undefined } as const
  const moves: Move[] = []
  const move = (text: string, world: World) => moves.push({ text: `${name} ${text}`, world })
  if (left.leavers > 0 && does === 'deliver' && life.isAlone === undefined) {
    const lives = changed(world.processes[place]?.lives ?? [], nth, { ...life, restsUntil: now, isAlone: true } as const)
    move('has no caller any more', withProcess(spend(world, 'leavers'), place, { lives }))
  }
  if (answer !== undefined) {
    move(`hears of its "${doing.kind}": ${answer.event.kind}`, hears(answer.event, world, answer.word))
    if (doing.kind === 'write' && left.lostAnswers > 0)
      move(`does not hear of its "${doing.kind}"`, hears(unknown, spend(world, 'lostAnswers')))
    return moves
  }
  switch (doing.kind) {
    case 'read':
      move('reads', heardAtOnce(waits({ kind: 'read', known }), place, cast))
      if (left.lostAnswers > 0) move('is not answered', hears(unknown, spend(world, 'lostAnswers')))
      break
    case 'write':
      move(`writes ${doing.id}`, writes(world, life, doing, waits))
      if (left.lostAnswers > 0) move('loses its write on the way', hears(unknown, spend(world, 'lostAnswers')))
      if (left.refusals > 0)
        move('hears that its write is refused', hears({ kind: 'failed', cause: undefined }, spend(world, 'refusals')))
      break
    case 'handle':
      if (now + ahead >= doing.until) move('waits no longer for its handler', overstays(world, at, cast))
      break
    case 'sleep':
      if (now >= life.restsUntil) move('wakes', hears({ kind: 'slept' }))
      break
    default:
      throw new TypeError(`A run that delivers does "${doing.kind}".`)
  }
  return moves
}

/** Where nobody is slow, nothing that happens between such an answer and its hearing could not happen after that as well. */
function heardAtOnce<Result>(world: World, place: number, cast: Cast<Result>): World {
  const { lives = [] } = world.processes[place] ?? {}
  const nth = lives.findIndex(({ answer, run }) => answer !== undefined && run.doing.kind !== 'write')
  const life = lives[nth]
  if (world.left.slowTicks > 0 || life?.answer === undefined) return world
  return heard(world, { place, nth, life }, life.answer, cast)
}

function writes(
  world: World,
  life: Life,
  { id, after: before, history }: Extract<Effect<unknown>, { kind: 'write' }>,
  waits: (event: Event, world?: World) => World,
): World {
  const { known, now } = world
  if (known.writeId === id) return waits({ kind: 'written' })
  if (known.writeId !== before) return waits({ kind: 'conflict', known })
  const { telling } = known.document ?? {}
  const document = toDocument(history)
  const isTaken = document.telling?.token === id && telling !== undefined && telling.until > now
  const wrong = isTaken && !isOf(life, telling.token) ? `${id} takes the lease of somebody else` : undefined
  return waits({ kind: 'written' }, { ...world, wrong, known: { history, document, writeId: id } })
}

function heard<Result>(
  world: World,
  { place, nth, life }: Place,
  { event, word }: { readonly event: Event; readonly word?: number | undefined },
  cast: Cast<Result>,
): World {
  const { now, processes } = world
  const { lives = [], calls = [] } = processes[place] ?? {}
  // It asks after its rest.
  const asked = Math.max(life.askedAt, Math.min(life.restsUntil, word ?? now))
  const clock = word === undefined ? life : { behind: now - word, ahead: word - asked }
  const { behind, ahead } = clock
  const isUnknown = event.kind === 'unknown'
  const heardAt = isUnknown ? life.heardAt : now
  const passed = life.isAlone === true ? Number.POSITIVE_INFINITY : now - heardAt
  const at = { earliest: now - behind, latest: now + ahead, passed, isHandling: calls.length > 0 }
  const advance = (life.does === 'deliver' ? cast.deliver : cast.writeDown) as Advance<unknown>
  const { run, effect } = advance(life.run, event, at)
  const times = { heardAt, askedAt: now, restsUntil: isUnknown ? now + tick : now, behind, ahead }
  const next: Life = { ...life, ...times, run, answer: undefined, steps: life.steps + 1 }
  const goesOn = (more: Partial<Life> = {}, process: Partial<Process> = {}): World =>
    withProcess(world, place, { lives: changed(lives, nth, { ...next, ...more }), ...process })
  switch (effect.kind) {
    case 'end': {
      const after = withProcess(world, place, { lives: lives.filter(each => each !== life) })
      const wrong = life.does === 'deliver' ? cast.judge(world, next, effect.result as Ended<Result>) : undefined
      return { ...after, wrong: world.wrong ?? wrong }
    }
    case 'sleep':
      // A caller who has left ends the wait.
      return goesOn({ restsUntil: life.isAlone === true ? now : now + effect.milliseconds })
    case 'handle': {
      const { token, until } = effect
      const { document } = run.known
      const leased = document === undefined ? undefined : claimedOutcome(document, token)
      if (leased === undefined) return { ...world, wrong: `${run.id} calls a handler without a lease` }
      const call: Call = { token, key: leased.key, until, isAwaited: true }
      return called(goesOn({ called: life.called + 1 }, { calls: [...calls, call] }), call)
    }
    default:
      return goesOn()
  }
}

/** The handler begins: what it must not do is seen by the store and its clock. */
function called(world: World, { token, key }: Call): World {
  const { now, known, processes, called } = world
  const { telling } = known.document ?? {}
  const others = processes.flatMap(({ calls }) => calls).filter(each => each.token !== token)
  const wrong =
    telling?.token !== token
      ? `a handler begins under ${token}, and the lease is somebody else's`
      : telling.until <= now
        ? `a handler begins under ${token} after its lease`
        : others.some(({ until }) => until > now)
          ? 'two handlers run under leases at one time'
          : undefined
  return { ...world, called: [...called, key], wrong: world.wrong ?? wrong }
}

const withoutCall = (world: World, place: number, call: Call): World =>
  withProcess(world, place, { calls: (world.processes[place]?.calls ?? []).filter(({ token }) => token !== call.token) })

/** The run waits no longer; the handler goes on. */
function overstays<Result>(world: World, at: Place, cast: Cast<Result>): World {
  const { place, life } = at
  const { doing } = life.run
  const calls = (world.processes[place]?.calls ?? []).map(each =>
    doing.kind === 'handle' && each.token === doing.token ? { ...each, isAwaited: false } : each,
  )
  const event: Event = { kind: 'handled', end: { kind: 'overstayed' } }
  return heard(withProcess(world, place, { calls }), at, { event }, cast)
}

interface CallPlace {
  readonly place: number
  readonly call: Call
}

function callMoves<Result>(world: World, { place, call }: CallPlace, cast: Cast<Result>): readonly Move[] {
  const { left, hasTransactions, book } = world
  const { token, key } = call
  const name = `the handler of process ${place + 1}`
  const over = withoutCall(world, place, call)
  const ends = (end: Handled, after: World): World => heardAtOnce(endsWith(after, { place, call }, end), place, cast)
  const moves: Move[] = []
  if (!hasTransactions) {
    const told: Handled = { kind: 'told', wanted: [], isApproval: true }
    moves.push({ text: `${name} returns`, world: ends(told, credited({ ...over, book: [...book, key] }, token)) })
  } else {
    const committed = commit(over, call)
    const end: Handled = committed === over ? { kind: 'lost' } : { kind: 'committed', known: keptOf(committed), wanted: [] }
    moves.push({ text: `${name} returns: ${end.kind}`, world: ends(end, committed) })
    if (left.lostCommits > 0 && call.isAwaited && committed !== over) {
      const lost = spend({ ...over, wire: [...over.wire, call] }, 'lostCommits')
      moves.push({ text: `${name} returns, and loses its commit`, world: ends({ kind: 'unknown', cause: undefined }, lost) })
    }
  }
  if (left.failures > 0)
    moves.push({ text: `${name} throws`, world: ends({ kind: 'failed', cause: undefined }, spend(over, 'failures')) })
  return moves
}

const keptOf = ({ known: { history, document } }: World) => ({ history, document })

/** Commits what a handler did, with the mark that it was told. @returns The very world where its lease is over. */
function commit(world: World, { token, key }: Call): World {
  const { known, book } = world
  const document = toldOutcome(known.document, token, [], true)
  if (document === undefined) return world
  return credited({ ...world, known: after(known, document, `commit-${token}`), book: [...book, key] }, token)
}

/** Whether a run has named that lease. */
const isOf = ({ run }: Life, token: string): boolean => token.startsWith(`${run.id}/`)

/** The run with that lease has told an outcome. */
const credited = (world: World, token: string): World => ({
  ...world,
  processes: world.processes.map(process => ({
    ...process,
    lives: process.lives.map(each => (isOf(each, token) ? { ...each, told: each.told + 1 } : each)),
  })),
})

/** Its run hears of it. Where that waits no longer, another one writes it down. */
function endsWith(world: World, { place, call }: CallPlace, end: Handled): World {
  const { token, until: at, isAwaited } = call
  if (!isAwaited) {
    if (end.kind === 'told') return withLife(world, place, 'write down', [{ ...end, token }])
    if (end.kind !== 'failed') return world
    return withLife(world, place, 'write down', [{ kind: 'not-told', token, at, failure: { error: end.cause } }])
  }
  const lives = (world.processes[place]?.lives ?? []).map(each =>
    each.run.doing.kind === 'handle' && each.run.doing.token === token
      ? { ...each, answer: { event: { kind: 'handled', end } as const } }
      : each,
  )
  return withProcess(world, place, { lives })
}

/** A commit arrives, or never does. */
const commits = (world: World): readonly Move[] =>
  world.wire.flatMap(call => {
    const gone = { ...world, wire: world.wire.filter(each => each !== call) }
    return [
      { text: `the commit of ${call.token} arrives`, world: commit(gone, call) },
      { text: `the commit of ${call.token} is rolled back`, world: gone },
    ]
  })

/** Somebody else writes down that the sale ended otherwise. */
function corrected(world: World): readonly Move[] {
  const { left, now, known, words } = world
  const [first = 0, ...rest] = words
  if (left.others === 0 || known.document === undefined) return []
  const status = first % 2 === 1 ? 'declined' : 'approved'
  const document = see(known.document, { ...replyAt(now), status }, now)
  const next = { ...spend(world, 'others'), words: [first + 1, ...rest] }
  return [
    {
      text: `somebody else writes that the sale is ${status}`,
      world: { ...next, known: after(known, document, `other-${first}`) },
    },
  ]
}

/** Fields that hold a moment. */
const moments: ReadonlySet<string> = new Set(['until', 'word', 'heardAt', 'askedAt', 'restsUntil'])

/** No rule tells moments apart that are longer ago. */
const longestAgo = 2 * tick

/** Fields of what follows from others. Nothing is decided by when a fact became known. */
const leftOut: ReadonlySet<string> = new Set(['document', 'payment', 'first', 'at', 'since'])

/** Lists of facts that were met, by their number. */
const factLists = new Map<string, string>()
const numbered = new WeakMap<object, string>()

const isOfTime = (field: string): boolean => leftOut.has(field) || moments.has(field) || field === 'firstAt'

/** Facts name no run, and nothing is decided by when they became known: a number says the same. */
function numberOf(facts: object): string {
  const known = numbered.get(facts)
  if (known !== undefined) return known
  const text = JSON.stringify(facts, (field, each: unknown) => (isOfTime(field) ? undefined : each))
  const number = factLists.get(text) ?? `#${factLists.size}`
  factLists.set(text, number)
  numbered.set(facts, number)
  return number
}

/** The text of a value, in which moments and names of runs can be found. */
function textAt(value: unknown, field = ''): string {
  if (typeof value === 'number') return moments.has(field) ? `@${value}` : `${value}`
  if (typeof value !== 'object' || value === null) return `${value}`
  if (field === 'facts') return numberOf(value)
  let text = '{'
  for (const [name, each] of Object.entries(value)) if (!leftOut.has(name)) text += `${name}:${textAt(each, name)},`
  return `${text}}`
}

/** What a world is for all that can happen: moments count from now, runs are named by their order, equal processes are in no order. */
export function textOf({ now, processes, runs: _named, ...world }: World): string {
  const text = (value: unknown): string =>
    textAt(value).replace(/@(-?\d+)/g, (_, moment) => `@${Math.max(Number(moment) - now, -longestAgo)}`)
  const inOrder = processes
    .map(text)
    .map(each => [each.replace(runName, ''), each] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const ids = new Map<string, string>()
  return `${text(world)}${inOrder.map(([, each]) => each).join()}`.replace(runName, id => {
    const name = ids.get(id) ?? `r${ids.size}`
    ids.set(id, name)
    return name
  })
}

const runName = /run-\d+/g
