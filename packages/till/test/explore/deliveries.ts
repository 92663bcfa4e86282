/** Scenes of deliveries, each with one cause of trouble, and what must hold in every world of theirs. */
import { defaultProfile } from '@tillkit/protocol'
import { wordsOf } from '../../../protocol/src/store/document.js'
import { createAdvance } from '../../src/engine/advance.js'
import type { Ended } from '../../src/engine/run.js'
import { type DeliverResult, deliver } from '../../src/intents/deliver.js'
import {
  type Budget,
  type Cast,
  firstWorld,
  idle,
  isAllTold,
  type Life,
  lease,
  movesOf,
  textOf,
  toldIn,
  type World,
} from './deliveries-world.js'
import { type Explored, explore } from './explorer.js'
import type { Advance } from './world.js'

/** The shipped runner of the shipped intent. */
export const shipped: Advance<DeliverResult> = createAdvance(deliver({ lease }), () => defaultProfile)

const writeDown = createAdvance<unknown>(
  () => ({ kind: 'end', result: undefined }),
  () => defaultProfile,
)

const none: Budget = {
  crashes: 0,
  lostAnswers: 0,
  refusals: 0,
  lostCommits: 0,
  failures: 0,
  overstays: 0,
  queues: 0,
  slowTicks: 0,
  leavers: 0,
  others: 0,
}

export const scenes = {
  'two processes': none,
  'a crash anywhere': { ...none, crashes: 1 },
  'a lost answer': { ...none, lostAnswers: 1 },
  'a lost answer of a commit': { ...none, lostCommits: 1 },
  'a write that is refused': { ...none, refusals: 1 },
  'a handler that fails': { ...none, failures: 1 },
  'a handler that outstays its lease': { ...none, overstays: 1 },
  "somebody else's write": { ...none, others: 1 },
  'a slow process': { ...none, slowTicks: 1 },
  'a caller who leaves': { ...none, leavers: 1 },
} as const satisfies Readonly<Record<string, Budget>>

export type Scene = keyof typeof scenes

export type Kind = DeliverResult['kind'] | 'not-done'

/** How a scene is explored. */
export interface Exploration {
  readonly hasTransactions: boolean
  /** How many outcomes there are. Default: two. */
  readonly stages?: 1 | 2
  /** Default: the shipped one. */
  readonly advance?: Advance<DeliverResult>
  /** Sees how each run ends. */
  readonly look?: (kind: Kind) => void
  readonly budget?: Budget
}

/** Explores a scene. */
export function exploreScene(
  name: Scene,
  { hasTransactions, stages = 2, advance = shipped, look = () => {}, budget = scenes[name] }: Exploration,
): Explored {
  const spent = (what: keyof Budget, { left }: World): number => budget[what] - left[what]
  const cast: Cast<DeliverResult> = {
    deliver: advance,
    writeDown,
    judge(world, life, ended) {
      look(ended.kind === 'done' ? ended.result.kind : 'not-done')
      return wrongEnd(world, life, ended)
    },
  }
  const first = firstWorld(budget, hasTransactions, stages)
  const hopeless = new Map<string, boolean>()
  return explore({
    first,
    movesOf: world => movesOf(world, cast),
    textOf,
    brokenIn(world) {
      const trouble = ['crashes', 'failures', 'overstays', 'slowTicks', 'lostAnswers', 'lostCommits', 'refusals'] as const
      const troubles = trouble.reduce((sum, each) => sum + spent(each, world), 0)
      return world.wrong ?? wrongBook(world, troubles) ?? wrongCalls(world, troubles) ?? deadEnd(world, cast, hopeless)
    },
  })
}

/** What is wrong with the end of a run; undefined: nothing. */
function wrongEnd(world: World, { run, called, told }: Life, ended: Ended<DeliverResult>): string | undefined {
  if (ended.kind === 'failed') return undefined
  const { kind } = ended.result
  if (kind === 'nothing' && called > 0) return `${run.id} says that there was nothing, and called a handler`
  if (kind !== 'told') return undefined
  if (told === 0) return `${run.id} says told, and has told nothing`
  const told_ = toldIn(world)
  const stages = run.known.document?.orders.flatMap(({ stages }) => stages) ?? []
  const isLeft = stages.some((stage, place) => (told_[place] ?? 0) < wordsOf(stage))
  return isLeft ? `${run.id} says told, and has left something untold` : undefined
}

const placeOf = (key: string): readonly [stage: number, words: number] => {
  const [, , , stage, words] = key.split('/')
  return [Number(stage) - 1, Number(words)]
}

function wrongBook(world: World, _troubles: number): string | undefined {
  const { book, hasTransactions, words } = world
  const twice = book.find((key, at) => book.indexOf(key) < at)
  if (hasTransactions && twice !== undefined) return `${twice} is booked twice`
  const booked = words.map((_, stage) =>
    Math.max(0, ...book.map(placeOf).map(([at, words]) => (at === stage ? words : 0))),
  )
  const told = toldIn(world)
  if (hasTransactions && `${told}` !== `${booked}`) return `the store says told of ${told}, and the book has ${booked}`
  const isTooMuch = told.some((words, stage) => words > (booked[stage] ?? 0))
  return isTooMuch ? `the store says told of ${told}, and handlers returned for ${booked}` : undefined
}

function wrongCalls({ called, words }: World, troubles: number): string | undefined {
  const often = called.find(key => called.filter(each => each === key).length > 1 + troubles)
  if (often !== undefined) return `the handler is called too often for ${often}`
  const places = called.map(placeOf)
  const early = places.find(([stage], at) => stage > 0 && !places.slice(0, at).some(([each]) => each === stage - 1))
  if (early !== undefined) return `stage ${early[0] + 1} is told before the one before it`
  const back = words.some((_, stage) => {
    const heard = places.filter(([each]) => each === stage).map(([, words]) => words)
    return heard.some((words, at) => words < (heard[at - 1] ?? 0))
  })
  return back ? 'an older word is told after a later one' : undefined
}

/** A process that has no trouble tells everything in two runs, whatever has become of the others. */
const enough = 200

function deadEnd(world: World, cast: Cast<DeliverResult>, seen: Map<string, boolean>): string | undefined {
  if (isAllTold(world) || world.processes.some(({ lives }) => lives.length > 0)) return undefined
  const quiet = { ...world, left: none, wire: [], processes: [idle], calls: [] }
  const name = textOf(quiet)
  const known = seen.get(name)
  if (known !== undefined) return known ? 'nobody can tell what is left' : undefined
  let last: World = quiet
  for (let step = 0; step < enough && !isAllTold(last); step += 1) {
    const move = movesOf(last, { ...cast, judge: () => undefined })[0]
    if (move === undefined) break
    last = move.world
  }
  seen.set(name, !isAllTold(last))
  return isAllTold(last) ? undefined : 'nobody can tell what is left'
}
