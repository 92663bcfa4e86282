/** Random worlds in which customers pay on any form they were given, answers are lost and processes die: one charge, one telling. */
import { describe, expect, it } from 'vitest'
import { liveTruly } from './certain.js'
import { liveThrough } from './world.js'

// Short worlds that have together all that there is: more of them, and planted mistakes that they must find, are in the file beside this one.
const seeds = ['46', '65', '92']
const moreSeeds = ['54', '56', '116']

describe('a till in any world', () => {
  it('charges nobody twice, and tells each order once and truly', async () => {
    const { told } = await liveTruly(seeds)
    // It was not a quiet life.
    expect(told).toEqual(['declined', 'disputed', 'held', 'paid', 'surplus'])
  })

  it('does so where customers come back and go through 3DS, and the merchant changes payments and pays out', async () => {
    const { told, asked } = await liveTruly(moreSeeds, { hasMore: true })
    // All of it did happen.
    expect(told).toEqual(expect.arrayContaining(['returned', 'released', 'sent', 'verified']))
    for (const operation of ['capture', 'payoutPay', 'uploadCresResult']) expect(asked).toContain(operation)
  })

  it('is the same for the same seed', async () => {
    expect(await liveThrough('92')).toEqual(await liveThrough('92'))
  })
})
