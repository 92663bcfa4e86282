/** Scenes of visits, each with one cause of trouble. */
import { defaultProfile } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import { type CallbackPlan, callback } from '../../../../packages/till/src/intents/callback.js'
import { shownBy, type VisitPlan, visit } from '../../../../packages/till/src/intents/customers/visit.js'
import { login } from '../pay/gateway.js'
import { type Explored, type Exploring, explore } from '../walk/explorer.js'
import { hasUntold } from '../walk/handlers.js'
import { breaks } from '../walk/rules.js'
import { createTextOf } from '../walk/text.js'
import { brokenIn } from './judge.js'
import { movesOf, openOrders } from './moves.js'
import { repeatedId } from './repeated.js'
import {
  type Beginning,
  type Budget,
  type Cast,
  firstWorld,
  isFinal,
  lease,
  none,
  tick,
  type Visiting,
  visitedIn,
  type World,
} from './world.js'

const profileOf = () => defaultProfile

export const planOf = (clientOrderId: string): VisitPlan => ({
  about: { clientOrderId, login },
  profile: defaultProfile,
  lease,
  attempts: 2,
  interval: tick,
})

/** Makes how a visit is lived. */
export type MakeVisit = (plan: VisitPlan) => Visiting

/** The runner of an intent, and what the shipped till shows its customer. */
export const visitingBy = (next: ReturnType<typeof visit>, plan: VisitPlan): Visiting => ({
  advance: createAdvance(next, profileOf),
  shown: heard => shownBy(plan, heard)?.settlement.kind,
})

/** The shipped runner of the shipped intent. */
export const shipped: MakeVisit = plan => visitingBy(visit(plan), plan)

/** Makes the runner of what answers callbacks. */
export type MakeCallback = (plan: CallbackPlan) => ReturnType<Cast['callback']>

export const shippedCallback: MakeCallback = plan => createAdvance(callback(plan), profileOf)

const both: Partial<Budget> = { visits: 1, callbacks: 1 }

/** Who comes, besides what goes wrong. */
export const companies = {
  'one customer': { visits: 1 },
  'two customers': { visits: 2 },
  'a customer, and a callback': both,
  'a customer, and the background': { visits: 1, turns: 1 },
  'a customer, a callback, and the background': { ...both, turns: 1 },
  'a customer, and a callback that comes twice': { visits: 1, callbacks: 2 },
  'two callbacks': { callbacks: 2 },
} as const satisfies Readonly<Record<string, Partial<Budget>>>

/** Everything that goes wrong, by name. */
export const troubles = {
  'no trouble': {},
  'a decline': { declines: 1 },
  'a word that is taken back': { declines: 1, corrections: 1 },
  'a crash': { crashes: 1 },
  'a lost answer of a write': { lostWrites: 1 },
  'a lost answer of a commit': { lostCommits: 1 },
  'a question without an answer': { lostQuestions: 1 },
  'status that lags': { lags: 1 },
  'an amount that comes late': { lateAmounts: 1 },
  'a handler that fails': { failures: 1 },
  'a request that is repeated': { repeats: 1 },
  'a request that is repeated, and a decline': { repeats: 1, declines: 1 },
  'a request that is repeated, and a crash': { repeats: 1, crashes: 1 },
  'a request that is repeated, and a lost answer of a write': { repeats: 1, lostWrites: 1 },
  'a request that is repeated, and a question without an answer': { repeats: 1, lostQuestions: 1 },
  'a request that is repeated, and status that lags': { repeats: 1, lags: 1 },
} as const satisfies Readonly<Record<string, Partial<Budget>>>

export interface Exploration extends Partial<Omit<Beginning, 'budget'>> {
  readonly company: keyof typeof companies
  readonly trouble: keyof typeof troubles
  /** Everything that goes wrong besides. Default: nothing. */
  readonly more?: Partial<Budget>
  /** Makes the runners. Default: the shipped ones. */
  readonly make?: MakeVisit
  readonly makeCallback?: MakeCallback
  readonly look?: Cast['look']
}

/** Names an exploration. */
export const nameOf = ({
  company,
  trouble,
  hasTransactions = true,
  hasEarlier = false,
  keepsCallbacks = false,
}: Exploration): string =>
  [
    company,
    trouble,
    ...(hasTransactions ? [] : ['a store without transactions']),
    ...(hasEarlier === false ? [] : [`an earlier order${hasEarlier === true ? '' : ` ${hasEarlier}`}`]),
    ...(keepsCallbacks ? ['a callback that is kept'] : []),
  ].join(', ')

