/** Deliveries that others wait for: those who wait for a payment, and what the handler wants afterwards. */
import { setTimeout as pause } from 'node:timers/promises'
import { createFakeGateway } from '@tillkit/testing'
import { expect, it, vi } from 'vitest'
import type { Store } from '../../src/store/store.js'
import { byHand } from './adoption.js'
import { engines } from './engines.js'
import { quickWait } from './quick-wait.js'
import { basket, card, openShop } from './shop.js'

/** Waits of whoever can be woken never end by themselves. */
const untilWoken: typeof quickWait = (milliseconds, signal) =>
  signal === undefined
    ? quickWait(milliseconds)
    : new Promise(resolve => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve())
      })

it('a delivery wakes those who wait for a payment into which its order was adopted', async () => {
  const gateway = createFakeGateway({ processingTime: 60_000 })
  const shop = await openShop({ gateway, wait: untilWoken })
  await byHand(shop, 'web-117', { callbacks: true })
  await shop.till.adopt({ reference: 'basket-7', clientOrderId: 'web-117' })
  const before = gateway.calls('status').length
  const waiting = shop.till.wait('basket-7')
  // It has looked, and asked, and looks once more for what that has brought; then it waits.
  await vi.waitFor(() => expect(gateway.calls('status').length).toBeGreaterThan(before), { timeout: 20_000 })
  await pause(200)
  await gateway.clock.advance(120_000)
  expect((await waiting).state).toBe('paid')
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
})

it.each(Object.values(engines))(
  'what a handler wants is done though it outstayed its lease, on $name',
  async engine => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const gateway = createFakeGateway()
    const store = engine.open(gateway.clientOptions.clock) as Store<never>
    let finish: () => void = () => {}
    const mayFinish = new Promise<void>(resolve => {
      finish = resolve
    })
    const shop = await openShop<never>({
      gateway,
      store,
      handlerTimeout: 1_000,
      async onOutcome({ kind }, { afterwards }) {
        if (kind !== 'held') return
        await mayFinish
        afterwards.capture()
      },
    })
    await shop.till.pay({ ...basket, ...card, hold: true })
    // Its lease is over, and that is written down.
    await vi.waitFor(async () => expect((await shop.till.report()).failing.total).toBe(1), { timeout: 20_000 })
    finish()
    await vi.waitFor(() => expect(gateway.calls('capture')).toHaveLength(1), { timeout: 20_000 })
    expect(shop.books()).toEqual(['basket-7 preauth approved, capture approved'])
  },
)
