/** Random worlds in which customers pay on any form they were given, answers are lost and processes die: one charge, one telling. */
import { type DocumentStore, memoryStore } from '@tillkit/protocol'
import { forEachSeed } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import type { Planted } from './life.js'
import { liveThrough } from './world.js'

/** More of them are in the file beside this one. */
const worlds = 30

/** Some in which all that there is happens. */
const moreSeeds = Array.from({ length: 20 }, (_, at) => String(at + 30))

describe('a till in any world', () => {
  it('charges nobody twice, and tells each order once and truly', async () => {
    const kinds = new Set<string>()
    await forEachSeed(worlds, async seed => {
      const { wrong, told } = await liveThrough(seed)
      expect(wrong).toEqual([])
      for (const each of told) kinds.add(each.split(' ')[1] ?? '')
    })
    // It was not a quiet life.
    expect([...kinds].sort()).toEqual(['declined', 'disputed', 'held', 'paid', 'surplus'])
  }, 600_000)

  it('does so where customers come back and go through 3DS, and the merchant changes payments and pays out', async () => {
    const happened = new Set<string>()
    await forEachSeed(moreSeeds, async seed => {
      const { wrong, told, asked } = await liveThrough(seed, {}, { hasMore: true })
      expect(wrong).toEqual([])
      for (const each of [...told.map(line => line.split(' ')[1] ?? ''), ...asked]) happened.add(each)
    })
    // All of it did happen.
    for (const each of ['returned', 'released', 'sent', 'verified', 'capture', 'payoutPay', 'uploadCresResult'])
      expect(happened).toContain(each)
  }, 600_000)

  it('is the same for the same seed', async () => {
    for (const seed of ['5', '15', '22', '33']) expect(await liveThrough(seed)).toEqual(await liveThrough(seed))
  })
})

/** Changes what one process writes. */
const writing = (store: DocumentStore, change: (body: string) => string): DocumentStore => ({
  ...store,
  write: (key, entry, options) => store.write(key, { ...entry, body: change(entry.body) }, options),
})

/** What must be found, and the mistake that is planted. */
const mistakes: readonly (readonly [string, RegExp, Planted])[] = [
  ['tells surplus as paid', /was told as paid of/, { hears: kind => (kind === 'surplus' ? 'paid' : kind) }],
  [
    'tells a decline as paid',
    /was told as paid, and never was/,
    { hears: kind => (kind === 'declined' ? 'paid' : kind) },
  ],
  [
    'forgets which orders it has left',
    /changed 30 times/,
    { view: store => writing(store, body => body.replaceAll(/,"left":"[a-z-]+"/g, '')) },
  ],
  [
    'forgets what has failed to be told',
    /was approved, and told as nothing|nothing was told/,
    { view: store => writing(store, body => body.replaceAll(/"corrections":\[\]/g, '"corrections":[],"told":1')) },
  ],
  [
    'keeps its payments to itself',
    /was opened although|charged \d times|was told as paid of|does not have/,
    { view: () => memoryStore() },
  ],
]

describe('a planted mistake is found', () => {
  it.each(mistakes)(
    'of a till that %s',
    async (_, message, planted) => {
      expect(await firstFound(planted)).toMatch(message)
    },
    600_000,
  )
})

/** What the first of some worlds finds. */
async function firstFound(planted: Planted): Promise<string> {
  for (let seed = 1; seed <= worlds; seed += 1) {
    const { wrong } = await liveThrough(String(seed), planted)
    if (wrong.length > 0) return wrong.join('\n')
  }
  return 'nothing'
}
