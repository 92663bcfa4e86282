/** Scenes of a payment with more worlds than a daily test has time for: three presses, two causes of trouble, slower processes, other gateways. */
import { expect, it } from 'vitest'
import { type Exploration, exploreScene, nameOf } from './pay.js'
import { leadsToLeftForm } from './pay-mistakes.js'
import { expectWhole } from './roughly.js'

const otherGateway = { absence: 'as it refuses', usedIds: 'second-order' } as const
const slower: Exploration = { scene: 'a slow process', budget: { presses: 2, slowTicks: 2 } }

/** How many worlds each scene had, roughly. */
const kept: readonly (readonly [Exploration, worlds: number])[] = [
  [{ scene: 'a crash anywhere', budget: { presses: 3, crashes: 1 } }, 6_021],
  [{ scene: 'a crash anywhere', budget: { presses: 2, crashes: 1, lostWrites: 1, lostAnswers: 1 } }, 5_419],
  [{ scene: 'a lost answer of a request', budget: { presses: 3, lostAnswers: 1 }, usedIds: 'second-order' }, 4_281],
  [slower, 48_288],
  [{ scene: 'a decline', budget: { presses: 3, declines: 1, asks: 1 } }, 3_404],
  [{ scene: 'a decline', budget: { presses: 2, declines: 1, asks: 1, lostWrites: 1, lostAnswers: 1 } }, 11_862],
  [{ scene: 'a decline', budget: { presses: 2, declines: 1, asks: 1, slowTicks: 1 } }, 36_815],
  [{ scene: 'a word that is taken back', budget: { presses: 3, declines: 1, asks: 1, corrections: 1 } }, 7_729],
  [
    { scene: 'a word that is taken back', budget: { presses: 2, declines: 1, asks: 1, corrections: 1, crashes: 1 } },
    7_875,
  ],
  [{ scene: 'a question without an answer', budget: { presses: 3, declines: 1, asks: 1, lostQuestions: 1 } }, 3_857],
  [
    { scene: 'a question without an answer', budget: { presses: 3, crashes: 1, lostQuestions: 1 }, ...otherGateway },
    12_690,
  ],
  [{ scene: 'a form whose address was lost' }, 7_023],
  [{ scene: 'a form whose address was lost', budget: { presses: 2, lostAnswers: 1, crashes: 1, asks: 2 } }, 34_721],
  [{ scene: 'a lifetime that is over', budget: { presses: 3 }, goesOn: false }, 4_956],
  [{ scene: 'a lifetime that is over', budget: { presses: 2, crashes: 1, begins: 1 }, goesOn: false }, 1_615],
  [{ scene: 'a lifetime that is over', budget: { presses: 2, slowTicks: 1 } }, 4_956],
  [{ scene: 'a form that takes another card', budget: { presses: 2, declines: 1, asks: 1 } }, 4_528],
  [{ scene: 'a pause', budget: { presses: 3, declines: 1, asks: 1, pauses: 1 } }, 9_620],
  [{ scene: 'a pause', budget: { presses: 2, slowTicks: 1, pauses: 1 } }, 6_780],
  [{ scene: 'a restored store', budget: { presses: 3, restores: 1, lostQuestions: 1 }, ...otherGateway }, 3_043],
  [{ scene: 'a restored store', budget: { presses: 3, restores: 1, crashes: 1 }, usedIds: 'second-order' }, 17_864],
  [{ scene: 'a restored store', budget: { presses: 2, restores: 1, slowTicks: 1 } }, 5_784],
  [{ scene: 'a restored store', budget: { presses: 3, restores: 1 }, replaceOpenForm: true }, 12_951],
  [{ scene: 'a restored store', budget: { presses: 2, restores: 1, declines: 1, asks: 1 } }, 4_349],
  [{ scene: 'another amount', budget: { presses: 2, crashes: 1, lostWrites: 1, lostAnswers: 1 } }, 7_048],
  [{ scene: 'another amount, and a form that is replaced', budget: { presses: 2, declines: 1, asks: 1 } }, 20_229],
]

const aDecline = { presses: 2, declines: 1, asks: 1 }
const takenBack = { ...aDecline, corrections: 1 }
const byCommits = { scene: 'a word that is taken back', tells: 'by commits' } as const
const byMarks = { scene: 'a word that is taken back', tells: 'by marks' } as const

/** The same where the process tells the handler what it learns. */
const telling: readonly (readonly [Exploration, worlds: number])[] = [
  [{ ...byCommits, scene: 'a decline' }, 1_316],
  [{ ...byMarks, scene: 'a decline' }, 1_528],
  [{ ...byCommits }, 2_692],
  [{ ...byMarks, budget: { ...takenBack, presses: 3 } }, 28_369],
  [{ ...byCommits, budget: { ...takenBack, crashes: 1 } }, 12_867],
  [{ ...byMarks, budget: { ...takenBack, crashes: 1 } }, 16_967],
  [{ ...byCommits, budget: { ...takenBack, lostWrites: 1 } }, 8_752],
  [{ ...byMarks, budget: { ...takenBack, lostWrites: 1 } }, 11_824],
  [{ ...byCommits, budget: { ...takenBack, lostCommits: 1 } }, 4_766],
  [{ ...byMarks, budget: { ...takenBack, failures: 1 } }, 6_574],
  [{ ...byCommits, budget: { ...takenBack, lostQuestions: 1 } }, 2_934],
  [{ ...byCommits, scene: 'a form that is not replaced', budget: { presses: 3, declines: 1 } }, 3_666],
]

const two = { accounts: ['merchant', 'merchant-2'] } as const
const named = { ...two, namesAccount: true, goesOn: false } as const

/** The same of a payment that is asked for by two accounts. */
const accounts: readonly (readonly [Exploration, worlds: number])[] = [
  [{ scene: 'a restored store', budget: { presses: 2, restores: 1, crashes: 1 }, ...two }, 1_738],
  [{ scene: 'a decline', ...two }, 1_394],
  [{ scene: 'a word that is taken back', ...two }, 2_380],
  [{ scene: 'a restored store', ...two }, 2_930],
  [{ scene: 'a restored store', budget: { presses: 2, restores: 1, declines: 1, asks: 1 }, ...two }, 5_596],
  [
    { scene: 'a restored store', budget: { presses: 3, restores: 1, lostQuestions: 1 }, ...otherGateway, ...two },
    3_938,
  ],
  [{ scene: 'a restored store', budget: { presses: 3, restores: 1 }, ...named }, 2_176],
  [{ scene: 'a restored store', budget: { presses: 2, restores: 1, slowTicks: 1 }, ...two }, 9_190],
]

it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
  'a payment is charged once, and nobody hears a guess, in every world of: %s',
  (_, exploration, worlds) => {
    expectWhole(exploreScene(exploration), worlds)
  },
)

it.each(telling.map(each => [nameOf(each[0]), ...each] as const))(
  'a payment is charged once, and what is learnt is told first, in every world of: %s',
  (_, exploration, worlds) => {
    expectWhole(exploreScene(exploration), worlds)
  },
)

it.each(accounts.map(each => [nameOf(each[0]), ...each] as const))(
  'a payment is charged once, and each account is asked about its own orders, in every world of: %s',
  (_, exploration, worlds) => {
    expectWhole(exploreScene(exploration), worlds)
  },
)

it('the explorer finds a runner that leads to its form although the payment went on without it', () => {
  const { found } = exploreScene({ ...slower, make: leadsToLeftForm, goesOn: false })
  expect(found?.broken).toMatch(/^customers may pay, or have paid, form 1 of basket-7 and form 2 of basket-7.2r$/)
})
