/** Scenes of a payment with more worlds than a daily test has time for: three presses, two causes of trouble, slower processes, other gateways. */
import { expect, it } from 'vitest'
import { type Exploration, exploreScene, nameOf } from './pay.js'
import { leadsToLeftForm } from './pay-mistakes.js'

const otherGateway = { absence: 'as it refuses', usedIds: 'second-order' } as const
const slower: Exploration = { scene: 'a slow process', budget: { presses: 2, slowTicks: 2 } }

const kept: readonly (readonly [Exploration, worlds: number, depth: number])[] = [
  [{ scene: 'a crash anywhere', budget: { presses: 3, crashes: 1 } }, 6_021, 32],
  [{ scene: 'a crash anywhere', budget: { presses: 2, crashes: 1, lostWrites: 1, lostAnswers: 1 } }, 5_419, 27],
  [{ scene: 'a lost answer of a request', budget: { presses: 3, lostAnswers: 1 }, usedIds: 'second-order' }, 4_281, 29],
  [slower, 48_288, 31],
  [{ scene: 'a decline', budget: { presses: 3, declines: 1, asks: 1 } }, 3_404, 32],
  [{ scene: 'a decline', budget: { presses: 2, declines: 1, asks: 1, lostWrites: 1, lostAnswers: 1 } }, 11_862, 30],
  [{ scene: 'a decline', budget: { presses: 2, declines: 1, asks: 1, slowTicks: 1 } }, 36_815, 36],
  [{ scene: 'a word that is taken back', budget: { presses: 3, declines: 1, asks: 1, corrections: 1 } }, 7_729, 37],
  [
    { scene: 'a word that is taken back', budget: { presses: 2, declines: 1, asks: 1, corrections: 1, crashes: 1 } },
    7_875,
    32,
  ],
  [
    { scene: 'a question without an answer', budget: { presses: 3, declines: 1, asks: 1, lostQuestions: 1 } },
    3_857,
    32,
  ],
  [
    { scene: 'a question without an answer', budget: { presses: 3, crashes: 1, lostQuestions: 1 }, ...otherGateway },
    12_690,
    32,
  ],
  [{ scene: 'a form whose address was lost' }, 7_023, 33],
  [{ scene: 'a form whose address was lost', budget: { presses: 2, lostAnswers: 1, crashes: 1, asks: 2 } }, 34_721, 34],
  [{ scene: 'a lifetime that is over', budget: { presses: 3 }, goesOn: false }, 4_956, 38],
  [{ scene: 'a lifetime that is over', budget: { presses: 2, crashes: 1, begins: 1 }, goesOn: false }, 1_615, 26],
  [{ scene: 'a lifetime that is over', budget: { presses: 2, slowTicks: 1 } }, 4_956, 30],
  [{ scene: 'a form that takes another card', budget: { presses: 2, declines: 1, asks: 1 } }, 4_528, 30],
  [{ scene: 'a pause', budget: { presses: 3, declines: 1, asks: 1, pauses: 1 } }, 9_620, 33],
  [{ scene: 'a pause', budget: { presses: 2, slowTicks: 1, pauses: 1 } }, 6_780, 31],
  [{ scene: 'a restored store', budget: { presses: 3, restores: 1, lostQuestions: 1 }, ...otherGateway }, 3_043, 32],
  [{ scene: 'a restored store', budget: { presses: 3, restores: 1, crashes: 1 }, usedIds: 'second-order' }, 17_864, 36],
  [{ scene: 'a restored store', budget: { presses: 2, restores: 1, slowTicks: 1 } }, 5_784, 31],
  [{ scene: 'a restored store', budget: { presses: 3, restores: 1 }, replaceOpenForm: true }, 12_951, 38],
  [{ scene: 'a restored store', budget: { presses: 2, restores: 1, declines: 1, asks: 1 } }, 4_349, 32],
  [{ scene: 'another amount', budget: { presses: 2, crashes: 1, lostWrites: 1, lostAnswers: 1 } }, 7_048, 27],
  [{ scene: 'another amount, and a form that is replaced', budget: { presses: 2, declines: 1, asks: 1 } }, 20_229, 33],
]

it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
  'a payment is charged once, and nobody hears a guess, in every world of: %s',
  (_, exploration, worlds, depth) => {
    expect(exploreScene(exploration)).toEqual({ worlds, depth })
  },
)

it('the explorer finds a runner that leads to its form although the payment went on without it', () => {
  const { found } = exploreScene({ ...slower, make: leadsToLeftForm, goesOn: false })
  expect(found?.broken).toMatch(/^customers may pay, or have paid, form 1 of basket-7 and form 2 of basket-7.2r$/)
})
