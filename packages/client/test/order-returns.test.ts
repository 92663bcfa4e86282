/** What `client.order` makes of returns that look alike, against the fake gateway over real HTTP. */

import { memoryStore } from '@tillkit/protocol'
import { hangUp } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderView } from '../src/index.js'
import { oneTurn, watchedStore } from './watched-store.js'
import { saleOf, startWatching, type Watching } from './watching.js'

const part = { amount: '3.00', currency: 'EUR' } as const
const nothing = { capture: false, void: false, return: undefined }

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

const view = async (order: { readonly clientOrderId: string; readonly orderId: string }, before?: OrderView) => {
  await watching.clock.advance(10)
  return watching.client.order({ ...order, ...(before === undefined ? {} : { known: before.order }) })
}

describe('client.order, of returns seen without their serial numbers', () => {
  it('says no total when there were two equal ones', async () => {
    const { order } = await watching.sell()
    let seen = await view(order)
    for (const _ of [1, 2]) {
      await watching.client.return({ ...order, ...part })
      seen = await view(order, seen)
      expect(seen).toMatchObject({ totals: undefined, allowed: nothing })
      expect(seen.remarks.join()).toContain('may stand for several. Hand over "serialNumbers"')
    }
  })

  it('says no total when an earlier one was never looked at', async () => {
    const { order } = await watching.sell()
    const before = await view(order)
    await watching.client.return({ ...order, amount: '5.00', currency: 'EUR' })
    await watching.client.return({ ...order, ...part })
    expect(await view(order, before)).toMatchObject({ totals: undefined, allowed: nothing })
  })

  it.each(['declined', 'processing', 'error'])(
    'sees no contradiction in a second equal one that is %s',
    async status => {
      const { order } = await watching.sell()
      const before = await view(order)
      await watching.client.return({ ...order, ...part })
      const first = await view(order, before)
      watching.answerStatus({ status, transactionType: 'reversal', ...order, ...part })
      const second = await view(order, first)
      expect(second).toMatchObject({ totals: undefined, allowed: nothing })
      expect(second.stages.flatMap(({ corrections }) => corrections)).toEqual([])
      expect(second.remarks.join()).not.toContain('contradicted itself about')
      expect(second.remarks.join()).toContain('which may be one of those listed or another')
    },
  )

  it('allows nothing while one is under way, though all others are known by number', async () => {
    const { client } = watching
    const { order } = await watching.sell()
    const before = await view(order)
    const first = await client.return({ ...order, ...part })
    const serialNumbers = [String(first.serialNumber)]
    watching.answerStatus('gateway', { status: 'processing', transactionType: 'reversal', ...order, ...part })
    const seen = await client.order({ ...order, known: before.order, serialNumbers })
    expect(seen).toMatchObject({ stages: [{}, { outcome: 'approved' }], totals: undefined, allowed: nothing })
  })

  it('sees no contradiction in a capture that was declined and then done', async () => {
    const { client } = watching
    const { orderId } = await client.preauth(saleOf('123'))
    const order = { clientOrderId: 'o-1', orderId }
    const before = await view(order)
    watching.answerStatus({ status: 'declined', transactionType: 'capture', ...order, ...part })
    const declined = await view(order, before)
    expect(declined).toMatchObject({ stages: [{}, { outcome: 'declined' }] })
    const { serialNumber } = await client.capture({ ...order, ...part })
    await watching.clock.advance(10)
    const done = await client.order({ ...order, known: declined.order, serialNumbers: [String(serialNumber)] })
    expect(done.remarks.join()).not.toContain('contradicted itself about')
    expect(done.totals).toMatchObject({ captured: '3.00' })
  })
})

