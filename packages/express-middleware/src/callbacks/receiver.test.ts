import { setImmediate } from 'node:timers/promises'
import { decodeForm } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'
import { callbackDesk, callbackQuery, controlKey, statusReply } from '../../test/callback-desk.js'
import type { CallbackReceiverOptions } from './options.js'
import { callbackReceiver } from './receiver.js'

/** A desk, and a way to send it callbacks. */
function open(own: Parameters<typeof callbackDesk>[0] = {}) {
  const desk = callbackDesk(own)
  const receiver = callbackReceiver(desk.options as unknown as CallbackReceiverOptions)
  const receive = (fields: Record<string, string> = {}) => receiver.receive(decodeForm(callbackQuery(fields)))
  return { ...desk, receive }
}

/** Turns of the event loop until it holds, however many. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate()
}

/** A promise, and what resolves it. */
function gate() {
  let pass = (): void => undefined
  const passed = new Promise<void>(resolve => {
    pass = resolve
  })
  return { pass, passed }
}

describe('callbackReceiver', () => {
  it('answers once the merchant’s function has resolved, and not before', async () => {
    const { receive, desk } = open()
    const { pass, passed } = gate()
    const events: string[] = []
    desk.handle = async () => {
      await passed
      events.push('done')
    }
    const answer = receive().then(({ status }) => void events.push(`answered ${status}`))
    await until(() => desk.told.length === 1)
    events.push('passed')
    pass()
    await answer
    expect(events).toEqual(['passed', 'done', 'answered 200'])
  })

  it('asks once, and calls the merchant’s function once, for callbacks of one order that come together', async () => {
    const { receive, asked, told, reports } = open()
    const results = await Promise.all(Array.from({ length: 10 }, () => receive()))
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200]))
    expect([asked.length, told.length, reports.length]).toEqual([1, 1, 10])
  })

  it('hands each callback out once', async () => {
    const { receive, told } = open()
    await receive({ descriptor: 'the first' })
    await receive({ descriptor: 'the second' })
    expect(told.map(({ callback }) => callback.unsigned.descriptor)).toEqual(['the first', 'the second'])
  })

  it('tells orders of two merchants apart that have the same ids and come together', async () => {
    const clients = ['1.00', '2.00'].map(amount => ({ status: async () => statusReply({ amount }) }))
    const merchant = () => {
      const client = clients.shift()
      return client === undefined ? undefined : { controlKeys: controlKey, client }
    }
    const { receive, told } = open({ merchant })
    await Promise.all([receive(), receive()])
    expect(told.map(({ amount }) => amount)).toEqual(['1.00', '2.00'])
  })

  it('asks again for what comes while status is being asked', async () => {
    const { receive, desk, asked } = open()
    const { pass, passed } = gate()
    desk.status = async () => {
      await passed
      return statusReply({ status: 'processing' })
    }
    const first = receive()
    await until(() => asked.length === 1)
    const second = receive()
    desk.status = () => statusReply()
    pass()
    expect([(await first).kind, (await second).kind]).toEqual(['not-final', 'delivered'])
    expect(asked).toHaveLength(2)
  })

  it('works on one order at a time, and on other orders meanwhile', async () => {
    const { receive, desk, told } = open()
    const { pass, passed } = gate()
    desk.status = ({ clientOrderId = '', orderId = '' }) => statusReply({ clientOrderId, orderId })
    desk.handle = ({ orderId }) => (orderId === '77' ? passed : undefined)
    const first = receive()
    await until(() => told.length === 1)
    const second = receive()
    expect(await receive({ orderid: '78', merchant_order: 'o-2' })).toMatchObject({ kind: 'delivered' })
    expect(told.map(({ orderId }) => orderId)).toEqual(['77', '78'])
    pass()
    expect([(await first).status, (await second).status, told.length]).toEqual([200, 200, 3])
  })

  it('answers 503 when the budget is over, and lets the work go on', async () => {
    const { receive, desk, clock, told } = open({ budget: 1000 })
    const { pass, passed } = gate()
    let isDone = false
    desk.handle = async () => {
      await passed
      isDone = true
    }
    const answer = receive()
    await until(() => told.length === 1)
    await clock.advance(1000)
    expect(await answer).toMatchObject({ kind: 'busy', status: 503 })
    pass()
    await until(() => isDone)
    desk.handle = () => undefined
    expect(await receive()).toMatchObject({ kind: 'delivered' })
    expect(told).toHaveLength(2)
  })

  it('leaves the gateway a second between two questions about one order', async () => {
    const { receive, clock, asked } = open({ interval: 1000 })
    expect((await receive()).status).toBe(200)
    const again = receive()
    await clock.advance(999)
    expect(asked).toHaveLength(1)
    await clock.advance(1)
    expect((await again).status).toBe(200)
    expect(asked).toHaveLength(2)
  })
})
