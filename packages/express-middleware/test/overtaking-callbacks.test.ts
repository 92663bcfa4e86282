/**
 * Callbacks that overtake status. The specification (section 6) says that the merchant can fetch the outcome with status after a callback; it does not
 * say that status knows it by then.
 *
 * @module
 */
import type { StatusResponse } from '@tillkit/protocol'
import { decodeForm } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'
import { type CallbackReceiver, type CallbackReceiverOptions, callbackReceiver } from '../src/core.js'
import { callbackDesk, callbackQuery, statusReply } from './callback-desk.js'

const receive = (receiver: CallbackReceiver, own: Record<string, string>) =>
  receiver.receive(decodeForm(callbackQuery(own)))

/** A merchant, and what status shows of its order. */
function open(shows: Partial<StatusResponse> = {}) {
  const desk = callbackDesk()
  const now = { shows }
  desk.desk.status = () => statusReply(now.shows)
  return {
    ...desk,
    receiver: callbackReceiver(desk.options as unknown as CallbackReceiverOptions),
    statusShows: (own: Partial<StatusResponse>) => {
      now.shows = own
    },
    kinds: () => desk.told.map(({ kind }) => kind),
  }
}

const chargeback = { type: 'chargeback', amount: '10.00' }

describe('a callback that status does not show yet', () => {
  it.each<[string, Record<string, string>, Partial<StatusResponse>]>([
    ['a chargeback of a sale', chargeback, {}],
    ['a chargeback of an order that was returned', chargeback, { transactionType: 'reversal' }],
    ['a capture of a hold', { type: 'capture' }, { transactionType: 'preauth' }],
    ['a second return', { type: 'reversal', amount: '3.00' }, { transactionType: 'reversal', amount: '4.00' }],
    [
      'a second return over the same amount',
      { type: 'reversal', amount: '4.00', 'processor-rrn': '2' },
      { transactionType: 'reversal', amount: '4.00', processorRrn: '1' },
    ],
    ['a second capture, after a return', { type: 'capture', amount: '4.00' }, { transactionType: 'reversal' }],
    ['a sale that was declined after all', { status: 'declined', type: 'sale' }, {}],
    [
      'a sale that was declined, of an order that was returned',
      { status: 'declined', type: 'sale' },
      { transactionType: 'reversal' },
    ],
    ['a sale that was approved after all', { type: 'sale' }, { status: 'declined' }],
    ['a return that failed', { status: 'declined', type: 'reversal' }, { transactionType: 'reversal' }],
    ['a sale, of which status shows a hold', { type: 'sale' }, { transactionType: 'preauth' }],
    ['a sale, of which status shows a word of its own', { type: 'sale' }, { transactionType: 'Riddle' }],
  ])('is answered 503 and the merchant’s function not called: %s', async (_case, callback, shows) => {
    const { receiver, told, asked } = open(shows)
    expect(await receive(receiver, callback)).toMatchObject({ kind: 'not-shown', status: 503 })
    expect(told).toEqual([])
    // By nothing else: the gateway comes again.
    expect(asked).toEqual([{ clientOrderId: 'o-1', orderId: '77' }])
  })

  it('is answered 200 once status shows it', async () => {
    const { receiver, statusShows, kinds } = open()
    await receive(receiver, chargeback)
    statusShows({ transactionType: 'chargeback' })
    expect(await receive(receiver, chargeback)).toMatchObject({ kind: 'delivered', status: 200 })
    expect(kinds()).toEqual(['chargeback'])
  })

  it('holds up no other callback of its order that came with it', async () => {
    const { receiver, kinds } = open()
    const results = await Promise.all([receive(receiver, chargeback), receive(receiver, { type: 'sale' })])
    expect(results.map(({ kind }) => kind)).toEqual(['not-shown', 'delivered'])
    expect(kinds()).toEqual(['paid'])
  })
})

describe('a callback that comes late', () => {
  it.each<[string, Record<string, string>, Partial<StatusResponse>, string]>([
    ['a sale, after a return', { type: 'sale' }, { transactionType: 'reversal', amount: '4.00' }, 'returned'],
    ['a sale, after a chargeback', { type: 'sale' }, { transactionType: 'chargeback' }, 'chargeback'],
    [
      'a sale, after a return that failed',
      { type: 'sale' },
      { transactionType: 'reversal', status: 'declined' },
      'failed',
    ],
    ['a hold, after its capture', { type: 'preauth' }, { transactionType: 'capture' }, 'paid'],
    ['a hold, after its end', { type: 'preauth' }, { transactionType: 'cancel' }, 'released'],
  ])('is answered 200 with what status says now: %s', async (_case, callback, shows, kind) => {
    const { receiver, kinds } = open(shows)
    expect(await receive(receiver, callback)).toMatchObject({ kind: 'delivered', status: 200 })
    expect(kinds()).toEqual([kind])
  })
})

describe('fields that nobody signed', () => {
  it.each([
    ['empty', { 'processor-rrn': '', amount: '' }],
    ['written otherwise', { amount: '4,00' }],
    ['of no known type', { type: 'Teilstorno' }],
    ['with another number of digits', { amount: '4' }],
  ])('make no callback come again that are %s', async (_, fields) => {
    const { receiver } = open({ transactionType: 'reversal', amount: '4.00', processorRrn: '507015000001' })
    expect(await receive(receiver, { type: 'reversal', amount: '4.00', ...fields })).toMatchObject({ status: 200 })
  })

  it('never reach the merchant as what status says', async () => {
    const { receiver, told } = open({ amount: '1.00' })
    await receive(receiver, { type: 'sale', amount: '10.00', currency: 'EUR' })
    expect(told).toMatchObject([{ kind: 'paid', amount: '1.00' }])
    expect(told[0]?.isOver({ amount: '10.00', currency: 'EUR' })).toBe(false)
  })
})
