import { setTimeout as nodeTimer, setImmediate } from 'node:timers/promises'
import { memoryStore, StoreError } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import type { ReceiveCallbacksOptions } from '../src/index.js'
import { callbackDesk, callbackQuery, statusReply } from './callback-desk.js'
import { keepPayment, partialReturn, paymentOf, paymentsIn } from './kept-payments.js'
import { send, serveDesk, until } from './serve-desk.js'

/** A desk that stores first. */
const storingDesk = (own: Partial<ReceiveCallbacksOptions> = {}) =>
  callbackDesk({ acknowledge: 'after-stored', ...own })

/** Whether a callback of the desk's order waits for its answer. */
const isWaiting = async ({ payments }: ReturnType<typeof callbackDesk>) =>
  (await paymentOf(payments))?.orders[0]?.callbackAt !== undefined

describe('a callback that is answered after it was stored', () => {
  it('is answered 200 at once and settled afterwards', async () => {
    const desk = storingDesk()
    let reply = (): void => undefined
    desk.desk.status = () =>
      new Promise(resolve => {
        reply = () => resolve(statusReply())
      })
    await using served = await serveDesk(desk)
    expect(await send(served.origin)).toBe(200)
    await until(() => desk.asked.length === 1)
    expect(desk.told).toEqual([])
    reply()
    await until(() => desk.reports.length === 1)
    expect(desk.told.map(({ kind }) => kind)).toEqual(['paid'])
    expect(desk.reports).toMatchObject([{ kind: 'told' }])
    expect(await isWaiting(desk)).toBe(false)
  })

  it('is refused when it does not verify, and not stored', async () => {
    const desk = storingDesk()
    await using served = await serveDesk(desk)
    expect(await send(served.origin, callbackQuery({}, 'another key'))).toBe(403)
    expect(await isWaiting(desk)).toBe(false)
  })

  it('is answered 503 where the store does not take it', async () => {
    const store = memoryStore()
    await keepPayment(paymentsIn(store))
    const full = new StoreError('ERR_STORE_CLOSED', 'It was closed.')
    const desk = storingDesk({ store: { ...store, write: () => Promise.reject(full) } })
    await using served = await serveDesk(desk)
    expect(await send(served.origin)).toBe(503)
    expect(desk.reports).toMatchObject([{ kind: 'failed', cause: full }])
    expect(desk.asked).toEqual([])
  })

  it.each([
    [
      'status is not final',
      ({ desk }: ReturnType<typeof callbackDesk>) =>
        Object.assign(desk, { status: () => statusReply({ status: 'processing' }) }),
    ],
    [
      'the handler fails',
      ({ desk }: ReturnType<typeof callbackDesk>) =>
        Object.assign(desk, { handle: () => Promise.reject(new Error('away')) }),
    ],
  ])('is worked on again while %s, without the gateway', async (_case, arrange) => {
    const desk = storingDesk()
    const { clock } = desk
    arrange(desk)
    await using served = await serveDesk(desk)
    expect(await send(served.origin)).toBe(200)
    await until(() => desk.reports.length === 1)
    await clock.advance(5000)
    await until(() => desk.reports.length === 2)
    Object.assign(desk.desk, { status: () => statusReply(), handle: () => undefined })
    await setImmediate()
    await clock.advance(5000)
    await until(() => desk.reports.length === 3)
    expect(desk.reports.map(({ status }) => status)).toEqual([503, 503, 200])
    await clock.advance(3_600_000)
    expect(desk.reports).toHaveLength(3)
  })

  it('is worked on at once when it comes again, however long the pause was', async () => {
    const desk = storingDesk()
    desk.desk.status = () => statusReply({ status: 'processing' })
    await using served = await serveDesk(desk)
    await send(served.origin)
    await until(() => desk.reports.length === 1)
    desk.desk.status = () => statusReply()
    await send(served.origin)
    await until(() => desk.told.length === 1)
  })

  it('waits in the store while one of several questions has no answer', async () => {
    const store = memoryStore()
    await keepPayment(paymentsIn(store), [{}, partialReturn('sn-a'), partialReturn('sn-b')], [statusReply()])
    const desk = storingDesk({ store })
    desk.desk.status = ({ byRequestSn }) => {
      if (byRequestSn !== 'sn-a') throw new Error('timeout')
      return statusReply({ transactionType: 'reversal', amount: '3.00', byRequestSn })
    }
    await using served = await serveDesk(desk)
    await send(served.origin)
    await until(() => desk.reports.length === 1)
    expect([desk.reports[0]?.kind, await isWaiting(desk)]).toEqual(['no-answer', true])
  })

  it('that comes again while it is worked on is asked about once more', async () => {
    const desk = storingDesk()
    let reply = (): void => undefined
    desk.desk.status = () =>
      new Promise(resolve => {
        reply = () => resolve(statusReply())
      })
    await using served = await serveDesk(desk)
    await send(served.origin)
    await until(() => desk.asked.length === 1)
    await send(served.origin)
    desk.desk.status = () => statusReply({ transactionType: 'chargeback', amount: '10.00' })
    reply()
    await until(() => desk.told.length === 2)
    expect(desk.told.map(({ kind }) => kind)).toEqual(['paid', 'chargeback'])
    await until(() => desk.reports.length === 2)
    expect(await isWaiting(desk)).toBe(false)
  })
})

