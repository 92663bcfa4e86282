import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { holds, minute, passes, quiet, stages } from './acts.js'
import { basket, byCard, openShop, type Shop } from './shop.js'

describe('the handler', () => {
  it('that fails holds back its payment only, and is told again by ticks, in order and under the same key', async () => {
    const keys: string[] = []
    let isBroken = true
    const shop = await openShop({
      onOutcome: ({ payment, kind }, { idempotencyKey }) => {
        if (payment.reference !== 'basket-7') return
        keys.push(`${kind} ${idempotencyKey}`)
        if (isBroken) throw new Error('the table is locked')
      },
    })
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await holds(shop)
    await holds(shop, 'basket-8')
    await shop.till.capture('basket-7')
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-8 held 10.00'])
    isBroken = false
    await passes(shop, 15 * minute)
    expect(shop.told).toEqual(['basket-8 held 10.00', 'basket-7 held 10.00', 'basket-7 paid 10.00'])
    const [first] = keys
    expect(keys.length).toBeGreaterThan(3)
    expect(new Set(keys.slice(0, -1))).toEqual(new Set([first]))
    expect(keys.at(-1)).not.toBe(first)
  })

  it('hears why a payment was declined, and why a change failed, in words', async () => {
    const reasons: (string | undefined)[] = []
    const shop = await openShop({
      onOutcome: ({ declineReason }) => {
        reasons.push(declineReason)
      },
    })
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'preauth', errorMessage: 'Do not honour' })
    await holds(shop)
    await holds(shop)
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'capture', errorMessage: 'Hold has expired' })
    await shop.till.capture('basket-7')
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 held 10.00', 'basket-7 failed 10.00'])
    expect(reasons).toEqual(['Do not honour', undefined, 'Hold has expired'])
  })

  it('cannot pay or change anything while it is told, and can once it has ended', async () => {
    const refused: unknown[] = []
    let later = async () => {}
    const shop: Shop = await openShop({
      onOutcome: async () => {
        const { till } = shop
        for (const call of [
          () => till.pay({ ...basket, reference: 'basket-9' }),
          () => till.payout({ reference: 'payout-9', amount: '10.00', currency: 'EUR', phone: '+31612345678' }),
          () => till.capture('basket-7'),
          () => till.return('basket-7'),
          () => till.void('basket-7'),
        ])
          await call().catch(error => refused.push(error.code))
        const here = AsyncLocalStorage.snapshot()
        later = () => here(async () => void (await till.void('basket-7')))
      },
    })
    await holds(shop)
    expect(refused).toEqual(Array(5).fill('ERR_INSIDE_HANDLER'))
    expect(stages(shop)).toEqual(['preauth 10.00 approved'])
    await later()
    expect(stages(shop)).toEqual(['preauth 10.00 approved', 'void 10.00 approved'])
  })

  it('is told which line asks for a capture afterwards, and that line captures', async () => {
    let message = ''
    let isRefused = false
    const shop: Shop = await openShop({
      onOutcome: async ({ kind }, { afterwards }) => {
        if (kind === 'held') afterwards.capture()
        if (isRefused) return
        isRefused = true
        message = await shop.till.capture('basket-7').catch(error => error.message)
      },
    })
    await holds(shop)
    expect(message).toContain(
      ` onOutcome: ({ kind }, { afterwards }) => { if (kind === 'held') afterwards.capture() }. It has return and void as well.`,
    )
    await passes(shop, quiet)
    expect(stages(shop)).toEqual(['preauth 10.00 approved', 'capture 10.00 approved'])
  })

  it('of another till may be called in it, and neither till forgets that it is in its own', async () => {
    const refused: unknown[] = []
    const note = (call: Promise<unknown>) => call.catch(error => refused.push(error.code))
    const inner: Shop = await openShop({
      onOutcome: async () => {
        await note(inner.till.void('basket-7'))
        await note(outer.till.void('basket-7'))
      },
    })
    inner.gateway.faults.arm('callback-never')
    const outer: Shop = await openShop({
      async onOutcome() {
        await inner.till.pay(byCard)
        await passes(inner)
      },
    })
    await holds(outer)
    expect(refused).toEqual(['ERR_INSIDE_HANDLER', 'ERR_INSIDE_HANDLER'])
    expect([outer.told, inner.told]).toEqual([['basket-7 held 10.00'], ['basket-7 paid 10.00']])
  })

  it('is followed by one storage of Node.js however many tills there are: each makes every promise slower', async () => {
    const entered = vi.spyOn(AsyncLocalStorage.prototype, 'run')
    onTestFinished(() => entered.mockRestore())
    const storages = async () => {
      const shop = await openShop()
      await holds(shop)
      expect(shop.told).toEqual(['basket-7 held 10.00'])
      return new Set(entered.mock.contexts).size
    }
    const first = await storages()
    expect([first, await storages(), await storages()]).toEqual([first, first, first])
    expect(first).toBeGreaterThan(0)
  })
})
