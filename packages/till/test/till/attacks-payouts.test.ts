/** Attacks on payouts in two steps: what was declined may still be sent, and it is sent once. Counted in the gateway's books. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTill, type PayoutOrder } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { quickWait } from './quick-wait.js'
import { lineOf } from './shop.js'

const minute = 60_000

const checked: PayoutOrder = {
  reference: 'payout-7',
  amount: '10.00',
  currency: 'EUR',
  accountNumber: 'NL91ABNA0417164300',
  checked: true,
}

/** A payout whose first order was declined in its second step, and whose next order was checked. */
async function openDesk() {
  const gateway = createFakeGateway()
  const told: string[] = []
  const { privateKey } = gateway.clientOptions
  const till = createTill({
    account: { ...gateway.clientOptions, privateKey },
    store: memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>,
    address: 'http://127.0.0.1:1/payments',
    returnTo: () => '/',
    onOutcome: outcome => void told.push(lineOf(outcome)),
    clock: gateway.clientOptions.clock,
    wait: quickWait,
  })
  onTestFinished(() => till.close())
  const passes = async (milliseconds = 3 * minute) => {
    await gateway.clock.advance(milliseconds)
    await till.tick()
  }
  await till.payout(checked)
  await passes()
  gateway.outcomes.plan({ outcome: 'declined', operation: 'payoutPay' })
  await till.payout(checked)
  await passes()
  await till.payout(checked)
  await passes()
  expect((await till.payment('payout-7')).state).toBe('verified')
  const { orderId = '' } = gateway.orders.find('payout-7') ?? {}
  return {
    gateway,
    till,
    told,
    passes,
    correct: () => gateway.act({ action: 'correct', status: 'approved', orderId }),
    books: () =>
      gateway.orders
        .list()
        .map(({ clientOrderId, stages }) => `${clientOrderId} ${stages.map(({ status }) => status)}`),
  }
}

describe('a payout whose second step was declined, and approved later', () => {
  it('is not sent again while the gateway says that it never saw that order', async () => {
    const desk = await openDesk()
    desk.correct()
    desk.gateway.faults.arm({ fault: 'status-never-seen', operation: 'status', times: 1 })
    for (let round = 0; round < 3; round += 1) {
      await desk.till.payout(checked)
      await desk.passes()
    }
    expect(desk.books()).toEqual(['payout-7 approved,approved', 'payout-7.2r approved'])
    expect(await desk.till.payout(checked)).toMatchObject({ kind: 'sent' })
    expect(desk.told.filter(line => line.includes('sent'))).toEqual(['payout-7 sent 10.00'])
  })

  it('after the next order was sent is surplus: told once, and a person is needed', async () => {
    const desk = await openDesk()
    await desk.till.payout(checked)
    await desk.passes()
    desk.correct()
    for (let round = 0; round < 3; round += 1) await desk.passes(6 * 60 * minute)
    expect(desk.books()).toEqual(['payout-7 approved,approved', 'payout-7.2r approved,approved'])
    expect(desk.told.filter(line => !line.includes('verified'))).toEqual([
      'payout-7 declined 10.00',
      'payout-7 sent 10.00',
      'payout-7 surplus 10.00',
    ])
    await expect(desk.till.payout(checked)).rejects.toMatchObject({ code: 'ERR_NEEDS_PERSON' })
    expect((await desk.till.report()).surplus.total).toBe(1)
  })
})
