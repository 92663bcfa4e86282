/** People read the timeline of a payment: each sentence says who did what, and why, if that was decided. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { minute, passes } from './acts.js'
import { basket, card, openShop, type Shop } from './shop.js'

/** The sentences, without the ids that the gateway makes up. */
async function read({ till }: Shop): Promise<readonly string[]> {
  const { timeline } = await till.payment('basket-7')
  return timeline.map(({ text }) => text.replaceAll(/as its order \S+\./g, 'as its order (id).'))
}

/** Pays by card without a page. */
const formOpened = [
  'The till opened order basket-7 with account merchant.',
  'The till was about to ask the gateway for the hosted form of a sale over 10.00 EUR.',
  'The gateway opened the hosted form of a sale over 10.00 EUR as its order (id).',
]

describe('a timeline reads', () => {
  it('of a hosted sale', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    expect(await read(shop)).toEqual([
      ...formOpened,
      'The gateway said that the sale over 10.00 EUR is approved.',
      'The handler was told that the sale over 10.00 EUR is approved.',
    ])
  })

  it('of a decline, and then another card', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address, '101')
    await shop.gateway.callbacks.idle()
    await passes(shop)
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    expect(await read(shop)).toEqual([
      ...formOpened,
      'The gateway said that the sale of order basket-7 over 10.00 EUR was declined: "Decline, expired card" (code 101).',
      'The handler was told that the sale of order basket-7 over 10.00 EUR was declined.',
      'The till opened order basket-7.2r with account merchant, since order basket-7 had failed.',
      'The till was about to ask the gateway for the hosted form of a sale over 10.00 EUR.',
      'The gateway opened the hosted form of a sale over 10.00 EUR as its order (id).',
      'The gateway said that the sale of order basket-7.2r over 10.00 EUR is approved.',
      'The handler was told that the sale of order basket-7.2r over 10.00 EUR is approved.',
    ])
  })

  it('of an answer that was not the gateway’s, of which the process is warned at once, with the cure', async () => {
    const shop = await openShop()
    const warnings: string[] = []
    const hear = (warning: Error & { code?: string }) => void warnings.push(`${warning.code}: ${warning.message}`)
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    shop.gateway.faults.arm({ fault: 'maintenance-page', operation: 'saleForm' })
    await shop.till.pay(basket)
    expect((await read(shop)).at(-1)).toBe(
      'The till asked for the hosted form of a sale over 10.00 EUR, and was answered with HTTP 503 in a form that the gateway does not use. The till waits until it knows what became of that.',
    )
    await expect
      .poll(() => warnings.join('\n'))
      .toMatch(/^WARN_NOT_THE_GATEWAY: .*"text\/html".*Is "baseUrl" \(http.*\) right\? Run till\.check\(\)\./m)
  })

  it('of a form whose address was lost with the answer', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'saleForm' })
    await shop.till.pay(basket)
    expect((await read(shop)).at(-1)).toBe(
      'The gateway did not answer when the till asked for the hosted form of a sale over 10.00 EUR. The till waits until it knows what became of that.',
    )
    await passes(shop)
    await shop.till.pay(basket)
    expect(await read(shop)).toEqual([
      'The till opened order basket-7 with account merchant.',
      'The till was about to ask the gateway for the hosted form of a sale over 10.00 EUR.',
      'The gateway did not answer when the till asked for the hosted form of a sale over 10.00 EUR. The till waits until it knows what became of that.',
      'Status shows that the gateway accepted the hosted form of a sale over 10.00 EUR as its order (id).',
      'The gateway said that the sale of order basket-7 over 10.00 EUR is "processing". It has not ended.',
      'The till went on without order basket-7: the address of its form was lost, so that no customer can have it. The till goes on watching it.',
      'The till opened order basket-7.2r with account merchant, since it had gone on without order basket-7.',
      'The till was about to ask the gateway for the hosted form of a sale over 10.00 EUR.',
      'The gateway opened the hosted form of a sale over 10.00 EUR as its order (id).',
    ])
  })

  it('of a card whose answer was lost', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    shop.gateway.faults.arm({ fault: 'callback-never', operation: 'sale' })
    await shop.till.pay({ ...basket, ...card })
    expect((await read(shop)).at(-1)).toBe(
      'The gateway did not answer when the till asked for the sale over 10.00 EUR. The till waits until it knows what became of that.',
    )
    await passes(shop)
    expect(await read(shop)).toEqual([
      'The till opened order basket-7 with account merchant.',
      'The till was about to ask the gateway for a sale over 10.00 EUR.',
      'The gateway did not answer when the till asked for the sale over 10.00 EUR. The till waits until it knows what became of that.',
      'Status shows that the gateway accepted the sale over 10.00 EUR as its order (id).',
      'The gateway said that the sale over 10.00 EUR is approved.',
      'The handler was told that the sale over 10.00 EUR is approved.',
    ])
  })

  it('of a hold that is captured in two parts and returned in part', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay({ ...basket, hold: true })).address)
    await shop.gateway.callbacks.idle()
    for (const [name, key, amount] of [
      ['capture', 'parcel-1', '6.00'],
      ['capture', 'parcel-2', '4.00'],
      ['return', 'parcel-2', '3.00'],
    ] as const) {
      await passes(shop)
      await shop.till[name]('basket-7', { key, amount })
    }
    await passes(shop)
    expect(await read(shop)).toEqual([
      'The till opened order basket-7 with account merchant.',
      'The till was about to ask the gateway for the hosted form of a hold over 10.00 EUR.',
      'The gateway opened the hosted form of a hold over 10.00 EUR as its order (id).',
      'The gateway said that the hold over 10.00 EUR is approved.',
      'The handler was told that the hold over 10.00 EUR is approved.',
      'The till was about to ask the gateway for a capture over 6.00 EUR (key "parcel-1"). Just before, status said that the hold is approved.',
      'The gateway accepted the capture over 6.00 EUR (key "parcel-1").',
      'The gateway said that the capture over 6.00 EUR is approved.',
      'The handler was told that the capture over 6.00 EUR is approved.',
      'The till was about to ask the gateway for a capture over 4.00 EUR (key "parcel-2"). Just before, status said that the capture is approved.',
      'The gateway accepted the capture over 4.00 EUR (key "parcel-2").',
      'The gateway said that the capture over 4.00 EUR is approved.',
      'The handler was told that the capture over 4.00 EUR is approved.',
      'The till was about to ask the gateway for a return over 3.00 EUR (key "parcel-2"). Just before, status said that the capture is approved.',
      'The gateway accepted the return over 3.00 EUR (key "parcel-2").',
      'The gateway said that the return over 3.00 EUR is approved.',
      'The handler was told that the return over 3.00 EUR is approved.',
    ])
  })

  it('of two forms that were both paid', async () => {
    const shop = await openShop({ replaceOpenForm: true })
    const first = await shop.till.pay(basket)
    await passes(shop)
    const second = await shop.till.pay({ ...basket, amount: '12.00' })
    await passes(shop)
    await shop.customerPays(second.address)
    await passes(shop)
    await shop.customerPays(first.address)
    await passes(shop)
    expect(await read(shop)).toEqual([
      ...formOpened,
      'The gateway said that the sale of order basket-7 over 10.00 EUR is "processing". It has not ended.',
      'The till went on without order basket-7: the merchant asked for another form and allows that one to be replaced. It can still be paid. The till goes on watching it.',
      'The till opened order basket-7.2r with account merchant, since it had gone on without order basket-7.',
      'The till was about to ask the gateway for the hosted form of a sale over 12.00 EUR.',
      'The gateway opened the hosted form of a sale over 12.00 EUR as its order (id).',
      'The gateway said that the sale of order basket-7.2r over 12.00 EUR is "processing". It has not ended.',
      'The gateway said that the sale of order basket-7.2r over 12.00 EUR is approved.',
      'The handler was told that the sale of order basket-7.2r over 12.00 EUR is approved.',
      'The gateway said that the sale of order basket-7 over 10.00 EUR is approved. Order basket-7.2r had brought money already.',
      'The handler was told that the sale of order basket-7 over 10.00 EUR is approved.',
    ])
  })

  it('of a decline that was approved late', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address, '101')
    await shop.gateway.callbacks.idle()
    await passes(shop)
    const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
    shop.gateway.act({ action: 'correct', status: 'approved', orderId })
    await passes(shop, 60 * minute)
    expect(await read(shop)).toEqual([
      ...formOpened,
      'The gateway said that the sale over 10.00 EUR was declined: "Decline, expired card" (code 101).',
      'The handler was told that the sale over 10.00 EUR was declined.',
      'The gateway corrected itself: the sale is approved; before, it said that it was declined. It counts as approved.',
      'The handler was told that the sale over 10.00 EUR is approved.',
    ])
  })
})