/** Explores a scene. */
export const exploreScene = (exploration: Exploration): Explored => explore(exploringOf(exploration))

/** Says how a scene is explored. */
export function exploringOf({
  company,
  trouble,
  hasTransactions = true,
  hasEarlier = false,
  keepsCallbacks = false,
  more = {},
  make = shipped,
  makeCallback = shippedCallback,
  look = () => {},
}: Exploration): Exploring<World> {
  const budget = { ...companies[company], ...troubles[trouble], ...more }
  const first = firstWorld({ budget, hasTransactions, hasEarlier, keepsCallbacks })
  const cast: Cast = {
    visit: make(planOf(visitedIn(first).clientOrderId)),
    callback: callbackOf(makeCallback),
    look,
  }
  const textOf = createTextOf<World>({
    moments: new Set(['until', 'askedAt', 'restsUntil', 'callbackAt', 'came']),
    longestAgo: 4 * tick,
    leftOut: new Set(['payment', 'cause', 'raw', 'at', 'since', 'answeredAt', 'firstAt', 'toldAt']),
    shared: new Set(['first', 'answers', 'facts', 'staged', 'gate', 'doing']),
  })
  const hopeless = new Map<string, boolean>()
  const isHopeless = (world: World): boolean => {
    const quiet = quietened(world)
    const text = textOf(quiet)
    const answer = hopeless.get(text) ?? !isDoneAt(quiet, cast)
    hopeless.set(text, answer)
    return answer
  }
  return {
    first,
    movesOf: world => movesOf(world, cast),
    textOf,
    brokenIn: world =>
      brokenIn(world) ??
      (isIdle(world) && isFinal(visitedIn(world)) && isHopeless(world)
        ? breaks('all is told', 'nobody can tell what is left')
        : undefined),
  }
}

function callbackOf(make: MakeCallback): Cast['callback'] {
  const made = new Map<string, ReturnType<Cast['callback']>>()
  return ({ clientOrderId, orderId, word }) => {
    const key = JSON.stringify([clientOrderId, orderId, word])
    const callbacks = word === undefined ? [] : [{ signed: { status: word, clientOrderId, orderId }, unsigned: {} }]
    const about = { clientOrderId, login }
    const runner = made.get(key) ?? make({ about, orderId, callbacks, profile: defaultProfile, lease })
    made.set(key, runner)
    return runner
  }
}

const isIdle = ({ processes }: World): boolean => processes.every(each => each === undefined)

/**
 * A world of which only the store and the gateway's books are left, and work in the background that has no trouble. The gateway calls
 * again about an order that nobody has taken up.
 */
const quietened = (world: World): World => ({
  ...world,
  left: { ...none, turns: 3, callbacks: isUnknown(world) ? 1 : 0 },
  books: world.books
    .filter(each => isFinal(each) || each.orderId !== repeatedId)
    .map(each => (each.isAmountLate === true ? { ...each, isAmountLate: false } : each)),
  lateWrites: [],
  lateCommits: [],
  cameWith: undefined,
  book: [],
  called: [],
})

/** Whether the work in the background comes to its end, within a hundred steps: all that the gateway has said is kept and told. */
function isDoneAt(world: World, cast: Cast): boolean {
  let last = world
  for (let step = 0; step < 100 && isLeft(last); step += 1) last = movesOf(last, cast)[0]?.world ?? last
  return !isLeft(last)
}

const isLeft = (world: World): boolean =>
  openOrders({ ...world, known: { ...world.known, document: withoutCallbacks(world) } }).length > 0 ||
  hasUntold(world.known.document) ||
  world.isToldWithout === true ||
  isUnknown(world)

/** Whether the gateway has said how an order ends that the store has not. */
const isUnknown = ({ books, known }: World): boolean =>
  books.some(each => isFinal(each) && !known.document?.orders.some(({ orderId }) => orderId === each.orderId))

/** A callback that brought no news counts as answered an hour later. */
function withoutCallbacks({ known: { document } }: World): World['known']['document'] {
  if (document === undefined) return undefined
  const orders = document.orders.map(({ callbackAt: _came, ...order }) => order)
  return { ...document, orders }
}
