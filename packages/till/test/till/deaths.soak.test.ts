/** A process dies before and after every call of its store: of these deaths the short tests have some. */
import { expect, it } from 'vitest'
import { afterwardsSurvives } from './afterwards-deaths.js'
import { deathsAt } from './deaths.js'
import { engines } from './engines.js'
import { failedSurvives, giveBackSurvives } from './people-deaths.js'
import { restoredSurvivesEverywhere } from './restored-deaths.js'
import { returnMeanwhile, surplusSurvives } from './surplus-races.js'

for (const engine of Object.values(engines)) {
  afterwardsSurvives(deathsAt(6, 7), engine)
  surplusSurvives(deathsAt(4, 9), engine)
}
failedSurvives(deathsAt(0, 3))
giveBackSurvives(deathsAt(0, 8))
restoredSurvivesEverywhere()

it('two processes, one returns what was paid at any call around the reservation: both orders never go back', async () => {
  // Before and after these calls it is the same as at the first and at the last of them.
  expect(new Set(await returnMeanwhile('file', [3, 4, 5, 6, 7, 8, 9]))).toEqual(new Set(['basket-7', 'basket-7.2r']))
})
