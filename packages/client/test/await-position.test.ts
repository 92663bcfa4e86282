/** Waits that are watched, saved and gone on with elsewhere, over real HTTP. */

import type { WaitState } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
    for await (const { wait } of watching.client.watchOutcome(question, { schedule })) {
      saved.push(JSON.stringify(wait))
      if (saved.length === 2) break
    }
    await watching.client.close()
    const wait = JSON.parse(saved[1] ?? '') as WaitState
    expect(wait).toMatchObject({ asked: 2, answered: 2, startedAt: start, expected: expectedSale })
    const ended = await watching.another().awaitOutcome(wait, { schedule })
    expect(ended).toMatchObject({ kind: 'still-unknown', wait: { asked: 5, startedAt: start } })
    expect(watching.pauses).toEqual([1_000, 1_000, 1_000])
  })

  it('knows after a restart that the time is up, and asks all the same', async () => {
    const question = await watching.sell('217')
    const watch = watching.client.watchOutcome(question)
    const { value } = await watch.next()
    await watch.return()
    await watching.clock.advance(2 * 60 * minute)
    const wait = { ...value?.wait } as WaitState
    const ended = await watching.another().awaitOutcome(wait)
    expect(ended).toMatchObject({ kind: 'still-unknown', reason: 'time-is-up' })
  })

  it.each([
    ['asked', -1],
    ['startedAt', 'yesterday'],
    ['shown', 'method'],
    ['pace', { phase: 0 }],
  ])('refuses a wait state whose %s was changed', async (field, value) => {
    const watch = watching.client.watchOutcome(await watching.sell('217'))
    const { value: observation } = await watch.next()
    await watch.return()
    const wait = { ...observation?.wait, [field]: value } as unknown as WaitState
    await expect(watching.client.awaitOutcome(wait)).rejects.toThrow('This is not a wait state')
  })

  it('holds no card data', async () => {
    const ended = await watching.client.awaitOutcome(await watching.sell())
    const { creditCardNumber, cvv2, cardPrintedName } = saleOf('9876')
    for (const secret of [creditCardNumber, cvv2, cardPrintedName]) {
      expect(JSON.stringify(ended.wait)).not.toContain(secret)
    }
  })
})

describe('watchOutcome', () => {
  it('yields each observation, the last one with the outcome', async () => {
    const question = await watching.sell()
    watching.answerStatus({ status: 'processing', transactionType: 'sale', ...question.order }, 'hang-up', 'gateway')
    const seen = []
    for await (const { settlement, nextAt, outcome } of watching.client.watchOutcome(question)) {
      const said = settlement?.kind
      seen.push([said, nextAt, outcome?.kind])
    }
    expect(seen).toEqual([
      ['not-final', start + 3_000, undefined],
      ['no-answer', start + 6_000, undefined],
      ['approved', undefined, 'approved'],
    ])
  })
  /** A wait in the middle of its first pause, which nobody ends but who leaves. */
  async function pausing() {
    const question = await watching.sell()
    watching.answerStatus({ status: 'processing', transactionType: 'sale', ...question.order })
    let paused = (): void => {}
    const pause = new Promise<void>(resolve => {
      paused = resolve
    })
    const client = watching.another({
      wait: (_milliseconds, signal) => {
        paused()
        return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
      },
    })
    const observations = client.watchOutcome(question)
    expect((await observations.next()).value).toMatchObject({ settlement: { kind: 'not-final' } })
    const next = observations.next()
    await pause
    return { observations, next, client, question }
  }

  it('is ended at once by return, in the middle of a pause', async () => {
    const { observations, next, client, question } = await pausing()
    expect(await observations.return()).toEqual({ done: true, value: undefined })
    expect((await next).value).toMatchObject({ outcome: { kind: 'still-unknown', reason: 'aborted' } })
    expect(await observations.next()).toEqual({ done: true, value: undefined })
    expect(client.wake(question.order)).toBe(0)
    expect(watching.gateway.calls('status')).toHaveLength(1)
  })

  it('is ended at once by throw, in the middle of a pause', async () => {
    const { observations, next, client, question } = await pausing()
    await expect(observations.throw(new Error('enough'))).rejects.toThrow('enough')
    expect((await next).value).toMatchObject({ outcome: { kind: 'still-unknown', reason: 'aborted' } })
    expect(client.wake(question.order)).toBe(0)
  })

  it('asks nothing when it is left before it began', async () => {
    const question = await watching.sell()
    const observations = watching.client.watchOutcome(question)
    await observations.return()
    expect(await observations.next()).toEqual({ done: true, value: undefined })
    expect(watching.gateway.calls('status')).toHaveLength(0)
  })

  it('is left by leaving its loop', async () => {
    const question = await watching.sell()
    watching.answerStatus({ status: 'processing', transactionType: 'sale', ...question.order })
    for await (const { outcome } of watching.client.watchOutcome(question)) {
      expect(outcome).toBeUndefined()
      break
    }
    expect(watching.client.wake(question.order)).toBe(0)
    expect(watching.gateway.calls('status')).toHaveLength(1)
  })
})
