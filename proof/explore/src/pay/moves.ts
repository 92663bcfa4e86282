/** All that may happen next in the world of a payment. */

import { newRun } from '../../../../packages/till/src/engine/run.js'
import type { WantedDecision } from '../../../../packages/till/src/rules/people/wanted.js'
import { isUnresolved } from '../../../../packages/till/src/state/attempt-rules.js'
import { quietFrom } from '../../../../packages/till/src/state/known.js'
import { spend, withProcess } from '../walk/alike.js'
import { addressOf, type Booked, isPaid, isPayable } from './gateway.js'
import { replacedIn } from './judge.js'
import { arrivals, processMoves } from './process.js'
import { attemptsOf, type Cast, type Move, type Process, patience, stored, type World } from './world.js'

/** All that may happen next. */
export function movesOf(world: World, cast: Cast): readonly Move[] {
  return [
    ...world.processes.flatMap((process, place) => {
      if (process !== undefined) return processMoves(world, { process, place }, cast)
      return place === world.processes.length - 1
        ? [...asks(world, place), ...decides(world, place), ...abandons(world, place)]
        : pressed(world, place, cast)
    }),
    ...arrivals(world, cast),
    ...lateWrites(world),
    ...customers(world),
    ...people(world),
    ...ticks(world),
  ]
}

/** Two idle processes are alike: the first one is asked. */
function pressed(world: World, place: number, { amounts, accounts }: Cast): readonly Move[] {
  const { left, pressed, processes } = world
  if (left.presses === 0 || processes.indexOf(undefined) !== place) return []
  const about = amounts[Math.min(pressed, amounts.length - 1)] ?? ''
  const inOrder = world.hasChanged === true ? accounts.toReversed() : accounts
  const login = inOrder[Math.min(pressed, accounts.length - 1)] ?? ''
  const allows = world.mayReplace ? { mayReplace: true as const } : {}
  const doing = { does: 'pay', about, login, ...allows } as const
  const begun = begins({ ...spend(world, 'presses'), pressed: pressed + 1 }, place, doing)
  return [{ text: `process ${place + 1} is asked for ${about}`, world: begun }]
}

/** The work in the background asks about an order that has not ended, and in a restored store about any. */
function asks(world: World, place: number): readonly Move[] {
  const { left, known, now } = world
  if (left.asks === 0) return []
  const open = (known.document?.orders ?? []).filter(({ attempts, stages }) => {
    const isQuiet = attempts.every(each => !isUnresolved(each) || now >= quietFrom(each))
    return isQuiet && (world.isRestored || !stages.some(({ outcome }) => outcome !== undefined))
  })
  return open.map(({ clientOrderId: about = '', login }) => ({
    text: `the background asks about ${about}`,
    world: begins(spend(world, 'asks'), place, { does: 'ask', about, login }),
  }))
}

/**
 * A person decides about a request of which nobody knows the end, by what the gateway's books say: it is there, or it is not, and nothing of it
 * is on its way any more. Whether it may still leave is for the till to know.
 */
function decides(world: World, place: number): readonly Move[] {
  const { left, known, books, wire, now } = world
  if (left.decisions === 0) return []
  const open = attemptsOf(known.document).filter(isUnresolved)
  return open.flatMap(({ reservation: request, clientOrderId: order = '', login }) => {
    const booked = books.find(each => each.request === request)
    if (booked === undefined && wire.some(each => each.request === request)) return []
    const decision: WantedDecision =
      booked === undefined
        ? { kind: 'failed', order, request }
        : { kind: 'arrived', orderId: booked.orderId, order, request }
    const about = JSON.stringify(decision)
    return [
      {
        text: `a person says of ${request}: ${decision.kind}`,
        world: begins(spend(world, 'decisions'), place, { does: 'decide', about, login, spokenAt: now }),
      },
    ]
  })
}

/** A person gives an order up on whose form nobody has paid, as far as the store knows. */
function abandons(world: World, place: number): readonly Move[] {
  const { left, known, now } = world
  if (left.abandons === 0) return []
  const open = (known.document?.orders ?? []).filter(order => {
    const hasForm = order.attempts.some(({ end }) => end?.redirectUrl !== undefined)
    return hasForm && order.left === undefined && order.stages.every(({ outcome }) => outcome === undefined)
  })
  return open.map(({ clientOrderId: order = '', login }) => {
    const about = JSON.stringify({ kind: 'abandon', order } satisfies WantedDecision)
    return {
      text: `a person gives ${order} up`,
      world: begins(spend(world, 'abandons'), place, { does: 'decide', about, login, spokenAt: now }),
    }
  })
}

