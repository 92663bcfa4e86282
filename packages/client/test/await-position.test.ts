/** Waits that are watched, saved and gone on with elsewhere, over real HTTP. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutcomePosition } from '../src/index.js'
import { expectedSale, minute, saleOf, start, startWatching, type Watching } from './watching.js'

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

describe('awaitOutcome, saved and restored', () => {
  it('goes on in another process from plain JSON', async () => {
    const question = await watching.sell('217')
    const schedule = [{ atLeast: 1_000, atMost: 1_000, times: 4 }]
    const saved: string[] = []
    for await (const { position } of watching.client.watchOutcome(question, { schedule })) {
      saved.push(JSON.stringify(position))
      if (saved.length === 2) break
    }
    await watching.client.close()
    const position = JSON.parse(saved[1] ?? '') as OutcomePosition
    expect(position).toMatchObject({ asked: 2, answered: 2, startedAt: start, expected: expectedSale })
    const ended = await watching.another().awaitOutcome(position, { schedule })
    expect(ended).toMatchObject({ outcome: 'still-unknown', position: { asked: 5, startedAt: start } })
    expect(watching.pauses).toEqual([1_000, 1_000, 1_000])
  })

  it('knows after a restart that the time is up, and asks all the same', async () => {
    const question = await watching.sell('217')
    const watch = watching.client.watchOutcome(question)
    const { value } = await watch.next()
    await watch.return()
    await watching.clock.advance(2 * 60 * minute)
    const position = { ...value?.position } as OutcomePosition
    const ended = await watching.another().awaitOutcome(position)
    expect(ended).toMatchObject({ outcome: 'still-unknown', reason: 'time-is-up' })
  })

  it.each([
    ['asked', -1],
    ['startedAt', 'yesterday'],
    ['shown', 'method'],
    ['pace', { phase: 0 }],
  ])('refuses a position whose %s was changed', async (field, value) => {
    const watch = watching.client.watchOutcome(await watching.sell('217'))
    const { value: observation } = await watch.next()
    await watch.return()
    const position = { ...observation?.position, [field]: value } as unknown as OutcomePosition
    await expect(watching.client.awaitOutcome(position)).rejects.toThrow('This is no position')
  })

  it('holds no card data', async () => {
    const ended = await watching.client.awaitOutcome(await watching.sell())
    const { creditCardNumber, cvv2, cardPrintedName } = saleOf('9876')
    for (const secret of [creditCardNumber, cvv2, cardPrintedName]) {
      expect(JSON.stringify(ended.position)).not.toContain(secret)
    }
  })
})

describe('watchOutcome', () => {
  it('yields each observation, the last one with the outcome', async () => {
    const question = await watching.sell()
    watching.answerStatus({ status: 'processing', transactionType: 'sale', ...question.order }, 'hang-up', 'gateway')
    const seen = []
    for await (const { settlement, nextAt, outcome } of watching.client.watchOutcome(question)) {
      const said = settlement?.settled === true ? settlement.outcome : settlement?.reason
      seen.push([said, nextAt, outcome?.outcome])
    }
    expect(seen).toEqual([
      ['not-final', start + 3_000, undefined],
      ['no-answer', start + 6_000, undefined],
      ['approved', undefined, 'approved'],
    ])
  })
})
