import { setTimeout as nodeTimer, setImmediate } from 'node:timers/promises'
import type { Inbox } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { memoryInbox } from '../src/core.js'
import type { ReceiveCallbacksOptions } from '../src/index.js'
import { callbackDesk, callbackQuery, statusReply } from './callback-desk.js'
import { send, serveDesk, until } from './serve-desk.js'

/** A desk that stores first. The inbox stands for one in a database: it outlives the desk. */
function storingDesk(own: Partial<ReceiveCallbacksOptions> = {}) {
  const { clock } = callbackDesk()
  const inbox: Inbox = own.inbox ?? { ...memoryInbox({ clock: clock.now }), durable: true }
  return callbackDesk({ acknowledge: 'after-stored', clock: clock.now, wait: clock.wait, ...own, inbox })
}

const waitingIn = (inbox: Inbox) => inbox.waiting({ limit: 9 })

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
    expect(await waitingIn(desk.options.inbox)).toEqual([])
  })

  it('is refused when it does not verify, and not stored', async () => {
    const desk = storingDesk()
    await using served = await serveDesk(desk)
    expect(await send(served.origin, callbackQuery({}, 'another key'))).toBe(403)
    expect(await waitingIn(desk.options.inbox)).toEqual([])
  })

  it('is answered 503 where the inbox does not take it', async () => {
    const inbox = { ...memoryInbox(), durable: true, put: () => Promise.reject(new Error('disk full')) }
    const desk = storingDesk({ inbox })
    await using served = await serveDesk(desk)
    expect(await send(served.origin)).toBe(503)
    expect(desk.reports).toMatchObject([{ kind: 'failed', cause: { message: 'disk full' } }])
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
    const { clock } = callbackDesk()
    const inbox = { ...memoryInbox({ clock: clock.now }), durable: true }
    const desk = storingDesk({ inbox, clock: clock.now, wait: clock.wait })
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
    expect(desk.told.map(({ kind }) => kind)).toEqual(['paid', 'returned'])
    await until(() => desk.reports.length === 2)
    expect(await waitingIn(desk.options.inbox)).toEqual([])
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
  it('is settled by the next process, once its lease is over', async () => {
    const { clock } = callbackDesk()
    const inbox = { ...memoryInbox({ clock: clock.now }), durable: true }
    // A dead process has no timers.
    const died = storingDesk({ inbox, clock: clock.now, wait: () => new Promise(() => undefined) })
    died.desk.status = () => new Promise(() => undefined)
    await using served = await serveDesk(died)
    expect(await send(served.origin)).toBe(200)
    await until(() => died.asked.length === 1)

    const next = storingDesk({ inbox, clock: clock.now, wait: clock.wait })
    expect(await next.handler.resume()).toBe(0)
    await clock.advance(60_000)
    expect(await next.handler.resume()).toBe(1)
    await until(() => next.reports.length === 1)
    expect(next.told.map(({ kind }) => kind)).toEqual(['paid'])
    expect(await next.handler.resume()).toBe(0)
  })

  it('is not given to another merchant than the one it was stored for', async () => {
    const { clock, client } = callbackDesk()
    const inbox = { ...memoryInbox({ clock: clock.now }), durable: true }
    await inbox.put({ key: 'k', payload: { login: 'north', status: 'approved', orderId: '77', clientOrderId: 'o-1' } })
    const desk = storingDesk({ inbox, merchant: () => ({ login: 'south', controlKeys: 'k', client }) })
    expect(await desk.handler.resume()).toBe(1)
    await until(() => desk.reports.length === 1)
    expect(desk.reports).toMatchObject([{ kind: 'failed' }])
    expect(desk.told).toEqual([])
  })

  it('waits in the inbox when the receiver is closed', async () => {
    const { clock } = callbackDesk()
    const inbox = { ...memoryInbox({ clock: clock.now }), durable: true }
    const desk = storingDesk({ inbox, clock: clock.now, wait: clock.wait })
    desk.desk.status = () => statusReply({ status: 'processing' })
    await using served = await serveDesk(desk)
    await send(served.origin)
    await until(() => desk.reports.length === 1)
    await desk.handler.close()
    await clock.advance(60_000)
    expect(desk.reports).toHaveLength(1)
    expect((await waitingIn(inbox)).map(({ payload }) => payload.clientOrderId)).toEqual(['o-1'])
  })
})
