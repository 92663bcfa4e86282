/** All that may happen in a world of deliveries. */

import { type Effect, type Ended, type Event, type Handled, newRun } from '../../../../packages/till/src/engine/run.js'
import { claimedOutcome, toldOutcome } from '../../../../packages/till/src/rules/delivery/delivery.js'
import type { Told } from '../../../../packages/till/src/rules/happening.js'
import { replyAt } from '../sending/gateway.js'
import type { Advance } from '../sending/world.js'
import { wronged } from '../walk/alike.js'
import { forgotten } from '../walk/forgotten.js'
import { breaks } from '../walk/rules.js'
import {
  after,
  type Call,
  type Cast,
  changed,
  idle,
  isAllTold,
  type Life,
  lease,
  type Move,
  type Process,
  see,
  spend,
  tick,
  type World,
  withProcess,
} from './world.js'

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
  if (!isAllTold(world) && lives.filter(({ does }) => does === 'deliver').length < world.runsEach)
    moves.push({ text: `${name} begins`, world: withLife(world, place, 'deliver') })
  if (world.left.crashes > 0 && lives.length + calls.length > 0) {
    const what = lives.map(({ run }) => run.doing.kind).join(' and ')
    moves.push({
      text: `${name} dies while it does "${what}"`,
      world: withProcess(spend(world, 'crashes'), place, idle),
    })
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
    const alone: Life = { ...life, restsUntil: now, isAlone: true }
    const lives = changed(world.processes[place]?.lives ?? [], nth, alone)
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

/** A read and a handler's end are heard of at once, unless somebody is slow: what may happen before that may happen after it as well. */
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
  { id, after: before, document }: Extract<Effect<unknown>, { kind: 'write' }>,
  waits: (event: Event, world?: World) => World,
): World {
  const { known } = world
  if (known.writeId === id) return waits({ kind: 'written' })
  if (known.writeId !== before) return waits({ kind: 'conflict', known })
  const next = wronged({ ...world, known: { document, writeId: id } }, forgotten(known.document, document))
  return waits({ kind: 'written' }, document.telling?.token === id ? leased(world, next, life) : next)
}

/**
 * A lease was written: that of nobody else was taken, and none has failed more than once.
 */
function leased(world: World, next: World, life: Life): World {
  const { known, now, leases } = world
  const before = known.document?.telling
  const { tries = 0 } = next.known.document?.telling?.failed ?? {}
  const isTaken = before !== undefined && before.until > now && !isOf(life, before.token)
  const wrong = isTaken ? breaks('one teller', `${life.run.id} takes the lease of somebody else`) : undefined
  const counted =
    tries > leases ? breaks('told again only after trouble', `${leases} leases have failed ${tries} times`) : undefined
  return wronged({ ...next, leases: leases + 1 }, wrong ?? counted)
}

/** The process hears of something, and goes on to its next effect. A failing store is tried again within a tick, or after it. */
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
      return wronged(after, wrong)
    }
    case 'sleep':
      // A caller who has left ends the wait.
      return goesOn({ restsUntil: life.isAlone === true ? now : now + effect.milliseconds })
    case 'handle': {
      const { token, until } = effect
      const { document } = run.known
      const leased = document === undefined ? undefined : claimedOutcome(document, token)
      if (leased === undefined) return wronged(world, breaks('one teller', `${run.id} calls a handler without a lease`))
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
  return wronged({ ...world, called: [...called, key] }, wrong === undefined ? undefined : breaks('one teller', wrong))
}

const withoutCall = (world: World, place: number, call: Call): World =>
  withProcess(world, place, {
    calls: (world.processes[place]?.calls ?? []).filter(({ token }) => token !== call.token),
  })

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
    const end: Handled =
      committed === over ? { kind: 'lost' } : { kind: 'committed', known: keptOf(committed), wanted: [] }
    moves.push({ text: `${name} returns: ${end.kind}`, world: ends(end, committed) })
    if (left.lostCommits > 0 && call.isAwaited && committed !== over) {
      const lost = spend({ ...over, wire: [...over.wire, call] }, 'lostCommits')
      moves.push({
        text: `${name} returns, and loses its commit`,
        world: ends({ kind: 'unknown', cause: undefined }, lost),
      })
    }
  }
  if (left.failures > 0)
    moves.push({ text: `${name} throws`, world: ends({ kind: 'failed', cause: undefined }, spend(over, 'failures')) })
  return moves
}

const keptOf = ({ known: { document } }: World) => ({ document })

/** Commits what a handler did, with the mark that it was told. @returns The very world where its lease is over. */
function commit(world: World, { token, key }: Call): World {
  const { known, book } = world
  const document = toldOutcome(known.document, token, [], true)
  if (document === undefined) return world
  const kept = after(document, `commit-${token}`)
  const lost = forgotten(known.document, kept.document)
  return credited(wronged({ ...world, known: kept, book: [...book, key] }, lost), token)
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
  // Each question was asked at a moment of its own.
  const document = see(known.document, { ...replyAt(now), status }, now + first)
  const next = { ...spend(world, 'others'), words: [first + 1, ...rest] }
  return [
    {
      text: `somebody else writes that the sale is ${status}`,
      world: { ...next, known: after(document, `other-${first}`) },
    },
  ]
}