type Does = Pick<Process, 'does' | 'about' | 'login' | 'spokenAt' | 'mayReplace'>

function begins(world: World, place: number, does: Does): World {
  const { now, runs, books, known } = world
  const run = newRun<unknown>(`run-${runs + 1}`, patience)
  const times = { heardAt: now, askedAt: now, behind: 0, ahead: 0 }
  const replaced = replacedIn(known.document)
  const begun = books.flatMap(({ state, clientOrderId: id }) =>
    state === 'begun' && !replaced.includes(id) ? [id] : [],
  )
  const process: Process = { ...does, run, ...times, sent: 0, steps: 0, wasPaid: books.some(isPaid), begun }
  return withProcess({ ...world, runs: runs + 1 }, place, process)
}

/** Time passes while nobody can do anything else, and beyond that where somebody is slow. An answer that is not lost is there in time. */
function ticks(world: World): readonly Move[] {
  const { now, processes, left, wire } = world
  const alive = processes.flatMap(each => each ?? [])
  if (alive.some(each => isAwaited(each) && now >= deadlineOf(each))) return []
  const isSlow = alive.some(each => !isAwaited(each) && now >= (each.wakesAt ?? now))
  // A handler ends within its lease.
  const isLate = alive.some(({ run: { doing } }) => doing.kind === 'handle' && now + 1 >= doing.until)
  if (isLate || (isSlow && left.slowTicks === 0)) return []
  const after = isSlow ? spend(world, 'slowTicks') : world
  return [
    {
      text: `time passes${isSlow ? ', and somebody is slow' : ''}`,
      world: { ...after, now: now + 1, wire: wire.filter(({ until }) => until > now) },
    },
  ]
}

const isAwaited = ({ hasSent, answer }: Process): boolean => hasSent === true && answer === undefined

const deadlineOf = ({ run: { doing } }: Process): number => (doing.kind === 'request' ? doing.startBy : 0)

const lateWrites = (world: World): readonly Move[] =>
  world.lateWrites.map(({ id, document }) => ({
    text: `the write ${id} arrives late`,
    world: stored(world, { document, writeId: id }),
  }))

/** Customers who were given an address pay there, as long as the form takes a card; and the gateway corrects itself. */
function customers(world: World): readonly Move[] {
  const { books, given, left, now } = world
  return books.flatMap(order => {
    const { orderId, state } = order
    const becomes = (state: Booked['state'], after: World = world): World => ({
      ...after,
      books: books.map(each => (each === order ? { ...each, state } : each)),
    })
    if (state === 'declined' && left.corrections > 0)
      return [
        { text: `form ${orderId} is approved after all`, world: becomes('corrected', spend(world, 'corrections')) },
      ]
    if (!given.includes(addressOf(order)) || !isPayable(order, now)) return []
    const moves = [{ text: `a customer pays on form ${orderId}`, world: becomes('approved') }]
    if (left.declines > 0 && state !== 'declined')
      moves.push({
        text: `a card is declined on form ${orderId}`,
        world: becomes('declined', spend(world, 'declines')),
      })
    if (left.begins > 0 && state === 'open')
      moves.push({ text: `a card is given on form ${orderId}`, world: becomes('begun', spend(world, 'begins')) })
    return moves
  })
}

/** A person stops new money, or puts the store back or changes the settings while every process is stopped. */
function people(world: World): readonly Move[] {
  const { left, known, earlier, processes } = world
  const moves: Move[] = []
  if (left.pauses > 0)
    moves.push({ text: 'a person stops new money', world: { ...spend(world, 'pauses'), isPaused: true } })
  if (left.settings > 0)
    moves.push({
      text: 'every process is started anew, with other settings',
      world: {
        ...spend(world, 'settings'),
        mayReplace: !world.mayReplace,
        hasChanged: true,
        processes: processes.map(() => undefined),
      },
    })
  if (left.restores > 0 && known.writeId !== undefined)
    for (const [nth, before] of earlier.entries())
      moves.push({
        text: `the store is put back by ${earlier.length - nth} writes`,
        world: {
          ...spend(world, 'restores'),
          known: before,
          earlier: [],
          lateWrites: [],
          isRestored: true,
          processes: processes.map(() => undefined),
        },
      })
  return moves
}