describe('client.order, of returns whose serial numbers were all handed over', () => {
  /** A sale, and returns of it one after the other. @returns The numbers of the requests. */
  async function returned(amounts: readonly string[]) {
    const { client, clock } = watching
    const sale = await client.sale(saleOf('123'))
    const order = { clientOrderId: 'o-1', orderId: sale.orderId }
    const numbers = [String(sale.serialNumber)]
    for (const amount of amounts) {
      await clock.advance(10)
      numbers.push(String((await client.return({ ...order, amount, currency: 'EUR' })).serialNumber))
    }
    await clock.advance(10)
    return { order, numbers }
  }

  it.each([
    ['equal', ['3.00', '3.00'], '6.00'],
    ['different', ['3.00', '5.00'], '8.00'],
    ['three', ['3.00', '1.00', '3.00'], '7.00'],
  ])('counts two that are %s, and leaves no remark', async (_case, amounts, sum) => {
    const { order, numbers } = await returned(amounts)
    const [, ...ofReturns] = numbers
    for (const serialNumbers of [numbers, numbers.toReversed()]) {
      const seen = await watching.client.order({ ...order, serialNumbers })
      expect(seen).toMatchObject({ totals: { captured: '10.42', returned: sum }, remarks: [] })
    }
    const withoutSale = await watching.client.order({ ...order, serialNumbers: ofReturns })
    expect(withoutSale.remarks.join()).not.toContain('was not counted')
  })

  it('says that the latest was not counted where its number is missing', async () => {
    const { order, numbers } = await returned(['3.00', '3.00', '3.00'])
    const seen = await watching.client.order({ ...order, serialNumbers: numbers.slice(0, -1) })
    expect(seen.remarks.join()).toContain('was not counted. Ask with the serial numbers')
  })

  it('counts them where the latest reply is about none of them', async () => {
    const { order, numbers } = await returned(['3.00', '1.00'])
    watching.gateway.act({ orderId: order.orderId, action: 'charge-back' })
    const seen = await watching.client.order({ ...order, serialNumbers: numbers })
    expect(seen.stages.map(({ stage }) => stage)).toEqual(['sale', 'reversal', 'reversal', 'chargeback'])
    expect(seen.remarks.join()).not.toContain('was not counted')
  })
})

describe('client.order, where status does not say which request it is about', () => {
  it('counts one reply once, however many serial numbers it is the answer to', async () => {
    const { client, gateway } = watching
    const { order } = await watching.sell()
    const reply = { status: 'approved', transactionType: 'reversal', ...order, ...part }
    gateway.handle({ status: () => reply })
    const seen = await client.order({ ...order, serialNumbers: ['a', 'b', 'never-approved'] })
    expect(seen.stages).toHaveLength(1)
    expect(seen).toMatchObject({ totals: undefined, allowed: nothing })
  })

  it('says what to do where it is asked about one that has its number', async () => {
    const { client, gateway } = watching
    const { order } = await watching.sell()
    const { serialNumber } = await client.return({ ...order, ...part })
    const serialNumbers = [String(serialNumber)]
    const { order: known } = await client.order({ ...order, serialNumbers })
    gateway.handle({ status: () => ({ status: 'approved', transactionType: 'reversal', ...order, ...part }) })
    const seen = await client.order({ ...order, known, serialNumbers: ['another'] })
    expect(seen.remarks.join()).toContain('defineProfile({ statusEchoesSerialNumber: false })')
    expect(seen.stages).toMatchObject([{ serialNumber }])
  })
})

describe('client.order, of what this library does not know', () => {
  it('adds up nothing beside an approved dispute, and names it', async () => {
    const { client, clock } = watching
    const { order } = await watching.sell()
    const before = await view(order)
    watching.answerStatus({ status: 'approved', transactionType: 'Dispute', ...order, ...part })
    await clock.advance(1)
    const seen = await client.order({ ...order, known: before.order })
    expect(seen).toMatchObject({
      stages: [{ stage: 'sale' }, { stage: 'unrecognized', word: 'dispute' }],
      totals: undefined,
      allowed: nothing,
    })
    expect(seen.remarks[0]).toContain(
      'The gateway approved a "dispute", and what that does to money is not known here.',
    )
  })
})

