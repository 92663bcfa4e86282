/** Scenes, each with one cause of trouble, and what must hold in every world of theirs. */
import { defaultProfile } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import { newRun } from '../../../../packages/till/src/engine/run.js'
import { ask } from '../../../../packages/till/src/intents/ask.js'
import { type RequestPlan, send } from '../../../../packages/till/src/intents/send.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { type Explored, explore } from '../walk/explorer.js'
import { type Broken, breaks } from '../walk/rules.js'
import {
  type Advance,
  about,
  apart,
  type Budget,
  firstWorld,
  gatewayUrl,
  movesOf,
  quietPeriod,
  textOf,
  timeout,
  type World,
} from './world.js'

export const plan: RequestPlan = {
  attempt: {
    ...about,
    attemptId: 'basket-7',
    operation: 'sale',
    effect: 'creates',
    stages: ['sale'],
    baseUrl: gatewayUrl,
    endpointId: '39',
    amount: '10.00',
    currency: 'EUR',
    fingerprint: 'f',
  },
  timeout,
}

/** The shipped runner of the shipped intent. */
export const shipped: Advance = createAdvance(send(plan), () => defaultProfile)

/** The shipped runner of the shipped intent that asks. It knows of the order what a caller may know at least. */
const asking = createAdvance(
  ask({
    order: { ...about, attempts: [{ ...plan.attempt, reservation: 'any', reservedAt: 0, sendBy: 0 }], stages: [] },
    profile: defaultProfile,
  }),
  () => defaultProfile,
  { quietPeriod, apart },
)

const none: Budget = { presses: 0, crashes: 0, lostWrites: 0, lostAnswers: 0, slowTicks: 0 }

export const scenes = {
  'two presses': { ...none, presses: 2 },
  'a crash anywhere': { ...none, presses: 2, crashes: 1 },
  'a lost answer': { ...none, presses: 2, lostAnswers: 1, lostWrites: 1 },
  'a slow process': { ...none, presses: 2, slowTicks: 1 },
  'a slower process': { ...none, presses: 2, slowTicks: 2 },
} as const satisfies Readonly<Record<string, Budget>>

/** Explores a scene. @param advance Default: the shipped one. @param look Sees each world. */
export const exploreScene = (
  name: keyof typeof scenes,
  advance: Advance = shipped,
  look: (world: World) => void = () => {},
): Explored =>
  explore({
    first: firstWorld(scenes[name], 2),
    movesOf: world => movesOf(world, { send: advance, ask: asking, begin: id => newRun<unknown>(id, timeout) }),
    textOf,
    brokenIn(world) {
      look(world)
      return brokenIn(world)
    },
  })

/** Names the rule that a world breaks; undefined: none. */
export function brokenIn(world: World): Broken | undefined {
  const { books, results, known, wire, wrong } = world
  if (wrong !== undefined) return wrong
  if (books.length > 1) return breaks('one charge', `charged ${books.length} times: ${books.join(', ')}`)
  const mayArrive = (request: string) => books.includes(request) || wire.some(each => each.request === request)
  for (const { run, kind, request } of results) {
    if (request === undefined) {
      if ([...books, ...wire.map(each => each.request)].some(each => each.startsWith(`${run}/`)))
        return breaks('nothing means nothing', `${run} says that nothing was sent, and something was`)
      continue
    }
    if (kind === 'accepted' && !books.includes(request))
      return breaks('heard is true', `${run} says accepted of what never arrived`)
    if (didNothing(kind) && mayArrive(request))
      return breaks('nothing means nothing', `${run} says ${kind} of what may arrive`)
  }
  const late = wire.find(({ request, leftAt }) => leftAt >= (sendByOf(request, known.document) ?? leftAt + 1))
  if (late !== undefined) return breaks('in its time', `${late.request} left too late`)
  const lie = attemptsOf(known.document).find(
    ({ reservation, end }) => end !== undefined && didNothing(end.kind) && mayArrive(reservation),
  )
  return lie === undefined
    ? undefined
    : breaks('nothing means nothing', `it is kept that ${lie.reservation} did nothing, and it may arrive`)
}

const didNothing = (kind: string): boolean => kind !== 'accepted' && kind !== 'unknown'

const sendByOf = (request: string, document: PaymentDocument | undefined): number | undefined =>
  attemptsOf(document).find(({ reservation }) => reservation === request)?.sendBy

const attemptsOf = (document: PaymentDocument | undefined) =>
  (document?.orders ?? []).flatMap(({ attempts }) => attempts)
