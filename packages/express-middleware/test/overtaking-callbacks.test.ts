/**
 * Callbacks that overtake status. The specification (section 6) says that the merchant can fetch the outcome with status after a callback; it does not
 * say that status knows it by then.
 *
 * @module
 */
import { decodeForm } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'
import { type CallbackReceiver, type CallbackReceiverOptions, callbackReceiver } from '../src/core.js'
import { callbackDesk, callbackQuery, statusReply } from './callback-desk.js'
import { paymentOf } from './kept-payments.js'

const minute = 60_000
const hour = 60 * minute

const receive = (receiver: CallbackReceiver, own: Record<string, string>) =>
  receiver.receive(decodeForm(callbackQuery(own)))

const chargeback = { type: 'chargeback', amount: '10.00' }

/** A merchant whose order is paid, and whose status shows what `shows` says. */
function open(acknowledge: 'after-stored' | 'after-handler' = 'after-handler') {
  const desk = callbackDesk({ acknowledge }, [{}], [])
  const shows = { status: {} }
  desk.desk.status = () => statusReply(shows.status)
  const { onRejected: _express, onReport: _too, ...options } = desk.options
  const restart = () => callbackReceiver(options as CallbackReceiverOptions)
  const told = () => desk.told.map(({ kind }) => kind)
  const isOpen = async () => (await paymentOf(desk.payments))?.orders[0]?.callbackAt !== undefined
  const turns = async () => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve))
  }
  return { ...desk, shows, receiver: restart(), restart, told, isOpen, turns }
}

describe('a callback that is answered before status is asked', () => {
  it('waits until status shows it, also where an earlier one of its order was at work', async () => {
    const { receiver, shows, told, turns, clock } = open('after-stored')
    shows.status = { status: 'processing' }
    expect((await receive(receiver, { type: 'sale' })).status).toBe(200)
    await turns()
    shows.status = {}
    expect((await receive(receiver, chargeback)).status).toBe(200)
    await turns()
    expect(told()).toEqual(['paid'])
    shows.status = { transactionType: 'chargeback' }
    for (let passed = 0; passed < hour; passed += minute) {
      await clock.advance(minute)
      await turns()
    }
    expect(told()).toEqual(['paid', 'chargeback'])
    await receiver.close()
  })

  it('waits in the store where the process ends, for an hour after its last news', async () => {
    const { receiver, restart, shows, told, turns, clock, isOpen } = open('after-stored')
    expect((await receive(receiver, chargeback)).status).toBe(200)
    await turns()
    await receiver.close()
    const next = restart()
    for (let passed = 0; passed < 30 * minute; passed += 5 * minute) {
      await clock.advance(5 * minute)
      await next.resume({ untilTried: true })
    }
    expect([told(), await isOpen()]).toEqual([['paid'], true])
    shows.status = { transactionType: 'chargeback' }
    await clock.advance(20 * minute)
    await next.resume({ untilTried: true })
    expect([told(), await isOpen()]).toEqual([['paid', 'chargeback'], false])
    await next.close()
  })
})

describe('a callback that is answered after status was asked', () => {
  it('is answered 503 until status shows it, and its order is asked about again though it never comes again', async () => {
    const { receiver, shows, told, clock } = open()
    expect(await receive(receiver, chargeback)).toMatchObject({ kind: 'not-shown', status: 503 })
    expect(told()).toEqual(['paid'])
    shows.status = { transactionType: 'chargeback' }
    await clock.advance(20 * minute)
    await receiver.resume({ untilTried: true })
    expect(told()).toEqual(['paid', 'chargeback'])
    expect(await receive(receiver, chargeback)).toMatchObject({ kind: 'known', status: 200 })
    await receiver.close()
  })

  it('is forgotten after an hour, where status never shows it', async () => {
    const { receiver, clock, isOpen, asked } = open()
    await receive(receiver, chargeback)
    for (let passed = 0; passed < 3 * hour; passed += 10 * minute) {
      await clock.advance(10 * minute)
      await receiver.resume({ untilTried: true })
    }
    expect(await isOpen()).toBe(false)
    expect(asked.length).toBeLessThan(20)
    await receiver.close()
  })

  it.each([
    ['empty', { 'processor-rrn': '', amount: '' }],
    ['written otherwise', { amount: '4,00' }],
    ['of no known type', { type: 'Teilstorno' }],
  ])('comes again for no field that nobody signed and that is %s', async (_, fields) => {
    const { receiver, shows } = open()
    await receive(receiver, { type: 'sale' })
    shows.status = { transactionType: 'reversal', amount: '4.00', processorRrn: '507015000001' }
    for (const _ of [1, 2])
      expect((await receive(receiver, { type: 'reversal', amount: '4.00', ...fields })).status).toBe(200)
    await receiver.close()
  })
})
