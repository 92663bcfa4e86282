/** A store that fails where it matters: what the handler did is done, and what it did not do is done again. */
import { memoryStore, readDocument, type Store } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callbackDesk } from './callback-desk.js'
import { keepPayment, paymentsIn } from './kept-payments.js'
import { send, serveDesk, until } from './serve-desk.js'

beforeEach(() => void vi.spyOn(process, 'emitWarning').mockReturnValue())
afterEach(() => vi.restoreAllMocks())

/** What a write does to the telling of an outcome. */
type Step = 'claims' | 'marks' | 'gives back' | 'notes the callback'

function stepOf(body: string): Step {
  const { telling, orders } = readDocument({ key: 'payment/', version: 1, writeId: 'w', body })
  if (telling !== undefined) return telling.token === '' ? 'gives back' : 'claims'
  return orders.some(({ stages }) => stages.some(({ told = 0 }) => told > 0)) ? 'marks' : 'notes the callback'
}

/** A desk whose store fails at one step as often as is said; `written`: the write is made all the same, and its answer is lost. */
async function deskWithFailing(step: Step, { times, written }: { readonly times: number; readonly written: boolean }) {
  const { clock } = callbackDesk()
  const kept = memoryStore({ clock: clock.now })
  await keepPayment(paymentsIn(kept))
  let failures = 0
  const store: Store = {
    ...kept,
    async write(key, entry, options) {
      if (failures === times || stepOf(entry.body) !== step) return kept.write(key, entry, options)
      failures += 1
      if (written) await kept.write(key, entry, options)
      throw new Error('the connection is lost')
    },
  }
  return { desk: callbackDesk({ store, clock: clock.now, wait: clock.wait }), clock, failed: () => failures }
}

/** Time goes on until it has an answer. */
async function answered(answer: Promise<number>, clock: ReturnType<typeof callbackDesk>['clock']): Promise<number> {
  let status: number | undefined
  void answer.then(each => {
    status = each
  })
  for (let turn = 0; status === undefined && turn < 2_000; turn += 1) {
    await new Promise(setImmediate)
    await clock.advance(10)
  }
  return status ?? 0
}

describe.each([
  ['is not made', false],
  ['is made, and its answer lost', true],
])('a write of the store that %s', (_case, written) => {
  it.each<Step>(['claims', 'marks'])('where it %s is repeated, and the outcome is told once', async step => {
    const { desk, clock, failed } = await deskWithFailing(step, { times: 3, written })
    await using served = await serveDesk(desk)
    expect(await answered(send(served.origin), clock)).toBe(200)
    expect([failed(), desk.told.length]).toEqual([3, 1])
    expect(vi.mocked(process.emitWarning).mock.calls).toContainEqual([
      expect.stringContaining('payment/test/merchant/o-1'),
      expect.objectContaining({ code: 'WARN_STORE_FAILED' }),
    ])
    expect(await send(served.origin)).toBe(200)
    expect(desk.told).toHaveLength(1)
  })

  it('where it notes the callback is repeated before the answer', async () => {
    const { desk, clock, failed } = await deskWithFailing('notes the callback', { times: 3, written })
    const { options } = desk
    const storing = callbackDesk({ ...options, acknowledge: 'after-stored' })
    await using served = await serveDesk(storing)
    expect(await answered(send(served.origin), clock)).toBe(200)
    await until(() => desk.told.length === 1)
    expect(failed()).toBe(3)
  })

  it('where it claims is no permission to tell as long as it fails', async () => {
    const { desk, clock, failed } = await deskWithFailing('claims', { times: Number.POSITIVE_INFINITY, written })
    await using served = await serveDesk(desk)
    expect(await answered(send(served.origin), clock)).toBe(503)
    await clock.advance(60_000)
    expect(failed()).toBeGreaterThan(1)
    expect(desk.told).toEqual([])
  })

  it('where it gives back what the handler failed on is repeated, and the outcome is told again', async () => {
    const { desk, clock } = await deskWithFailing('gives back', { times: 3, written })
    let isDown = true
    desk.desk.handle = () => {
      if (isDown) throw new Error('the ledger is away')
    }
    await using served = await serveDesk(desk)
    expect(await answered(send(served.origin), clock)).toBe(503)
    isDown = false
    expect(await answered(send(served.origin), clock)).toBe(200)
    expect(desk.told).toHaveLength(2)
    expect(new Set(desk.told.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  })
})

describe('a store that never takes the mark that the handler has run', () => {
  it('makes the outcome be told again once the lease is over, under the same key', async () => {
    const { desk, clock } = await deskWithFailing('marks', { times: Number.POSITIVE_INFINITY, written: false })
    await using served = await serveDesk(desk)
    const first = send(served.origin)
    await until(() => desk.told.length === 1)
    expect(await answered(first, clock)).toBe(503)
    const next = callbackDesk({ store: desk.options.store, clock: clock.now, wait: clock.wait })
    await using other = await serveDesk(next)
    expect(await answered(send(other.origin), clock)).toBe(503)
    expect(next.told).toEqual([])
    await clock.advance(30_000)
    const again = send(other.origin)
    await until(() => next.told.length === 1)
    expect(next.told[0]?.idempotencyKey).toBe(desk.told[0]?.idempotencyKey)
    expect(next.told[0]?.fencingToken).toBeGreaterThan(desk.told[0]?.fencingToken ?? Number.POSITIVE_INFINITY)
    expect(await answered(again, clock)).toBe(503)
  })
})
