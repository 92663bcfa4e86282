import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { capturesHolds, holds, minute, passes, quiet, sent, stages } from './acts.js'
import { afterwardsSurvives } from './afterwards-deaths.js'
import { engines } from './engines.js'
import { basket, openShop } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

describe('what a handler wants afterwards', () => {
  it('is sent at once, once, and told', async () => {
    const shop = await openShop({ onOutcome: capturesHolds })
    await holds(shop)
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 held 10.00', 'basket-7 paid 10.00'])
    expect(stages(shop)).toEqual(['preauth 10.00 approved', 'capture 10.00 approved'])
    expect(sent(shop, 'capture')).toBe(1)
  })

  it('can be parts, in their order, and all that is left', async () => {
    const shop = await openShop({
      onOutcome: ({ kind }, { afterwards }) => {
        if (kind !== 'held') return
        afterwards.capture({ amount: '3.00', key: 'parcel-1' })
        afterwards.capture({ amount: '4.00', key: 'parcel-2' })
        afterwards.void()
      },
    })
    await holds(shop)
    for (let round = 0; round < 4; round += 1) await passes(shop, 5 * minute)
    expect(shop.told).toEqual([
      'basket-7 held 10.00',
      'basket-7 paid 3.00',
      'basket-7 paid 4.00',
      'basket-7 released 3.00',
    ])
  })

  it('is nothing where the handler fails, and is wanted once however often it is told', async () => {
    let failures = 3
    const shop = await openShop({
      onOutcome: (outcome, context) => {
        void capturesHolds(outcome, context)
        failures -= 1
        if (failures >= 0) throw new Error('not yet')
      },
    })
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await holds(shop)
    expect(sent(shop, 'capture')).toBe(0)
    for (let round = 0; round < 4; round += 1) await passes(shop, 15 * minute)
    expect(shop.told).toEqual(['basket-7 held 10.00', 'basket-7 paid 10.00'])
    expect(sent(shop, 'capture')).toBe(1)
  })

  it('is sent once although it fails, and may be wanted again', async () => {
    const shop = await openShop({
      onOutcome: ({ kind }, { afterwards }) => {
        if (kind === 'held' || kind === 'failed') afterwards.capture()
      },
    })
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'capture' })
    await holds(shop)
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 held 10.00', 'basket-7 failed 10.00', 'basket-7 paid 10.00'])
    expect(sent(shop, 'capture')).toBe(2)
  })

  it('is sent again where nothing has left, and never where its answer was lost', async () => {
    const gateway = createFakeGateway()
    const shop = await openShop({
      gateway,
      listens: true,
      onOutcome(outcome, context) {
        if (outcome.kind === 'held') gateway.faults.arm('refuse-connection')
        return capturesHolds(outcome, context)
      },
    })
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'capture' })
    await holds(shop)
    expect(sent(shop, 'capture')).toBe(0)
    for (let round = 0; round < 4; round += 1) await passes(shop, 5 * minute)
    expect(shop.told).toEqual(['basket-7 held 10.00', 'basket-7 paid 10.00'])
    expect(stages(shop)).toEqual(['preauth 10.00 approved', 'capture 10.00 approved'])
    expect(sent(shop, 'capture')).toBe(1)
  })

  it('is given up with a warning where it is not possible', async () => {
    const warned = watchWarnings()
    const shop = await openShop({ onOutcome: (_, { afterwards }) => afterwards.capture() })
    await shop.customerPays((await shop.till.pay(basket)).address)
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(sent(shop, 'capture')).toBe(0)
    const gone = warned('WARN_WISH_GONE')
    expect(gone).toHaveLength(1)
    expect(gone[0]).toContain('capture is not possible, it is paid. Possible now: return.')
  })

  it('is about the order that was told: a surplus gives its own money back', async () => {
    const shop = await openShop({
      replaceOpenForm: true,
      onOutcome: ({ kind }, { afterwards }) => {
        if (kind === 'surplus') afterwards.return()
      },
    })
    const first = await shop.till.pay(basket)
    await shop.customerPays((await shop.till.pay({ ...basket, amount: '12.00' })).address)
    await shop.customerPays(first.address)
    await shop.gateway.callbacks.idle()
    await passes(shop, quiet)
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 paid 12.00', 'basket-7 surplus 10.00', 'basket-7 returned 10.00'])
    expect(stages(shop)).toEqual(['sale 10.00 approved', 'reversal 10.00 approved'])
    expect(stages(shop, 'basket-7.2r')).toEqual(['sale 12.00 approved'])
  })

  it('is refused without a key, and once the handler has ended', async () => {
    const errors: unknown[] = []
    let capture = () => {}
    const shop = await openShop({
      onOutcome: (_, { afterwards }) => {
        capture = () => afterwards.capture()
        try {
          afterwards.capture({ amount: '3.00' } as Parameters<typeof afterwards.capture>[0])
        } catch (error) {
          errors.push(error)
        }
      },
    })
    await holds(shop)
    expect(String(errors[0])).toContain('"key"')
    expect(capture).toThrow('after the handler had ended')
    await passes(shop, quiet)
    expect(sent(shop, 'capture')).toBe(0)
  })
})

describe('a process that dies while it tells', () => {
  afterwardsSurvives(
    [
      { at: 6, when: 'before' },
      { at: 9, when: 'after' },
      { at: 12, when: 'before' },
      { at: 14, when: 'after' },
      { at: 16, when: 'after' },
    ],
    engines.memory,
  )
  afterwardsSurvives([{ at: 11, when: 'after' }], engines.sqlite)
})
