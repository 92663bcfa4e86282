/** Scenes of a payment, each with one cause of trouble. */
import { defaultProfile, type WireProfile } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import { type AskedOrder, ask } from '../../../../packages/till/src/intents/ask.js'
import { type Decided, type DecidePlan, decide } from '../../../../packages/till/src/intents/decide.js'
import { deliver } from '../../../../packages/till/src/intents/deliver.js'
import { findLater } from '../../../../packages/till/src/intents/find-lost.js'
import type { Next } from '../../../../packages/till/src/intents/next.js'
import { type PayPlan, type PayResult, pay } from '../../../../packages/till/src/intents/pay.js'
import type { WantedDecision } from '../../../../packages/till/src/rules/people/wanted.js'
import { findOrder } from '../../../../packages/till/src/state/document.js'
import type { KnownOrder } from '../../../../packages/till/src/state/known.js'
import { type Advance, gatewayUrl } from '../sending/world.js'
import { type Explored, type Exploring, explore } from '../walk/explorer.js'
import { wrongBook, wrongCalls } from '../walk/handlers.js'
import { type Broken, breaks } from '../walk/rules.js'
import { type Booked, login } from './gateway.js'
import { brokenIn } from './judge.js'
import { movesOf } from './moves.js'
import { longestAgo, textOf } from './text.js'
import {
  apart,
  type Beginning,
  type Cast,
  firstWorld,
  lease,
  mostOrders,
  none,
  type Press,
  quietPeriod,
  reference,
  timeout,
  type World,
} from './world.js'

export type Pay = Advance<PayResult>

/** A pause of a run is as long as it looks for an answer: two looks, and no more. */
const pauseOfRun = 15_000

/** The shipped runner of an intent. */
export const runnerOf = (next: ReturnType<typeof pay>, profile: WireProfile = defaultProfile): Pay =>
  createAdvance(next, () => profile, { quietPeriod, apart })

/** Makes the runner of a plan. */
export type MakePay = (plan: PayPlan, profile: WireProfile) => Pay

/** The shipped runner of the shipped intent. Its pauses are as long as a tick. */
export const shipped: MakePay = (plan, profile) => runnerOf(shippedNext(plan), profile)

/** The shipped intent, whose pauses are as long as a tick. */
export const shippedNext = (plan: PayPlan): ReturnType<typeof pay> => {
  const next = pay(plan)
  return scene => {
    const step = next(scene)
    return step.kind === 'wait' ? { ...step, milliseconds: pauseOfRun } : step
  }
}

/** Looks for later orders. */
export type MakeLook = typeof findLater

/** Makes the runner of a decision. */
export type MakeDecide = (plan: DecidePlan) => Advance<Decided>

/** Makes the runner of an intent that decides. */
export const decidesBy = (next: Next<Decided>, { profile }: Pick<DecidePlan, 'profile'>): Advance<Decided> =>
  createAdvance(next, () => profile, { quietPeriod, apart })

/** The shipped runner of a decision. */
export const decides: MakeDecide = plan => decidesBy(decide(plan), plan)

/** The intent that asks for the work in the background, which looks for later orders in a restored store, and delivers besides. */
function asksAndDelivers(
  order: KnownOrder,
  { lost, profile, tells, looks }: Pick<Beginning, 'tells'> & { lost: PayPlan; profile: WireProfile; looks: MakeLook },
): Next<AskedOrder> {
  const asking = ask({ order, profile })
  return scene => {
    const asked = asking(scene)
    if (asked.kind !== 'end') return asked
    const known = scene.payment && findOrder(scene.payment, order)
    const looking = known && looks(lost, known, scene)
    if (looking !== undefined) return looking
    if (tells === undefined) return asked
    const step = deliver({ lease })(scene)
    if (step.kind === 'end') return asked
    return step.kind === 'wait' ? { ...step, milliseconds: pauseOfRun } : step
  }
}

