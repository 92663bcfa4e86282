/** More worlds than the short test has, and every kind of alteration many times. `npm run traces` judges as many as are wanted. */
import { expect, it } from 'vitest'
import { alterations } from '../src/alter.js'
import { nothing, sum, tallyWorld } from '../src/tally.js'

it('the traces of forty worlds are accepted, and hardly an alteration of them is', async () => {
  let tally = nothing
  for (let seed = 200; seed < 240; seed += 1) tally = sum(tally, await tallyWorld(String(seed), 6))
  expect(tally.refused).toEqual([])
  expect(tally.traces).toBeGreaterThanOrEqual(60)
  for (const kind of alterations) {
    const { replay, store, gateway, lawful } = tally.altered[kind]
    expect([kind, replay + store + gateway]).toEqual([kind, expect.any(Number)])
    expect(replay + store + gateway).toBeGreaterThan(3 * lawful)
  }
})
