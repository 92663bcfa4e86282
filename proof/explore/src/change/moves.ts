/** All that may happen next in the world of changes. */

import { type Event, newRun } from '../../../../packages/till/src/engine/run.js'
import { hour } from '../../../../packages/till/src/rules/orders/callback-shown.js'
import { isAwaited } from '../../../../packages/till/src/rules/orders/expected.js'
import { isUnresolved } from '../../../../packages/till/src/state/attempt-rules.js'
import { quietFrom } from '../../../../packages/till/src/state/known.js'
import { spend, withProcess } from '../walk/alike.js'
import {
  type Booked,
  bookedAmount,
  changed,
  changes,
  orderIds,
  orderOf,
  paid,
  part,
  serialNumberOf,
} from './gateway.js'
import { processMoves } from './process.js'
import { type Cast, type Move, owed, type Process, patience, stored, type World } from './world.js'

/** A change that the till did not ask for is booked under this name. */
const hand = 'by hand'

/** All that may happen next. */
export function movesOf(world: World, cast: Cast): readonly Move[] {
  const { processes, lateWrites } = world
  return [
    ...processes.flatMap((process, place) => {
      if (process !== undefined) return processMoves(world, { process, place }, cast)
      return place === processes.length - 1
        ? [...asks(world, place), ...calls(world, place), ...looks(world, place)]
        : [...asked(world, place), ...carried(world, place)]
    }),
    ...byHand(world),
    ...takenBack(world),
    ...arrivals(world),
    ...lateWrites.map(write => ({ text: `the write ${write.id} arrives late`, world: stored(world, write) })),
    ...ends(world),
    ...ticks(world),
    ...hours(world),
  ]
}

/** Two idle processes are alike: the first one is asked. */
function asked(world: World, place: number): readonly Move[] {
  const { wishes, processes } = world
  const [wish, ...rest] = wishes
  if (wish === undefined || processes.indexOf(undefined) !== place) return []
  return [
    { text: `process ${place + 1} is asked for ${wish}`, world: begins({ ...world, wishes: rest }, place, { wish }) },
  ]
}

/** The first of two idle processes carries a follow-up out, while there is one. */
function carried(world: World, place: number): readonly Move[] {
  const { known, left, processes, books } = world
  const carrying = processes.filter(each => each?.carries === true)
  if (left.carries === 0 || carrying.length > 1 || owed(known.document).length === 0) return []
  if (processes.indexOf(undefined) !== place) return []
  const after = books.some(({ request }) => request === hand) ? { isAfterHand: true as const } : {}
  return [
    {
      text: `process ${place + 1} carries a follow-up out`,
      world: begins(spend(world, 'carries'), place, { carries: true, ...after }),
    },
  ]
}

/** A person gives something back at the gateway's own screens. */
function byHand(world: World): readonly Move[] {
  const { handWish: wish, left, books } = world
  const amount = wish === 'other' ? paid : part
  if (left.byHand === 0 || isTooMuch({ wish, amount }, books)) return []
  const booked = { request: hand, wish, amount, state: 'approved' } as const
  const what = wish === 'other' ? 'the other order' : 'a part'
  return [
    {
      text: `somebody gives ${what} back at the gateway`,
      world: { ...spend(world, 'byHand'), books: [...books, booked] },
    },
  ]
}

/** The gateway says another word than before about what was given back there. That is later than whatever status said before. */
const takenBack = (world: World): readonly Move[] =>
  world.left.corrections === 0 || !mayPass(world)
    ? []
    : world.books.flatMap((each, nth) => {
        if (each.request !== hand) return []
        const state = each.state === 'approved' ? 'declined' : 'approved'
        const books = world.books.map((other, at) => (at === nth ? { ...other, state } : other)) as World['books']
        if (changed(books, 'return') > paid) return []
        const called = world.called.filter(other => other !== nth)
        const text = `the gateway says that what was given back there is ${state}`
        return [{ text, world: aTickLater({ ...spend(world, 'corrections'), books, called }) }]
      })

/** Whether more would be given back of an order than was paid. */
const isTooMuch = ({ wish, amount }: Pick<Booked, 'wish' | 'amount'>, books: World['books']): boolean =>
  changed(
    books.filter(each => orderOf(each.wish) === orderOf(wish)),
    'return',
  ) +
    amount >
  paid

/** The gateway calls back about what was given back there, and calls again. */
function calls(world: World, place: number): readonly Move[] {
  const { left, books, handWish } = world
  if (left.calls === 0 || handWish === 'other') return []
  return books.flatMap(({ request, state }, nth) =>
    request === hand
      ? [
          {
            text: `a callback says that something given back is ${state}${world.called.includes(nth) ? ', again' : ''}`,
            world: begins(spend(world, 'calls'), place, { called: { nth, state } }),
          },
        ]
      : [],
  )
}

/** The work in the background looks after an order whose callback is open. */
function looks(world: World, place: number): readonly Move[] {
  const [order] = world.known.document?.orders ?? []
  if (world.left.looks === 0 || order?.callbackAt === undefined) return []
  return [{ text: 'somebody looks after the callback', world: begins(spend(world, 'looks'), place, { looks: true }) }]
}

