/** Scenes of follow-ups that two processes carry out, beside a merchant who asks for changes, each with one cause of trouble. */
import { castOf, type MakeChange, troubles } from '../change/change.js'
import type { Wish } from '../change/gateway.js'
import { brokenIn } from '../change/judge.js'
import { movesOf } from '../change/moves.js'
import { textOf } from '../change/text.js'
import { type Beginning, type Carrying, type Cast, firstWorld, type World } from '../change/world.js'
import { type Explored, type Exploring, explore } from '../walk/explorer.js'
import { wrongKept, wrongList } from './judge.js'
import { undoneIn } from './rest.js'

const handlers = ['cup', 'whole'] as const satisfies readonly Wish[]

/** The follow-ups of each scene, and the merchant's other wishes. */
const scenes = {
  'a part and the rest': { followUps: handlers, wishes: [] },
  'a part and the rest, beside another part': { followUps: handlers, wishes: ['plate'] },
  'a part and the rest, beside the whole': { followUps: handlers, wishes: ['whole'] },
  'a surplus': { followUps: ['surplus'], wishes: [], hasOther: true },
  'a surplus, beside a return of the other order': { followUps: ['surplus'], wishes: ['other'], hasOther: true },
  'a surplus, beside a return by hand': { followUps: ['surplus'], wishes: [], hasOther: true, budget: { byHand: 1 } },
} as const satisfies Readonly<Record<string, Partial<Beginning>>>

export interface FollowUpExploration {
  readonly scene: keyof typeof scenes
  readonly trouble: keyof typeof troubles
  /** How many runs carry follow-ups out. Default: three. */
  readonly carries?: number
  /** How many processes live runs. Default: two. */
  readonly changers?: number
  /** How often the work in the background asks before the end. Default: never. */
  readonly asks?: number
  /** Anything else that the world begins with. Default: nothing. */
  readonly more?: Partial<Beginning>
  /** The runner that carries follow-ups out. Default: the shipped one. */
  readonly carry?: Carrying
  readonly make?: MakeChange
  readonly look?: Cast['look']
}

/** Explores a scene. */
export const exploreFollowUps = (exploration: FollowUpExploration): Explored => explore(exploringOf(exploration))

/** Says how a scene is explored. */
export function exploringOf({
  scene,
  trouble,
  carries = 3,
  changers = 2,
  asks = 0,
  more = {},
  carry,
  make,
  look,
}: FollowUpExploration): Exploring<World> {
  const cast = castOf({ make, carry, look })
  const { budget: own = {}, ...beginning }: Omit<Beginning, 'budget'> & Partial<Pick<Beginning, 'budget'>> =
    scenes[scene]
  const { budget: wrong, ...rest }: Partial<Beginning> = troubles[trouble]
  const budget = { carries, asks, ...own, ...wrong, ...more.budget }
  return {
    first: firstWorld({ ...beginning, ...rest, changers, ...more, budget }),
    movesOf: world => movesOf(world, cast),
    textOf,
    brokenIn: world => brokenIn(world) ?? wrongList(world) ?? wrongKept(world) ?? undoneIn(world, cast),
  }
}

/** Names an exploration. */
export const nameOf = ({ scene, trouble, carries = 3, changers = 2, asks = 0 }: FollowUpExploration): string =>
  [
    scene,
    trouble,
    `${carries} runs`,
    ...(changers === 2 ? [] : [`${changers} processes`]),
    ...(asks === 0 ? [] : [asks === 1 ? 'one who asks' : 'two who ask']),
  ].join(', ')
