/** One walk of a declined customer, for every day; till.browser.soak.test.ts has the others. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFindings } from '../../../testing/test/accessible.js'
import { launch } from '../../../testing/test/browser.js'
import { openCustomer } from './customer.js'
import { openShop } from './shop.js'

describe('paying with a till, in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  it('shows a decline on a page without a fault for axe-core, takes another card at the press of a button, and charges that one once', async () => {
    const shop = await openShop({ listens: true })
    const joan = await openCustomer(browser, shop)
    await joan.pressPay()
    await joan.typeCard('101')
    await joan.payOnForm()
    await joan.heading('The payment was declined')
    expect(await axeFindings(joan.page)).toEqual([])
    const pressed = joan.page.waitForRequest(request => request.url() === `${shop.origin}/orders/basket-7/pay`)
    await joan.page.getByRole('button', { name: 'Try another card' }).click()
    // A shop that refuses forms of other sites takes it.
    expect(await (await pressed).headerValue('origin')).toBe(shop.origin)
    await joan.typeCard()
    await joan.payOnForm()
    await joan.heading('Order basket-7')
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00'])
    expect(shop.books()).toEqual(['basket-7 sale declined', 'basket-7.2r sale approved'])
  })
})
