/** Scenes of deliveries, each with one cause of trouble, and what must hold in every world of theirs. */
import { defaultProfile } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import type { Ended } from '../../../../packages/till/src/engine/run.js'
import { type DeliverResult, deliver } from '../../../../packages/till/src/intents/deliver.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { wordsOf } from '../../../../packages/till/src/state/known.js'
import type { Advance } from '../sending/world.js'
import { keptIn } from '../walk/alike.js'
import { type Explored, type Exploring, explore } from '../walk/explorer.js'
import { type Broken, breaks, endless } from '../walk/rules.js'
import { movesOf } from './moves.js'
import {
  type Beginning,
  type Budget,
  type Cast,
  firstWorld,
  idle,
  isAllTold,
  type Life,
  lease,
  spent,
  tick,
  toldIn,
  type World,
} from './world.js'

export type Deliver = Advance<DeliverResult>

/** The shipped runner of the shipped intent. */
export const shipped: Deliver = createAdvance(deliver({ lease }), () => defaultProfile)

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
  slowTicks: 0,
  leavers: 0,
  others: 0,
}

export const scenes = {
  'no trouble': none,
  'a crash anywhere': { ...none, crashes: 1 },
  'a lost answer': { ...none, lostAnswers: 1 },
  'a lost answer of a commit': { ...none, lostCommits: 1 },
  'a handler that fails': { ...none, failures: 1 },
  'a handler that outstays its lease': { ...none, overstays: 1 },
  "somebody else's write": { ...none, others: 1 },
  'a caller who leaves': { ...none, leavers: 1 },
  'a write that is refused': { ...none, refusals: 1 },
  'a slow process': { ...none, slowTicks: 1 },
  'a slower process': { ...none, slowTicks: 2 },
  'a crash, and a lost answer': { ...none, crashes: 1, lostAnswers: 1 },
  'a lost commit, and a slow process': { ...none, lostCommits: 1, slowTicks: 1 },
  "a crash, and somebody else's write": { ...none, crashes: 1, others: 1 },
  'a handler that fails late': { ...none, failures: 1, overstays: 1 },
  "somebody else's writes": { ...none, others: 2 },
} as const satisfies Readonly<Record<string, Budget>>

/** A scene, and who is in it. `budget`: everything that goes wrong besides. */
export interface Exploration extends Partial<Omit<Beginning, 'budget'>> {
  readonly budget?: Partial<Budget>
  readonly scene: keyof typeof scenes
  readonly hasTransactions: boolean
  /** Default: the shipped one. */
  readonly advance?: Deliver
  /** Sees how each run ends. */
  readonly look?: (kind: DeliverResult['kind'] | 'not done') => void
}

/** Explores a scene. */
export const exploreScene = (exploration: Exploration): Explored => explore(exploringOf(exploration))

/** Says how a scene is explored: two processes, and one outcome that nobody was told of, unless it says otherwise. */
export function exploringOf({
  scene,
  budget = {},
  advance = shipped,
  look = () => {},
  ...rest
}: Exploration): Exploring<World> {
  const cast: Cast<DeliverResult> = {
    deliver: advance,
    writeDown,
    judge(world, life, ended) {
      look(ended.kind === 'done' ? ended.result.kind : 'not done')
      return wrongEnd(world, life, ended)
    },
  }
  const isHopeless = remembered(world => !canBeTold(world, cast))
  return {
    first: firstWorld({ outcomes: 1, processes: 2, runsEach: 1, ...rest, budget: { ...scenes[scene], ...budget } }),
    movesOf: world => movesOf(world, cast),
    textOf,
    brokenIn: world =>
      world.wrong ??
      wrongBook(world) ??
      wrongCalls(world) ??
      wrongRuns(world) ??
      (isIdle(world) && !isAllTold(world) && isHopeless(world)
        ? breaks('all is told', 'nobody can tell what is left')
        : undefined),
  }
}

/** Names an exploration. */
export const nameOf = ({ scene, hasTransactions, outcomes = 1, processes = 2, runsEach = 1 }: Exploration): string =>
  [
    scene,
    `a store ${hasTransactions ? 'with' : 'without'} transactions`,
    ...(outcomes === 1 ? [] : ['two outcomes']),
    ...(processes === 2 ? [] : ['one process']),
    ...(runsEach === 1 ? [] : ['two runs each']),
  ].join(', ')

/** Names the rule that the end of a run breaks; undefined: none. */
function wrongEnd(world: World, { run, called, told }: Life, ended: Ended<DeliverResult>): Broken | undefined {
  if (ended.kind === 'failed') return undefined
  const { kind } = ended.result
  if (kind === 'nothing' && called > 0)
    return breaks('heard is true', `${run.id} says that there was nothing, and called a handler`)
  if (kind !== 'told') return undefined
  // No process knows who set a mark whose commit was lost.
  const isLost = run.heard.deliveries.some(each => each.kind === 'unknown')
  if (told === 0 && !isLost) return breaks('told is booked', `${run.id} says told, and has told nothing`)
  const marks = toldIn(world)
  const stages = run.known.document?.orders.flatMap(({ stages }) => stages) ?? []
  const isLeft = stages.some((stage, place) => (marks[place] ?? 0) < wordsOf(stage))
  return isLeft ? breaks('all is told', `${run.id} says told, and has left something untold`) : undefined
}

/** The stage that an outcome is about, from 0 on, and how many words of it are told then, by its key. */
function partsOf(key: string): readonly [stage: number, words: number] {
  const [, , , stage, words] = key.split('/')
  return [Number(stage) - 1, Number(words)]
}

