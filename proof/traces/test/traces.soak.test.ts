/** More worlds than the short test has, and every kind of alteration many times. `npm run traces` judges as many as are wanted. */
import { expect, it } from 'vitest'
import { alterations } from '../src/alter.js'
import { nothing, sum, tallyRace, tallyWorld } from '../src/tally.js'

it('the traces of twenty worlds are accepted, and hardly an alteration of them is', async () => {
  let tally = nothing
  for (let seed = 200; seed < 220; seed += 1) tally = sum(tally, await tallyWorld(String(seed), 9))
  expect(tally.refused).toEqual([])
  expect(tally.traces).toBeGreaterThanOrEqual(30)
  for (const kind of alterations) {
    const { replay, store, gateway, lawful } = tally.altered[kind]
    const refused = replay + store + gateway
    expect([kind, refused > 10 && refused > 3 * lawful]).toEqual([kind, true])
  }
})

it('the traces of eight processes on one store, two of which are killed, are accepted', async () => {
  const { refused, traces, altered } = await tallyRace(3, { payments: 4, kills: 2, changes: 24 })
  expect(refused).toEqual([])
  expect(traces).toBe(4)
  expect(altered['version skipped'].store).toBeGreaterThan(0)
})
