/** An inbox that fails where it matters: what the handler did is done, and what it did not do is done again. */
import type { Inbox } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { memoryInbox } from '../src/core.js'
import { callbackDesk } from './callback-desk.js'
import { send, serveDesk, until } from './serve-desk.js'

/** A desk with an inbox of which one method fails the first time. */
function deskWithFailing(method: 'claim' | 'complete' | 'release') {
  const { clock } = callbackDesk()
  const inbox = memoryInbox({ clock: clock.now })
  const desk = callbackDesk({ inbox, clock: clock.now, wait: clock.wait })
  let isAway = true
  const failing: Inbox = {
    ...inbox,
    [method]: (...of: [never, never]) => {
      if (!isAway) return inbox[method](...of)
      isAway = false
      return Promise.reject(new Error('the database is away'))
    },
  }
  return { clock, desk: callbackDesk({ ...desk.options, inbox: failing }), told: desk.told, first: desk }
}

describe('an inbox that fails', () => {
  it('to claim: nothing is told, and the next delivery tells it', async () => {
    const { desk, told } = deskWithFailing('claim')
    await using served = await serveDesk(desk)
    expect(await send(served.origin)).toBe(503)
    expect(told).toEqual([])
    expect(await send(served.origin)).toBe(200)
    expect(told).toHaveLength(1)
  })

  it('to note that the handler succeeded: it is told again once the lease is over, under the same key', async () => {
    const { clock, desk, told, first } = deskWithFailing('complete')
    await using served = await serveDesk(desk)
    expect(await send(served.origin)).toBe(503)
    const answer = send(served.origin)
    await until(() => first.asked.length === 2)
    await clock.advance(5000)
    expect([await answer, told.length]).toEqual([503, 1])
    await clock.advance(25_000)
    expect(await send(served.origin)).toBe(200)
    expect(told).toHaveLength(2)
    expect(new Set(told.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(told[1]?.fencingToken).toBeGreaterThan(told[0]?.fencingToken ?? 0)
  })

  it('to take back what the handler failed on: it is told again once the lease is over', async () => {
    const { clock, desk, told, first } = deskWithFailing('release')
    let isDown = true
    first.desk.handle = () => {
      if (isDown) throw new Error('the ledger is away')
    }
    await using served = await serveDesk(desk)
    expect(await send(served.origin)).toBe(503)
    isDown = false
    await clock.advance(30_000)
    expect(await send(served.origin)).toBe(200)
    expect(told).toHaveLength(2)
  })
})
