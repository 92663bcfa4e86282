/** Causes that meet while money is given back, captured or released, and while follow-ups are carried out. */
import { type Exploration, exploringOf, type MakeChange, troubles } from '../change/change.js'
import type { Beginning, Budget } from '../change/world.js'
import { exploringOf as exploringFollowUps, type FollowUpExploration } from '../follow-up/follow-up.js'
import { explorations } from '../scenes/change.js'
import { explorations as followUps } from '../scenes/follow-up.js'
import { type Amounts, type Deep, deepOf, type Family, worldsOf } from './family.js'

/** The way in which a gateway answers, without what goes wrong. */
const answersOf = (trouble: keyof typeof troubles): Partial<Beginning> => {
  const { budget: _amounts, ...answers }: Partial<Beginning> = troubles[trouble]
  return answers
}

interface Prepared extends Pick<Exploration, 'pair'> {
  readonly more: Partial<Beginning>
}

interface Followed extends Pick<FollowUpExploration, 'scene'> {
  readonly more: Partial<Beginning>
}

const worldName = (what: string, more: Partial<Beginning>): string =>
  [what, ...Object.entries(more).map(([name, value]) => `${name} ${value}`)].join(', ')

const isByHand = ({ more }: Pick<Prepared, 'more'>): boolean => more.handWish === 'hand'

const alike = {
  crashes: { what: 'a crash' },
  lostWrites: { what: 'a write whose answer is lost, or that lands later' },
  lostAnswers: { what: 'a request whose answer is lost, or that is late on the wire' },
  lostQuestions: { what: 'a question without an answer' },
  lags: { what: 'status that lags' },
  refusals: { what: 'a refusal' },
  declines: { what: 'a change that fails' },
  slowTicks: { what: 'a slow process' },
  asks: { what: 'a question of the background' },
} as const

const causes: Family<keyof Budget, Prepared, never>['causes'] = {
  ...alike,
  carries: undefined,
  byHand: { what: 'a part given back at the gateway', needs: { calls: 1 }, isIn: isByHand },
  calls: { what: 'a callback about a part given back there', needs: { byHand: 1 }, isIn: isByHand },
  corrections: { what: 'a part given back there, and taken back', needs: { byHand: 1, calls: 1 }, isIn: isByHand },
  hours: { what: 'an hour', needs: { byHand: 1, calls: 1, looks: 1 }, isIn: isByHand },
  looks: undefined,
}

const made = (make: MakeChange | undefined) => (make === undefined ? {} : { make })

/** @param make Makes the runner. Default: the shipped one. */
export const changeDeep = (make?: MakeChange): Deep =>
  deepOf({
    name: 'change',
    worlds: worldsOf<Prepared>(
      explorations.map(({ pair, trouble }) => ({ pair, more: answersOf(trouble) })),
      ({ pair, more }) => worldName(pair, more),
    ),
    causes,
    begin: ({ pair, more }, budget, isCrowded) =>
      exploringOf({
        pair,
        trouble: 'no trouble',
        more: { ...more, budget, ...(isCrowded ? { changers: 3 } : {}) },
        ...made(make),
      }),
  })

const isAfterHand = ({ scene }: Followed): boolean => scene === 'a surplus, beside a return by hand'

const followUpCauses: Family<keyof Budget, Followed, never>['causes'] = {
  ...alike,
  // While status lacks what a person did at the gateway, nobody can know of it.
  lags: { ...alike.lags, isIn: world => !isAfterHand(world) },
  carries: { what: 'another run that carries out' },
  byHand: { what: 'the other order given back by hand', isIn: isAfterHand },
  calls: undefined,
  corrections: undefined,
  hours: undefined,
  looks: undefined,
}

/** Two runs carry follow-ups out. */
const withRuns = ({ carries = 0, ...amounts }: Amounts<keyof Budget>): Amounts<keyof Budget> => ({
  ...amounts,
  carries: carries + 2,
})

export const followUpDeep: Deep = deepOf({
  name: 'follow-up',
  worlds: worldsOf<Followed>(
    followUps.map(({ scene, trouble }) => ({ scene, more: answersOf(trouble) })),
    ({ scene, more }) => worldName(scene, more),
  ),
  causes: followUpCauses,
  begin: ({ scene, more }, amounts, isCrowded) =>
    exploringFollowUps({
      scene,
      trouble: 'no trouble',
      more: { ...more, budget: withRuns(amounts), ...(isCrowded ? { changers: 3 } : {}) },
    }),
})
