/** Random worlds in which the store fails, lags, answers late and is restarted, compared with the gateway's own book. */
import { forEachSeed } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { liveThrough } from './worlds/world.js'

/** Small worlds in which each word is said. More worlds, and planted mistakes that they must find, are in the file beside this one. */
const worlds = ['3', '8', '33', '43', '51', '58']

describe('a shop whose store fails', () => {
  it('sends nothing twice, says nothing false and loses nothing', async () => {
    const words = new Set<string>()
    await forEachSeed(worlds, async seed => {
      const { wrong, told } = await liveThrough(seed)
      expect(wrong).toEqual([])
      for (const { word } of told) words.add(word)
    })
    // It was not a quiet life.
    const all = ['accepted', 'happened', 'known', 'no-trace', 'not-reserved', 'not-sent', 'refused', 'unknown']
    expect([...words].sort()).toEqual(all)
  })

  it('lives the same life again under the same seed', async () => {
    const lives = [await liveThrough('58'), await liveThrough('58')].map(({ told }) => told)
    expect(lives[0]).toEqual(lives[1])
    expect(lives[0]?.length).toBeGreaterThan(0)
  })
})