describe('a wait that rejects when it is aborted, as that of Node.js does', () => {
  it('is cut short by news', async () => {
    const desk = storingDesk({ wait: (milliseconds, signal) => nodeTimer(milliseconds, undefined, { signal }) })
    desk.desk.status = () => statusReply({ status: 'processing' })
    await using served = await serveDesk(desk)
    for (const tries of [1, 2, 3]) {
      await send(served.origin)
      await until(() => desk.reports.length === tries)
      // Lets it begin its pause.
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
    }
    await desk.handler.close()
    expect(desk.asked).toHaveLength(3)
  })
})

describe('what a crash left behind', () => {
  it('is settled by the next process, once', async () => {
    // A dead process has no timers.
    const died = storingDesk({ wait: () => new Promise(() => undefined) })
    died.desk.status = () => new Promise(() => undefined)
    const { clock } = died
    await using served = await serveDesk(died)
    expect(await send(served.origin)).toBe(200)
    await until(() => died.asked.length === 1)

    const next = storingDesk({ store: died.options.store, clock: clock.now, wait: clock.wait })
    const third = storingDesk({ store: died.options.store, clock: clock.now, wait: clock.wait })
    expect([await next.handler.resume(), await third.handler.resume()]).toEqual([1, 0])
    await until(() => next.reports.length === 1)
    expect([next.told.map(({ kind }) => kind), third.told]).toEqual([['paid'], []])
    await clock.advance(24 * 3_600_000)
    expect([await next.handler.resume(), await third.handler.resume()]).toEqual([0, 0])
  })

  it('is not given to another merchant than the one that asked for it', async () => {
    const store = memoryStore()
    await keepPayment(paymentsIn(store, 'north'), [{}], [statusReply()])
    const client = { status: async () => statusReply(), payments: paymentsIn(store, 'south') }
    const desk = storingDesk({ store, merchant: () => ({ controlKeys: 'k', client }) })
    expect(await desk.handler.resume()).toBe(1)
    await until(() => desk.reports.length === 1)
    expect(desk.reports).toMatchObject([{ kind: 'failed' }])
    expect(desk.told).toEqual([])
  })

  it('of a payment that cannot be read does not hold up those beside it', async () => {
    const store = memoryStore()
    await keepPayment(paymentsIn(store), [{}], [statusReply()])
    const strange = { due: 1, list: null }
    await store.write('payment/test/merchant/torn', { ...strange, body: '{"v":1' }, { id: 'torn' })
    await store.write(
      'payment/test/merchant/later',
      { ...strange, body: '{"v":99,"reference":"later","orders":[]}' },
      { id: 'later' },
    )
    await store.write('basket/7', { ...strange, body: '{"cups":2}' }, { id: 'basket' })
    const desk = storingDesk({ store })
    expect(await desk.handler.resume()).toBe(1)
    await until(() => desk.told.length === 1)
    await until(() => desk.reports.length === 3)
    expect(desk.reports.filter(({ kind }) => kind === 'failed')).toMatchObject([
      { cause: { code: 'ERR_STORE_DOCUMENT' } },
      { cause: { code: 'ERR_STORE_DOCUMENT' } },
    ])
    const { stored } = await store.read('payment/test/merchant/later')
    expect(stored).toMatchObject({ version: 1 })
  })

  it('waits in the store when the receiver is closed', async () => {
    const desk = storingDesk()
    desk.desk.status = () => statusReply({ status: 'processing' })
    await using served = await serveDesk(desk)
    await send(served.origin)
    await until(() => desk.reports.length === 1)
    await desk.handler.close()
    await desk.clock.advance(60_000)
    expect(desk.reports).toHaveLength(1)
    const next = storingDesk({ store: desk.options.store, clock: desk.clock.now, wait: desk.clock.wait })
    expect(await next.handler.resume()).toBe(1)
    await until(() => next.told.length === 1)
  })

  it('is marked as told where the receiver is closed while the handler runs', async () => {
    const desk = callbackDesk()
    let finish = (): void => undefined
    desk.desk.handle = () =>
      new Promise(resolve => {
        finish = resolve
      })
    await using served = await serveDesk(desk)
    const answer = send(served.origin)
    await until(() => desk.told.length === 1)
    const closing = desk.handler.close()
    finish()
    await closing
    expect(await answer).toBe(200)
    const next = callbackDesk({ store: desk.options.store, clock: desk.clock.now, wait: desk.clock.wait })
    await using again = await serveDesk(next)
    expect(await send(again.origin)).toBe(200)
    expect(next.told).toEqual([])
  })
})
