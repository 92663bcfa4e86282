/** Scenes of returns, captures and voids, each with one cause of trouble. */
import { defaultProfile, type StageName } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import { ask } from '../../../../packages/till/src/intents/ask.js'
import { callback } from '../../../../packages/till/src/intents/callback.js'
import { type ChangePlan, change } from '../../../../packages/till/src/intents/change.js'
import { type FollowUpPlan, followUp } from '../../../../packages/till/src/intents/follow-up.js'
import type { ChangeTerms } from '../../../../packages/till/src/rules/pay/change-step.js'
import { findOrder, type PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { evolve } from '../../../../packages/till/src/state/evolve.js'
import { wordsOf } from '../../../../packages/till/src/state/known.js'
import { about, gatewayUrl } from '../sending/world.js'
import { type Explored, type Exploring, explore } from '../walk/explorer.js'
import { changes, marksOf, type OrderName, orderIds, type Wish } from './gateway.js'
import { brokenIn } from './judge.js'
import { movesOf } from './moves.js'
import { textOf } from './text.js'
import {
  apart,
  type Beginning,
  type CalledAbout,
  type Carrying,
  type Cast,
  type Change,
  firstWorld,
  quietPeriod,
  timeout,
  type World,
  wishOf,
} from './world.js'

const stages = {
  return: ['cancel', 'reversal'],
  capture: ['capture'],
  void: ['void'],
} as const satisfies Readonly<Record<ChangeTerms['name'], readonly StageName[]>>

/** The shipped intent of a wish. */
export const planOf = (wish: Wish): ChangePlan => ({
  terms: changes[wish],
  profile: defaultProfile,
  profileOf: () => defaultProfile,
  requestFor: ({ clientOrderId, orderId, login }, { amount, attemptId = changes[wish].name }) => ({
    attempt: {
      clientOrderId,
      orderId,
      login,
      attemptId,
      operation: changes[wish].name,
      effect: 'changes',
      stages: stages[changes[wish].name],
      baseUrl: gatewayUrl,
      endpointId: '39',
      ...(amount === undefined ? {} : { amount, currency: 'EUR' }),
      fingerprint: `${changes[wish].name} of ${amount}`,
    },
    timeout,
  }),
})

/** The shipped runner of an intent. */
export const runnerOf = (next: ReturnType<typeof change>): Change =>
  createAdvance(next, () => defaultProfile, { quietPeriod, apart })

/** Makes the runner of a wish. */
export type MakeChange = (wish: Wish) => Change

/** The shipped runner of the shipped intent. */
export const shipped: MakeChange = wish => runnerOf(change(planOf(wish)))

/** The shipped runner of the shipped intent that asks. It knows of the order what it read first. */
const askerOf = (clientOrderId: OrderName): ReturnType<Cast['ask']> =>
  createAdvance(
    scene => {
      const order = scene.heard.first && findOrder(scene.heard.first, { ...about, clientOrderId })
      if (order === undefined) throw new Error('The order is gone.')
      return ask({ order, profile: defaultProfile })(scene)
    },
    () => defaultProfile,
    { quietPeriod, apart },
  )

const askers = { 'basket-7': askerOf('basket-7'), 'basket-7.2r': askerOf('basket-7.2r') }

/**
 * The shipped runner of the shipped intent that answers callbacks. Another process calls the handler.
 *
 * @param called Undefined: no callback has come, and those that are open are looked after.
 * @param isCompared Whether what the callback says is compared with what status shows. Default: yes.
 */
export function callbackAbout(called: CalledAbout | undefined, isCompared = true): ReturnType<Cast['called']> {
  const next = callback({
    about,
    orderId: orderIds['basket-7'],
    callbacks: called !== undefined && isCompared ? [saidOf(called)] : [],
    profile: defaultProfile,
    lease: 1,
  })
  return createAdvance(
    scene => {
      const { payment } = scene
      if (payment === undefined) return next(scene)
      const step = next({ ...scene, payment: asTold(payment) })
      if (step.kind !== 'end' || step.payment === undefined) return step
      return { ...step, payment: evolve(payment, ...step.payment.facts.slice(payment.facts.length)) }
    },
    () => defaultProfile,
    { quietPeriod, apart },
  )
}

/** The signed and the other fields of a callback. */
function saidOf({ nth, state: status }: CalledAbout) {
  // A decline has no number of the acquirer.
  const number = status === 'approved' ? { 'processor-rrn': marksOf(nth + 2).rrn } : {}
  return {
    signed: { status, orderId: orderIds['basket-7'], clientOrderId: 'basket-7' },
    unsigned: { type: 'reversal', amount: '3.00', ...number },
  } as const
}

/** The payment as if its handler had heard everything. */
const asTold = (payment: PaymentDocument): PaymentDocument => ({
  ...payment,
  orders: payment.orders.map(order => ({
    ...order,
    stages: order.stages.map(stage => ({ ...stage, told: wordsOf(stage) })),
  })),
})

/** The shipped runner of the shipped intent that carries follow-ups out. */
export const followUpPlan: FollowUpPlan = {
  profile: defaultProfile,
  profileOf: () => defaultProfile,
  changeFor: wish => {
    const { name, part, clientOrderId, before } = wish
    return { ...planOf(wishOf(wish)), terms: { name, part, clientOrderId, before } }
  },
}

/** The shipped runner of an intent that carries follow-ups out. */
export const carrierOf = (next: ReturnType<typeof followUp>): Carrying =>
  createAdvance(next, () => defaultProfile, { quietPeriod, apart })

/** Makes everybody who lives in the processes. */
export function castOf({
  make = shipped,
  called = callbackAbout,
  carry = carrierOf(followUp(followUpPlan)),
  look = () => {},
}: {
  readonly make?: MakeChange | undefined
  readonly called?: Cast['called'] | undefined
  readonly carry?: Carrying | undefined
  readonly look?: Cast['look'] | undefined
}): Cast {
  const made = new Map<Wish, Change>()
  return {
    change(wish) {
      const runner = made.get(wish) ?? make(wish)
      made.set(wish, runner)
      return runner
    },
    followUp: carry,
    ask: clientOrderId => askers[clientOrderId],
    called,
    look,
  }
}

/** Which changes are asked for at once. */
export const pairs = {
  nothing: [],
  'a part': ['cup'],
  'the whole': ['whole'],
  'the whole twice': ['whole', 'whole'],
  'a part twice': ['cup', 'cup'],
  'a part, and the whole': ['cup', 'whole'],
  'two equal parts': ['cup', 'plate'],
  'a capture twice': ['capture', 'capture'],
  'a capture of a part twice': ['parcel', 'parcel'],
  'a capture of a part, and of the whole': ['parcel', 'capture'],
  'a void twice': ['void', 'void'],
  'a capture, and a void': ['capture', 'void'],
  'a capture of a part, and a void': ['parcel', 'void'],
} as const satisfies Readonly<Record<string, readonly Wish[]>>

const foreign = { byHand: 1, calls: 2 } as const

/** Everything that goes wrong, by name. */
export const troubles = {
  'no trouble': {},
  'a crash': { budget: { crashes: 1 } },
  'a lost answer of a request': { budget: { lostAnswers: 1 } },
  'a lost answer of a write': { budget: { lostWrites: 1 } },
  'a slow process': { budget: { slowTicks: 1 } },
  'a slower process': { budget: { slowTicks: 2 } },
  'a question without an answer': { budget: { lostQuestions: 1 } },
  'status that lags': { budget: { lags: 1 } },
  'a refusal': { budget: { refusals: 1 } },
  'a change that fails': { budget: { declines: 1 } },
  'a change that ends later, and fails': { budget: { declines: 1 }, endsLater: true },
  'no serial numbers, and a change that fails': { budget: { declines: 1 }, isNumbered: false },
  'a change that fails, and status that lags': { budget: { declines: 1, lags: 1 } },
  'a change that fails, and a lost answer': { budget: { declines: 1, lostAnswers: 1 } },
  'a refusal, and a lost answer': { budget: { refusals: 1, lostAnswers: 1 } },
  'a crash, and a lost answer of a write': { budget: { crashes: 1, lostWrites: 1 } },
  'a part given back at the gateway': { budget: foreign, handWish: 'hand' },
  'a part given back at the gateway, and a crash': { budget: { ...foreign, crashes: 1 }, handWish: 'hand' },
  'a part given back at the gateway, and status that lags': { budget: { ...foreign, lags: 1 }, handWish: 'hand' },
  'a part given back at the gateway, and a lost answer': { budget: { ...foreign, lostAnswers: 1 }, handWish: 'hand' },
  'a part given back at the gateway, and taken back': {
    budget: { ...foreign, calls: 3, corrections: 1 },
    handWish: 'hand',
  },
  'a part given back at the gateway, taken back, and given back': {
    budget: { byHand: 1, calls: 3, corrections: 2 },
    handWish: 'hand',
  },
  'two parts given back at the gateway': { budget: { byHand: 2, calls: 3 }, handWish: 'hand' },
  'a part given back at the gateway, and an hour': {
    budget: { byHand: 1, calls: 1, hours: 1, looks: 1 },
    handWish: 'hand',
  },
  'two parts given back at the gateway, and an hour': {
    budget: { byHand: 2, calls: 2, hours: 1, looks: 1 },
    handWish: 'hand',
  },
} as const satisfies Readonly<Record<string, Partial<Beginning>>>

export interface Exploration {
  readonly pair: keyof typeof pairs
  readonly trouble: keyof typeof troubles
  /** The merchant asks for these afterwards, or at the same time. Default: nothing. */
  readonly later?: readonly Wish[]
  /** How often the work in the background asks. Default: never. */
  readonly asks?: number
  /** Anything else that the world begins with. Default: nothing. */
  readonly more?: Partial<Beginning>
  /** Makes the runner. Default: the shipped one. */
  readonly make?: MakeChange
  /** Makes what answers callbacks. Default: the shipped one. */
  readonly called?: Cast['called']
  readonly look?: Cast['look']
}

/** Explores a scene. */
export const exploreScene = (exploration: Exploration): Explored => explore(exploringOf(exploration))

/** Says how a scene is explored. */
export function exploringOf(exploration: Exploration): Exploring<World> {
  const { pair, trouble, later = [], asks = 0, more = {}, make, called, look } = exploration
  const cast = castOf({ make, called, look })
  const beginning: Partial<Beginning> = troubles[trouble]
  const wishes: readonly Wish[] = [...pairs[pair], ...later]
  const isHold = wishes.some(wish => changes[wish].name !== 'return')
  const budget = { asks, ...beginning.budget, ...more.budget }
  return {
    first: firstWorld({ ...beginning, ...more, isHold, wishes, budget }),
    movesOf: world => movesOf(world, cast),
    textOf,
    brokenIn,
  }
}

/** Explores a scene. @returns Everything that the gateway's books say when a run has ended, in words. */
export function booksAfter(exploration: Exploration): readonly string[] {
  const seen = new Set<string>()
  const look: Cast['look'] = (_end, { books }) => {
    seen.add(books.map(({ wish, amount, state }) => `${wish} ${amount / 100} ${state}`).join(', '))
  }
  exploreScene({ ...exploration, look })
  return [...seen].sort()
}

/** Names an exploration. */
export const nameOf = ({ pair, trouble, later = [], asks = 0 }: Exploration): string =>
  [
    pair,
    trouble,
    ...(later.length === 0 ? [] : [`then ${later.join(' and ')}`]),
    ...(asks === 0 ? [] : [asks === 1 ? 'one who asks' : 'two who ask']),
  ].join(', ')