function planOf(
  { amount, login, mayReplace }: Press,
  { tells, accounts = [], namesAccount = false }: Omit<Beginning, 'budget'>,
  profile: WireProfile,
): PayPlan {
  const logins = [...new Set([login, ...accounts])].sort()
  return {
    terms: { reference, purpose: 'sale', amount, currency: 'EUR' },
    rules: { replaceOpenForm: mayReplace, mostOrders },
    // The account of a payment that has begun stays, unless the merchant names one.
    accountOf: before => ({ login: namesAccount ? login : (before ?? login), profile }),
    profileOf: () => profile,
    isReachable: () => true,
    requestFor: ({ clientOrderId, login }) => ({
      attempt: {
        clientOrderId,
        login,
        attemptId: clientOrderId,
        operation: 'saleForm',
        effect: 'creates',
        stages: ['sale'],
        baseUrl: gatewayUrl,
        endpointId: '39',
        amount,
        currency: 'EUR',
        fingerprint: `of ${amount}`,
      },
      timeout,
    }),
    lease: tells === undefined ? undefined : lease,
    accounts: logins.map(each => ({ login: each, baseUrl: gatewayUrl, profile })),
    operation: 'saleForm',
    madeUp: 'never-1',
  }
}

const amount = '10.00'

const trouble = { presses: 2 }
const aDecline = { ...trouble, declines: 1, asks: 1 }

/** Every scene. */
export const scenes = {
  'two presses': { budget: { presses: 3 }, goesOn: true },
  'a crash anywhere': { budget: { ...trouble, crashes: 1 }, goesOn: true },
  'a lost answer of a request': { budget: { ...trouble, lostAnswers: 1 }, goesOn: true },
  'a lost answer of a write': { budget: { presses: 3, lostWrites: 2 }, goesOn: true },
  'a slow process': { budget: { ...trouble, slowTicks: 1 }, goesOn: true },
  'a decline': { budget: aDecline, goesOn: true },
  'a word that is taken back': { budget: { ...aDecline, corrections: 1 } },
  'a question without an answer': { budget: { ...aDecline, lostQuestions: 1 }, goesOn: true },
  'a form whose address was lost': { budget: { ...trouble, lostAnswers: 1, asks: 2 }, goesOn: true },
  'a lifetime that is over': { budget: trouble, replaceOpenForm: true, formLifetime: 2, goesOn: true },
  'a form that is not replaced': { budget: { presses: 3 }, formLifetime: 2, goesOn: true },
  'a form that takes another card': {
    budget: { ...trouble, declines: 1 },
    formLifetime: 2,
    formsEnd: 2,
    formRetries: true,
  },
  'a decision by a person': {
    budget: { ...trouble, lostAnswers: 1, asks: 1, decisions: 1 },
    goesOn: true,
  },
  'a pause': { budget: { ...aDecline, pauses: 1 } },
  'a restored store': { budget: { presses: 3, restores: 1 } },
  'another amount': { budget: trouble, amounts: [amount, '12.00'] },
  'another amount, and a form that ends': {
    budget: { presses: 3 },
    amounts: [amount, '12.00'],
    formLifetime: 2,
    formsEnd: 2,
  },
  'another amount, and a form that a person gives up': {
    budget: { ...trouble, abandons: 1 },
    amounts: [amount, '12.00'],
  },
  'settings that change': { budget: { ...trouble, settings: 1 } },
  'another amount, and a form that is replaced': {
    budget: { ...trouble, begins: 1 },
    amounts: [amount, '12.00'],
    replaceOpenForm: true,
  },
} as const satisfies Readonly<Record<string, Beginning>>

export interface Exploration extends Partial<Beginning> {
  readonly scene: keyof typeof scenes
  /** Makes the runner. Default: the shipped one. */
  readonly make?: MakePay
  /** Makes the runner of a decision. Default: the shipped one. */
  readonly makeDecide?: MakeDecide
  /** Looks for later orders in a restored store. Default: the shipped one. */
  readonly looks?: MakeLook
  readonly look?: Cast['look']
}

/** Names an exploration. */
export const nameOf = ({
  scene,
  make: _make,
  makeDecide: _decide,
  looks: _looks,
  look: _look,
  ...more
}: Exploration): string => {
  const { budget = {}, ...rest } = more
  return [scene, ...Object.entries({ ...budget, ...rest }).map(([what, value]) => `${what} ${value}`)].join(', ')
}