describe('client.order, with a store', () => {
  const preauthReply = (orderId: string) =>
    ({
      status: 'approved',
      transactionType: 'preauth',
      clientOrderId: 'o-1',
      orderId,
      amount: '10.42',
      currency: 'EUR',
    }) as const

  it('allows no second capture while status lags behind the first one, and that of the rest after it', async () => {
    const { gateway } = watching
    const client = watching.another({ store: memoryStore() })
    const { orderId } = await client.preauth(saleOf('123'))
    const order = { clientOrderId: 'o-1', orderId }
    const { serialNumber } = await client.capture({ ...order, ...part }, { attemptId: 'p-1' })
    gateway.handle({ status: ({ byRequestSn }) => (byRequestSn === undefined ? preauthReply(orderId) : undefined) })
    const lagging = await client.order(order)
    expect(lagging).toMatchObject({ stages: [{ stage: 'preauth' }], totals: undefined, allowed: nothing })
    expect(lagging.remarks[0]).toContain(`Ask with its serial number, "${serialNumber}"`)
    const whole = await client.order({ ...order, serialNumbers: [String(serialNumber)] })
    expect(whole).toMatchObject({
      totals: { captured: '3.00', held: '7.42' },
      allowed: { capture: true, void: true, return: 'reversal' },
      remarks: [],
    })
  })

  it('allows nothing while the outcome of a change is open, even where a stage looks like it', async () => {
    const { gateway } = watching
    const client = watching.another({ store: memoryStore() })
    const { orderId } = await client.preauth(saleOf('123'))
    const order = { clientOrderId: 'o-1', orderId }
    gateway.handle({ capture: () => hangUp() })
    await expect(client.capture({ ...order, ...part }, { attemptId: 'p-1' })).rejects.toMatchObject({
      code: 'ERR_OUTCOME_UNKNOWN',
    })
    const seen = await client.order(order)
    expect(seen).toMatchObject({ totals: undefined, allowed: nothing })
    expect(seen.remarks[0]).toMatch(/A capture over "3.00" "EUR" .* its outcome is open: resolve it/)
  })

  it('says so where the store does not answer', async () => {
    const store = { ...watchedStore(), read: () => Promise.reject(new Error('down')) }
    const client = watching.another({ store, wait: oneTurn })
    const { order } = await watching.sell()
    const seen = await client.order(order)
    expect(seen.remarks[0]).toContain('The store did not say')
    expect(seen.allowed).toEqual(nothing)
  })
})

describe('client.order, and clocks', () => {
  it('goes by what status says now, whatever the clock of the machine that asked before', async () => {
    const { client, clock } = watching
    const { order } = await watching.sell()
    const before = await view(order)
    const ahead = before.order.stages.map(stage => ({ ...stage, askedAt: stage.askedAt + 120_000 }))
    watching.answerStatus({ status: 'declined', transactionType: 'sale', ...order })
    const seen = await client.order({ ...order, known: { ...before.order, stages: ahead } })
    expect(seen).toMatchObject({ stages: [{ corrections: [{ to: 'declined' }] }], totals: undefined })
    expect(seen.askedAt).toBe(clock.now())
  })

  it('says when the last question was asked, and asks by number about nothing that is over', async () => {
    const { client, clock, gateway } = watching
    const { order } = await watching.sell()
    const { serialNumber } = await client.return({ ...order, ...part })
    const first = await client.order({ ...order, serialNumbers: [String(serialNumber)] })
    const asked: unknown[] = []
    gateway.handle({
      status: async ({ byRequestSn }) => {
        asked.push(byRequestSn)
        await clock.advance(7)
        return undefined
      },
    })
    const begun = clock.now()
    const second = await client.order({ ...order, known: first.order, serialNumbers: ['other'] }).catch(String)
    expect(second).toContain('No request')
    expect(asked).toEqual(['other'])
    asked.length = 0
    const third = await client.order({ ...order, known: first.order, serialNumbers: [String(serialNumber)] })
    expect(asked).toEqual([serialNumber, undefined])
    // One question before, and the first of these two.
    expect(third.askedAt).toBe(begun + 14)
    asked.length = 0
    await client.order({ ...order, known: first.order })
    expect(asked).toEqual([undefined])
  })
})