/** The work in the background asks about an order while something of it is open. */
function asks(world: World, place: number): readonly Move[] {
  const { known, left, now } = world
  if (left.asks === 0) return []
  return (known.document?.orders ?? []).flatMap(order => {
    const isQuiet = order.attempts.every(each => !isUnresolved(each) || now >= quietFrom(each))
    if (!isQuiet || !isAwaited(order)) return []
    const isOther = order.orderId === orderIds['basket-7.2r']
    const about = isOther ? { about: 'basket-7.2r' as const } : {}
    const text = isOther ? 'somebody wants to know of the other order' : 'somebody wants to know'
    return [{ text, world: begins(spend(world, 'asks'), place, about) }]
  })
}

function begins(
  world: World,
  place: number,
  does: Pick<Process, 'wish' | 'carries' | 'isAfterHand' | 'about' | 'called' | 'looks'>,
): World {
  const { now, runs } = world
  const run = newRun<unknown>(`run-${runs + 1}`, patience)
  return withProcess({ ...world, runs: runs + 1 }, place, { ...does, run, began: now, sent: 0, steps: 0 })
}

/** The gateway says how a change ends. */
const ends = (world: World): readonly Move[] =>
  world.books.flatMap((each, nth) => {
    if (each.state !== 'open') return []
    const becomes = (state: 'approved' | 'declined', after: World): Move => ({
      text: `${each.request} is ${state}`,
      world: { ...after, books: world.books.map((other, at) => (at === nth ? { ...other, state } : other)) },
    })
    return [
      becomes('approved', world),
      ...(world.left.declines > 0 ? [becomes('declined', spend(world, 'declines'))] : []),
    ]
  })

/** Time passes while nobody can do anything else, and beyond that where somebody is slow. An answer that is not lost is there in time. */
function ticks(world: World): readonly Move[] {
  const { processes, left } = world
  const isSlow = processes.some(each => each !== undefined && !isOnItsWay(each))
  if (!mayPass(world) || (isSlow && left.slowTicks === 0)) return []
  const after = isSlow ? spend(world, 'slowTicks') : world
  return [{ text: `time passes${isSlow ? ', and somebody is slow' : ''}`, world: aTickLater(after) }]
}

const mayPass = ({ now, processes }: World): boolean =>
  !processes.some(each => each !== undefined && isOnItsWay(each) && now >= startByOf(each))

const aTickLater = (world: World): World => ({
  ...world,
  now: world.now + 1,
  wire: world.wire.filter(({ until }) => until > world.now),
})

/** An hour passes while nobody does anything, and nothing is on its way. */
const hours = (world: World): readonly Move[] =>
  world.left.hours === 0 || world.wire.length > 0 || world.processes.some(each => each !== undefined)
    ? []
    : [{ text: 'an hour passes', world: { ...spend(world, 'hours'), now: world.now + hour } }]

const isOnItsWay = ({ hasSent, answer }: Process): boolean => hasSent === true && answer === undefined

const startByOf = ({ run: { doing } }: Process): number => (doing.kind === 'request' ? doing.startBy : 0)

/** Each request on its way may arrive. Whoever waits for its answer gets it. */
const arrivals = (world: World): readonly Move[] =>
  world.wire.flatMap(packet => {
    const { now, books, wire, left, endsLater, isNumbered } = world
    const { until: _arrived, ...asked } = packet
    const booked = { ...asked, amount: bookedAmount(packet, books) }
    const { request } = packet
    const arrives = (text: string, after: World, end: Extract<Event, { kind: 'sent' }>['end']): Move => ({
      text: `${request} arrives: ${text}`,
      world: {
        ...after,
        wire: wire.filter(each => each !== packet),
        processes: world.processes.map(each =>
          each?.run.doing.kind === 'request' && each.run.doing.request === request
            ? { ...each, answer: { kind: 'sent', end } }
            : each,
        ),
      },
    })
    const accepted = {
      kind: 'accepted',
      orderId: orderIds[orderOf(packet.wish)],
      ...(isNumbered ? { serialNumber: serialNumberOf(books.length) } : {}),
      connection: 'answered',
      at: now,
    } as const
    const taken = (state: 'open' | 'approved' | 'declined', after: World): Move =>
      arrives(
        state === 'open' ? 'the gateway takes it' : state,
        { ...after, books: [...books, { ...booked, state }] },
        accepted,
      )
    // A person has given something back that the merchant did not know of.
    if (world.handWish === 'hand' && changes[packet.wish].name === 'return' && isTooMuch(booked, books))
      return [arrives('refused', world, { kind: 'refused', connection: 'answered', at: now })]
    return [
      taken(endsLater ? 'open' : 'approved', world),
      ...(left.declines > 0 && !endsLater ? [taken('declined', spend(world, 'declines'))] : []),
      ...(left.refusals > 0
        ? [arrives('refused', spend(world, 'refusals'), { kind: 'refused', connection: 'answered', at: now })]
        : []),
    ]
  })
