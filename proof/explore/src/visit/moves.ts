/** All that may happen next in the world of visits. */

import { newRun } from '../../../../packages/till/src/engine/run.js'
import { callbackCame } from '../../../../packages/till/src/rules/orders/happened.js'
import { isUntold, type KnownOrder } from '../../../../packages/till/src/state/known.js'
import { type Booked, login } from '../pay/gateway.js'
import { spend, withProcess } from '../walk/alike.js'
import { isVisitedPaid } from './judge.js'
import { commit, processMoves } from './process.js'
import { repeatedId } from './repeated.js'
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
  const { left, processes, books } = world
  const role = roles[place]
  // Those who are idle in one role are alike: the first one begins.
  if (processes.findIndex((each, at) => each === undefined && roles[at] === role) !== place) return []
  switch (role) {
    case 'visit':
      return left.visits === 0
        ? []
        : [{ text: `customer ${place + 1} comes back`, world: begun(spend(world, 'visits'), place, { does: 'visit' }) }]
    case 'callback':
      return left.callbacks === 0 ? [] : calledAbout(books).map(each => called(spend(world, 'callbacks'), place, each))
    default:
      return left.turns === 0
        ? []
        : openOrders(world).map(({ clientOrderId = '', orderId = '' }) => ({
            text: `the background begins with ${clientOrderId}`,
            world: begun(spend(world, 'turns'), place, { does: 'background', about: { clientOrderId, orderId } }),
          }))
  }
}

/** The orders that the gateway calls about: the last one, and what was made under its id. */
function calledAbout(books: readonly Booked[]): readonly Booked[] {
  const visited = visitedIn({ books })
  return books.filter(each => isFinal(each) && each.clientOrderId === visited.clientOrderId)
}

/** The orders that the work in the background has something to do about: of those that were opened before, one stands for all. */
export function openOrders({ known, books }: World): readonly KnownOrder[] {
  const open = (known.document?.orders ?? []).filter(
    ({ stages, callbackAt }) =>
      callbackAt !== undefined ||
      stages.some(isUntold) ||
      stages.length === 0 ||
      stages.some(({ outcome, amount }) => outcome === undefined || (outcome === 'approved' && amount === undefined)),
  )
  const repeated = open.filter(({ orderId }) => orderId === repeatedId)
  if (open.length === repeated.length) return repeated
  const { clientOrderId, orderId } = visitedIn({ books })
  const [one = { clientOrderId, orderId }] = (known.document?.orders ?? []).filter(
    each => each.clientOrderId === clientOrderId,
  )
  return [one as KnownOrder, ...repeated]
}

function begun(world: World, place: number, what: Pick<Process, 'does' | 'about'>): World {
  const { now, runs } = world
  const process: Process = {
    ...what,
    run: newRun<unknown>(`run-${runs + 1}`, 100 * lease),
    restsUntil: now,
    mustShow: what.does === 'visit' && isVisitedPaid(world),
    called: 0,
    told: 0,
    steps: 0,
  }
  return withProcess({ ...world, runs: runs + 1 }, place, process)
}

/** The gateway calls back with the word that it said last of an order. */
function called(world: World, place: number, { clientOrderId, orderId, state }: Booked): Move {
  const { now, known, keepsCallbacks, runs } = world
  const word = state === 'declined' ? 'declined' : 'approved'
  const isRepeated = orderId === repeatedId
  const text = `a callback says ${word}${isRepeated ? ' of the repeated order' : ''}`
  const what = { does: 'callback', about: { clientOrderId, orderId, word } } as const
  if (!keepsCallbacks || isRepeated) return { text, world: begun(world, place, what) }
  const document = callbackCame(known.document, { clientOrderId, login }, now)
  // Two callbacks are two writes: a process that knew the first one alone comes too late.
  const kept = { ...storedAs(world, document, `run-${runs + 1}/kept`), cameWith: word }
  return { text: `${text}, and is kept`, world: begun(kept, place, what) }
}

/** The gateway decides, and takes a word back. */
function gateway(world: World): readonly Move[] {
  const { books, left } = world
  const visited = visitedIn(world)
  const repeated: Booked = { ...visited, orderId: repeatedId, state: 'open' }
  const repeats: readonly Move[] =
    left.repeats === 0
      ? []
      : [
          {
            text: 'something repeats the request on its way',
            world: { ...spend(world, 'repeats'), books: books.toSpliced(-1, 0, repeated) },
          },
        ]
  return [
    ...repeats,
    ...books.flatMap(order => {
      const name = `${order.clientOrderId}${order.orderId === repeatedId ? ', repeated,' : ''}`
      const becomes = (now: Partial<Booked>, after: World, text = `is ${now.state}`): Move => ({
        text: `${name} ${text}`,
        world: { ...after, books: books.map(each => (each === order ? { ...each, ...now } : each)) },
      })
      const late = { state: 'approved', isAmountLate: true } as const
      if (order.isAmountLate === true) return [becomes({ isAmountLate: false }, world, 'has an amount')]
      if (order.state === 'open')
        return [
          becomes({ state: 'approved' }, world),
          ...(left.declines > 0 ? [becomes({ state: 'declined' }, spend(world, 'declines'))] : []),
          ...(left.lateAmounts > 0
            ? [becomes(late, spend(world, 'lateAmounts'), 'is approved without an amount')]
            : []),
        ]
      return order.state === 'declined' && left.corrections > 0
        ? [becomes({ state: 'corrected' }, spend(world, 'corrections'))]
        : []
    }),
  ]
}

/** Time passes while nobody can do anything else: a handler ends within its lease. */
const ticks = (world: World): readonly Move[] =>
  world.processes.some(each => each !== undefined && (each.restsUntil <= world.now || each.run.doing.kind === 'handle'))
    ? []
    : [{ text: 'time passes', world: { ...world, now: world.now + tick } }]