function wrongBook(world: World): Broken | undefined {
  const { book, hasTransactions, words } = world
  const twice = book.find((key, at) => book.indexOf(key) < at)
  if (hasTransactions && twice !== undefined) return breaks('told again only after trouble', `${twice} is booked twice`)
  const booked = words.map((_, stage) =>
    Math.max(0, ...book.map(partsOf).map(([at, words]) => (at === stage ? words : 0))),
  )
  const marks = toldIn(world)
  if (hasTransactions && `${marks}` !== `${booked}`)
    return breaks('told is booked', `${booked} words are booked, and ${marks} marked as told`)
  const isMarked = marks.some((words, stage) => words > (booked[stage] ?? 0))
  return isMarked
    ? breaks('told is booked', `handlers returned for ${booked} words, and ${marks} are marked as told`)
    : undefined
}

/** Trouble that may make a handler run again. */
const troubles = ['crashes', 'lostAnswers', 'refusals', 'lostCommits', 'failures', 'overstays', 'slowTicks'] as const

function wrongCalls(world: World): Broken | undefined {
  const { called } = world
  const most = troubles.reduce((sum, each) => sum + spent(world, each), 1)
  const again = called.find(key => called.filter(each => each === key).length > most)
  if (again !== undefined)
    return breaks(
      'told again only after trouble',
      `the handler was called for ${again} again, and nothing has happened`,
    )
  const parts = called.map(partsOf)
  const isEarly = parts.some(([stage], at) => stage > 0 && !parts.slice(0, at).some(([each]) => each === stage - 1))
  if (isEarly) return breaks('told in order', 'a stage was told before the one before it')
  const isBack = parts.some(([stage, words], at) =>
    parts.slice(0, at).some(([earlier, more]) => earlier === stage && more > words),
  )
  return isBack ? breaks('told in order', 'fewer words were told after more') : undefined
}

/** No run hears of more events than that. */
const mostSteps = 60

const wrongRuns = ({ processes }: World): Broken | undefined =>
  processes.some(({ lives }) => lives.some(({ steps }) => steps > mostSteps)) ? endless : undefined

const isIdle = ({ processes }: World): boolean => processes.every(({ lives }) => lives.length === 0)

/** Whether a process that has no trouble can tell everything that is left, whatever has become of the others: within a hundred steps. */
function canBeTold(world: World, cast: Cast<DeliverResult>): boolean {
  let last: World = world
  for (let step = 0; step < 100 && !isAllTold(last); step += 1)
    last = movesOf(last, { ...cast, judge: () => undefined })[0]?.world ?? last
  return isAllTold(last)
}

/** Asks once about each world of which only the store is left. */
function remembered(isSo: (world: World) => boolean): (world: World) => boolean {
  const known = new Map<string, boolean>()
  return world => {
    const quiet: World = { ...world, left: none, wire: [], processes: [idle], book: [], called: [], runsEach: 1 }
    const text = textOf(quiet)
    const answer = known.get(text) ?? isSo(quiet)
    known.set(text, answer)
    return answer
  }
}

/** Fields that hold a moment. */
const moments: ReadonlySet<string> = new Set(['until', 'word', 'heardAt', 'askedAt', 'restsUntil'])

/** No rule tells moments apart that are longer ago. */
const longestAgo = 2 * tick

/** Fields of what follows from others. Nothing is decided by when a fact became known. */
const leftOut: ReadonlySet<string> = new Set(['payment', 'first', 'at', 'since'])

/** Parts that many worlds share: their text is written once. */
const shared: ReadonlySet<string> = new Set(['process', 'known', 'facts'])
const texts = new WeakMap<object, string>()

/** Lists of facts that were met, by their number. */
const factLists = new Map<string, string>()

const isOfTime = (field: string): boolean => leftOut.has(field) || moments.has(field) || field === 'firstAt'

/** Facts name no run, and nothing is decided by when they became known: a number says the same. */
function numberOf(facts: object): string {
  const text = JSON.stringify(facts, (field, each: unknown) => (isOfTime(field) ? undefined : each))
  const number = factLists.get(text) ?? `#${factLists.size}`
  factLists.set(text, number)
  return number
}

/** The text of a value, in which moments and names of runs can be found. */
function textAt(value: unknown, field = ''): string {
  if (typeof value === 'number') return moments.has(field) ? `@${value}` : `${value}`
  if (typeof value !== 'object' || value === null) return `${value}`
  if (field === 'document') return textAt(keptIn(value as PaymentDocument))
  const before = shared.has(field) ? texts.get(value) : undefined
  if (before !== undefined) return before
  const text = field === 'facts' ? numberOf(value) : fieldsOf(value)
  if (shared.has(field)) texts.set(value, text)
  return text
}

function fieldsOf(value: object): string {
  let text = '{'
  for (const [name, each] of Object.entries(value)) if (!leftOut.has(name)) text += `${name}:${textAt(each, name)},`
  return `${text}}`
}

/** Worlds of one text have one future: moments count from now, runs are named by their order, equal processes are in no order. */
function textOf({ now, processes, runs: _named, budget: _same, ...world }: World): string {
  const text = (value: unknown, field = ''): string =>
    textAt(value, field).replace(/@(-?\d+)/g, (_, moment) => `@${Math.max(Number(moment) - now, -longestAgo)}`)
  const inOrder = processes
    .map(each => text(each, 'process'))
    .map(each => [each.replace(runName, ''), each] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const ids = new Map<string, string>()
  return `${text(world)}${inOrder.map(([, each]) => each).join()}`.replace(runName, id => {
    const name = ids.get(id) ?? `r${ids.size}`
    ids.set(id, name)
    return name
  })
}

const runName = /run-\d+/g
