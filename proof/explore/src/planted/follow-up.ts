/** Mistakes of follow-ups. */
import type { Carrying } from '../change/world.js'
import { exploreFollowUps, type FollowUpExploration } from '../follow-up/follow-up.js'
import {
  asksNobody,
  asksNothing,
  carriesStruck,
  goesByFirst,
  keepsDecision,
  sendsFailed,
  strikesFirst,
  strikesSent,
  strikesWaiting,
} from '../follow-up/mistakes.js'
import type { Planted } from '../scenes/scene.js'

const rest = { scene: 'a part and the rest', carries: 2 } as const
const surplus = { scene: 'a surplus', carries: 2 } as const
const beside = { scene: 'a surplus, beside a return of the other order', carries: 1 } as const
const byHand = { scene: 'a surplus, beside a return by hand', carries: 1 } as const
const notTaken = /^(cup|surplus) is struck, and the gateway has not taken it$/
const otherFirst = /leaves, and the other order may be on its way back$/

const planted: readonly (readonly [what: string, where: FollowUpExploration, broken: RegExp, carry: Carrying])[] = [
  ['that strikes a follow-up before its request ended', { ...rest, trouble: 'no trouble' }, notTaken, strikesFirst],
  [
    'that strikes one whose request was not answered',
    { ...rest, trouble: 'a lost answer of a request' },
    notTaken,
    strikesSent,
  ],
  ['that strikes one that was refused', { ...rest, trouble: 'a refusal' }, notTaken, strikesSent],
  [
    'that keeps its decision although somebody else wrote meanwhile',
    { ...rest, trouble: 'no trouble' },
    /leaves, and is not kept$/,
    keepsDecision,
  ],
  ['that strikes a surplus that was refused', { ...surplus, trouble: 'a refusal' }, notTaken, strikesSent],
  [
    'that keeps its decision over a surplus',
    { ...surplus, trouble: 'no trouble' },
    /leaves, and is not kept$/,
    keepsDecision,
  ],
  ['that gives a surplus back as any other money', { ...beside, trouble: 'no trouble' }, otherFirst, asksNobody],
  ['that goes by how the other order stood first', { ...beside, trouble: 'no trouble' }, otherFirst, goesByFirst],
  [
    'that gives a surplus up while the other order may go back',
    { ...beside, trouble: 'no trouble' },
    notTaken,
    strikesWaiting,
  ],
  [
    'that asks nothing of the other order',
    { ...byHand, trouble: 'no trouble' },
    /the other order was given back by hand$/,
    asksNothing,
  ],
  [
    'that carries out what another process has struck',
    { scene: 'a part and the rest, beside another part', trouble: 'a change that fails', carries: 2 },
    /^run-\d may carry cup out, and whole is next$/,
    carriesStruck,
  ],
  [
    'that sends a follow-up again that a merchant has sent, and that failed',
    { scene: 'a part and the rest, beside the whole', trouble: 'a change that fails', carries: 2 },
    /^run-\d\/\d leaves, and whole was sent before$/,
    sendsFailed,
  ],
]

export const followUps: readonly Planted[] = planted.map(([what, where, broken, carry]) => ({
  what: `follow-up: ${what}`,
  broken,
  walk: () => exploreFollowUps({ ...where, carry }),
}))