/** Explores a scene. */
export const exploreScene = (exploration: Exploration): Explored => explore(exploringOf(exploration))

/** Says how a scene is explored. */
export function exploringOf({
  scene,
  make = shipped,
  makeDecide = decides,
  looks = findLater,
  look = () => {},
  ...more
}: Exploration): Exploring<World> {
  const beginning: Beginning = { ...scenes[scene], ...more }
  const { amounts = [amount], accounts = [login], formLifetime, tells } = beginning
  const { absence = 'by its word', usedIds = 'refused', goesOn = false, formsEnd, formRetries = false } = beginning
  const value = formLifetime === undefined ? Number.MAX_SAFE_INTEGER : formLifetime / 1_000
  const profile: WireProfile = {
    ...defaultProfile,
    formLifetime: { ...defaultProfile.formLifetime, value },
    formRetries: { ...defaultProfile.formRetries, value: formRetries },
  }
  const cast: Cast = {
    pay: remembered((each: Press) => make(planOf(each, beginning, profile), profile), JSON.stringify),
    ask: remembered((about: Pick<Booked, 'clientOrderId' | 'login'>) => {
      const order = { ...about, attempts: [], stages: [] }
      const lost = planOf({ amount, login, mayReplace: false }, beginning, profile)
      return createAdvance(asksAndDelivers(order, { lost, profile, tells, looks }), () => profile, {
        quietPeriod,
        apart,
      })
    }, JSON.stringify),
    decide: remembered(
      (decision: string) => {
        const wanted: WantedDecision = JSON.parse(decision)
        const plan = {
          wanted,
          person: { who: 'ann', why: 'looked it up' },
          secondPersonAbove: undefined,
          clockSlack: 0,
        }
        return makeDecide({ ...plan, profile, profileOf: () => profile })
      },
      each => each,
    ),
    amounts,
    accounts,
    absence,
    usedIds,
    formsEnd,
    formRetries,
    tells,
    look,
  }
  const isStuck = remembered(world => !canGoOn(world, cast), textOf)
  return {
    first: firstWorld(beginning),
    movesOf: world => movesOf(world, cast),
    textOf,
    brokenIn: world =>
      brokenIn(world) ??
      (tells === undefined ? undefined : wrongTelling(world, beginning)) ??
      (goesOn && isIdle(world) && isStuck(quiet(world))
        ? breaks('nobody is stuck', 'nobody can pay any more')
        : undefined),
  }
}

/** Trouble that may make a handler run again. */
const troubles = ['crashes', 'lostWrites', 'lostCommits', 'failures'] as const

/** Names the rule that the telling to the merchant breaks; undefined: none. */
function wrongTelling({ book, known, called, left }: World, { budget, tells }: Beginning): Broken | undefined {
  const troubleIn = troubles.reduce((sum, each) => sum + (budget[each] ?? 0) - left[each], 0)
  return wrongBook(book, known.document, tells === 'by commits') ?? wrongCalls(called, troubleIn)
}

const isIdle = ({ processes }: World): boolean => processes.every(each => each === undefined)

/** A world of which only the store and the books are left, long after, and one press. */
const quiet = (world: World): World => ({
  ...world,
  now: world.now + longestAgo,
  left: { ...none, presses: 1 },
  earlier: [],
  wire: [],
  lateWrites: [],
  pressed: 0,
})

/** Whether a customer who presses then has an address to go to, or hears that it is paid. */
function canGoOn(world: World, cast: Cast): boolean {
  let last: string | undefined
  const look: Cast['look'] = kind => {
    last = kind
  }
  let next = world
  for (let step = 0; step < 100 && last === undefined; step += 1)
    next = movesOf(next, { ...cast, look })[0]?.world ?? next
  return last === 'go' || last === 'over'
}

/** Asks once about each value that is the same. */
function remembered<Given, Value>(
  make: (given: Given) => Value,
  nameOf: (given: Given) => string,
): (given: Given) => Value {
  const known = new Map<string, Value>()
  return given => {
    const name = nameOf(given)
    const value = known.get(name) ?? make(given)
    known.set(name, value)
    return value
  }
}
