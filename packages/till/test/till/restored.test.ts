/** A backup of the store is put back: what was sent after it was made is not sent again. Counted in the gateway's books. */
import { expect, it } from 'vitest'
import { backupIsPutBack, lackedIsTakenUp } from './restored-cases.js'
import { restoredSurvives } from './restored-deaths.js'
import { places } from './restored-shop.js'
import { openShop } from './shop.js'

// The other tests on a file are in the file beside this one.
backupIsPutBack(places.memory)
lackedIsTakenUp(places.file)

it.each([0, -1, 1.5, Number.NaN])('till.start({ restored: true, retention: %d }): is refused', async retention => {
  const shop = await openShop()
  await expect(shop.till.start({ restored: true, retention })).rejects.toThrow(TypeError)
})

restoredSurvives([
  { at: 1, when: 'before' },
  { at: 3, when: 'after' },
  { at: 5, when: 'before' },
])
