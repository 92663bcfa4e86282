/** All that may happen next in the world of visits. */

import { newRun } from '../../../../packages/till/src/engine/run.js'
import { callbackCame } from '../../../../packages/till/src/rules/orders/happened.js'
import { isUntold } from '../../../../packages/till/src/state/known.js'
import { type Booked, login } from '../pay/gateway.js'
import { spend, withProcess } from '../walk/alike.js'
import { isVisitedPaid } from './judge.js'
import { commit, processMoves } from './process.js'
import {
  type Cast,
  isFinal,
  lease,
  type Move,
  type Process,
  roles,
  stored,
  storedAs,
  tick,
  visitedIn,
  type World,
} from './world.js'

/** All that may happen next. */
export function movesOf(world: World, cast: Cast): readonly Move[] {
  const { processes, lateWrites, lateCommits } = world
  return [
    ...processes.flatMap((process, place) =>
      process === undefined ? begins(world, place) : processMoves(world, { process, place }, cast),
    ),
    ...gateway(world),
    ...lateWrites.map(write => ({ text: `the write ${write.id} arrives late`, world: stored(world, write) })),
    ...lateCommits.flatMap(late => {
      const gone = { ...world, lateCommits: lateCommits.filter(each => each !== late) }
      return [
        { text: `the commit of ${late.token} arrives late`, world: commit(gone, late) },
        { text: `the commit of ${late.token} is rolled back`, world: gone },
      ]
    }),
    ...ticks(world),
  ]
}

function begins(world: World, place: number): readonly Move[] {
  const { left, processes } = world
  switch (roles[place]) {
    case 'visit':
      // Two who are idle are alike: the first one comes.
      return left.visits === 0 || processes.indexOf(undefined) !== place
        ? []
        : [{ text: `customer ${place + 1} comes back`, world: begun(spend(world, 'visits'), place, 'visit') }]
    case 'callback':
      return left.callbacks === 0 || !isFinal(visitedIn(world)) ? [] : [called(spend(world, 'callbacks'), place)]
    default:
      return left.turns === 0 || !isOpen(world)
        ? []
        : [{ text: 'the background begins', world: begun(spend(world, 'turns'), place, 'background') }]
  }
}

/** Whether the work in the background has something to do. */
export function isOpen({ known }: World): boolean {
  const orders = known.document?.orders ?? []
  return orders.some(
    ({ stages, callbackAt }) =>
      callbackAt !== undefined ||
      stages.some(isUntold) ||
      stages.length === 0 ||
      stages.some(({ outcome }) => outcome === undefined),
  )
}

function begun(world: World, place: number, does: Process['does'], word?: string): World {
  const { now, runs } = world
  const process: Process = {
    does,
    run: newRun<unknown>(`run-${runs + 1}`, 100 * lease),
    ...(word === undefined ? {} : { word }),
    restsUntil: now,
    mustShow: does === 'visit' && isVisitedPaid(world),
    called: 0,
    told: 0,
    steps: 0,
  }
  return withProcess({ ...world, runs: runs + 1 }, place, process)
}

/** The gateway calls back with the word that it said last. */
function called(world: World, place: number): Move {
  const { now, known, keepsCallbacks } = world
  const { clientOrderId, state } = visitedIn(world)
  const word = state === 'declined' ? 'declined' : 'approved'
  const text = `a callback says ${word}`
  if (!keepsCallbacks) return { text, world: begun(world, place, 'callback', word) }
  const document = callbackCame(known.document, { clientOrderId, login }, now)
  const kept = { ...storedAs(world, document, `callback-${word}`), cameWith: word }
  return { text: `${text}, and is kept`, world: begun(kept, place, 'callback', word) }
}

/** The gateway decides, and takes a word back. */
function gateway(world: World): readonly Move[] {
  const { books, left } = world
  return books.flatMap(order => {
    const becomes = (state: Booked['state'], after: World): Move => ({
      text: `${order.clientOrderId} is ${state}`,
      world: { ...after, books: books.map(each => (each === order ? { ...each, state } : each)) },
    })
    if (order.state === 'open')
      return [becomes('approved', world), ...(left.declines > 0 ? [becomes('declined', spend(world, 'declines'))] : [])]
    return order.state === 'declined' && left.corrections > 0 ? [becomes('corrected', spend(world, 'corrections'))] : []
  })
}

/** Time passes while nobody can do anything else: a handler ends within its lease. */
const ticks = (world: World): readonly Move[] =>
  world.processes.some(each => each !== undefined && (each.restsUntil <= world.now || each.run.doing.kind === 'handle'))
    ? []
    : [{ text: 'time passes', world: { ...world, now: world.now + tick } }]
