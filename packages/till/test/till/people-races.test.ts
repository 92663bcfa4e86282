/** Two persons, the gateway and a crash, at the moment of a decision: each line of the table of ADR 0049. */

import { describe, expect, it } from 'vitest'
import type { DocumentStore } from '../../src/store/store.js'
import { engines } from './engines.js'
import { another, failed, failedSurvives, giveBackSurvives, unknownShop } from './people-deaths.js'
import { momentsOfDecision } from './people-moments.js'

momentsOfDecision(engines.memory)

describe('a process that dies while it takes a decision', () => {
  failedSurvives([
    { at: 0, when: 'before' },
    { at: 1, when: 'before' },
    { at: 1, when: 'after' },
    { at: 2, when: 'after' },
  ])
  giveBackSurvives([
    { at: 4, when: 'before' },
    { at: 6, when: 'after' },
  ])
})

describe('a decision that may have been written', () => {
  it('is found by who says it again: it is done once', async () => {
    const { shop, store } = await unknownShop(engines.memory)
    let lost = 0
    const write: DocumentStore['write'] = async (key, entry, options) => {
      const written = await store.write(key, entry, options)
      if (!entry.body.includes('"decided"') || lost > 0) return written
      lost += 1
      throw new Error('the connection was cut')
    }
    const till = another(shop, { ...store, write })
    expect(await till.decide('basket-7', failed)).toMatchObject({ kind: 'done' })
    const { timeline } = await shop.till.payment('basket-7')
    expect([lost, timeline.filter(({ kind }) => kind === 'decided').length]).toEqual([1, 1])
    await till.close()
  })
})
