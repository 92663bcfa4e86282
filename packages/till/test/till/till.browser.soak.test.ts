/** Customers of a till in Chromium, who leave, go back, and press twice: charges are counted in the gateway's books. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../../testing/test/browser.js'
import { type EnterOptions, ends, enterShop, openTab, paidOnce, secondCard } from './customer.js'
import { basket } from './shop.js'

describe('customers of a till, in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  const enter = (options: EnterOptions = {}) => enterShop(browser, options)

  describe('who leave the form', () => {
    it('take the payment up again on the same form, after they closed the window', async () => {
      const { shop, joan } = await enter()
      await joan.pressPay()
      await joan.formOpens()
      const form = joan.page.url()
      await joan.page.close()
      const again = await openTab(joan.context, shop)
      await again.pressPay()
      await again.formOpens()
      expect(again.page.url()).toBe(form)
      await again.typeCard()
      await again.payOnForm()
      await again.heading('Order basket-7')
      await ends(shop, paidOnce)
    })

    it('are settled by the callback, where they close the window on the way back', async () => {
      const { shop, joan } = await enter()
      await joan.pressPay()
      await joan.typeCard()
      await joan.page.route(`${shop.origin}/payments/return/**`, route => route.abort())
      const onTheWay = joan.page.waitForEvent('requestfailed', request => request.url().includes('/return/'))
      joan.payOnForm().catch(() => undefined)
      await onTheWay
      await joan.page.close()
      await ends(shop, paidOnce)
      const again = await openTab(joan.context, shop)
      await again.pressPay()
      await again.heading('Order basket-7')
      await ends(shop, paidOnce)
    })

    it('go back, press pay again, and are on the same form', async () => {
      const { shop, joan } = await enter()
      await joan.pressPay()
      await joan.formOpens()
      const form = joan.page.url()
      await joan.page.goBack()
      await joan.heading('Order basket-7')
      await joan.pressPay()
      await joan.formOpens()
      expect(joan.page.url()).toBe(form)
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('Order basket-7')
      await ends(shop, paidOnce)
    })
  })

  describe('who go back after the payment', () => {
    it('find no form to pay on a second time', async () => {
      const { shop, joan } = await enter()
      await joan.pressPay()
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('Order basket-7')
      await joan.page.goBack()
      expect(await joan.page.getByRole('button', { name: /^Pay 1/ }).count()).toBe(0)
      await joan.page.goto(`${shop.origin}/orders/basket-7`)
      await joan.pressPay()
      await joan.heading('Order basket-7')
      await ends(shop, paidOnce)
    })

    it('from the page of a decline, still pay once', async () => {
      const { shop, joan } = await enter()
      await joan.pressPay()
      await joan.typeCard('101')
      await joan.payOnForm()
      await joan.heading('The payment was declined')
      const declined = joan.page.url()
      await joan.page.getByRole('button', { name: 'Try another card' }).click()
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('Order basket-7')
      // The page of the decline is not shown from a cache: it is over, and leads to the order.
      await joan.page.goto(declined)
      await joan.heading('Order basket-7')
      await ends(shop, secondCard)
    })
  })

  describe('who press twice', () => {
    it('are on one form, and are charged once', async () => {
      const { shop, joan } = await enter()
      await joan.page.getByRole('button', { name: 'Pay', exact: true }).dblclick()
      await joan.formOpens()
      await joan.typeCard()
      await joan.page.getByRole('button', { name: /^Pay 1/ }).dblclick()
      // The second press may reach the gateway after the first one was answered: then its page says so, and leads on.
      const done = joan.page.getByRole('heading', { name: 'Already done' })
      await joan.page.getByRole('heading', { name: 'Order basket-7' }).or(done).waitFor()
      if (await done.isVisible()) await joan.page.getByRole('link', { name: 'Back to the shop' }).click()
      await joan.heading('Order basket-7')
      expect(shop.gateway.calls('saleForm')).toHaveLength(1)
      await ends(shop, paidOnce)
    })

    it('"Try another card", get one second order', async () => {
      const { shop, joan } = await enter()
      await joan.pressPay()
      await joan.typeCard('101')
      await joan.payOnForm()
      await joan.page.getByRole('button', { name: 'Try another card' }).dblclick()
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('Order basket-7')
      await ends(shop, secondCard)
    })
  })

  describe('with two tabs', () => {
    it('press pay in both at once, pay in one, and see in the other that it is paid', async () => {
      const { shop, joan } = await enter()
      const other = await openTab(joan.context, shop)
      await Promise.all([joan.pressPay(), other.pressPay()])
      await Promise.all([joan.formOpens(), other.formOpens()])
      expect(other.page.url()).toBe(joan.page.url())
      await Promise.all([joan.typeCard(), other.typeCard()])
      await joan.payOnForm()
      await joan.heading('Order basket-7')
      await other.payOnForm()
      await other.page
        .getByText(/done|over|back/i)
        .first()
        .waitFor()
      await ends(shop, paidOnce)
    })

    it('press "Try another card" in both, and are charged once', async () => {
      const { shop, joan } = await enter()
      await joan.pressPay()
      await joan.typeCard('101')
      await joan.payOnForm()
      await joan.heading('The payment was declined')
      const other = await openTab(joan.context, shop)
      await other.page.goto(joan.page.url())
      const again = (page: typeof joan.page) => page.getByRole('button', { name: 'Try another card' }).click()
      await Promise.all([again(joan.page), again(other.page)])
      await Promise.all([joan.formOpens(), other.formOpens()])
      expect(other.page.url()).toBe(joan.page.url())
      await other.typeCard()
      await other.payOnForm()
      await other.heading('Order basket-7')
      await ends(shop, secondCard)
    })
  })

  describe('with an older page', () => {
    it('see there that the payment goes on with another form, and over how much', async () => {
      const { shop, joan } = await enter()
      await joan.pressPay()
      await joan.typeCard('101')
      await joan.payOnForm()
      await joan.heading('The payment was declined')
      shop.asked.customer = { ...basket, amount: '12.00' }
      const other = await openTab(joan.context, shop)
      await other.pressPay()
      await other.formOpens()
      await joan.page.reload()
      await joan.heading('This payment is not finished')
      await joan.page.getByText('€12.00').waitFor()
      await joan.page.goto(`${joan.page.url()}&go=1`)
      await joan.heading('This payment is not finished')
      await joan.page.getByRole('link', { name: 'Go on to the payment page' }).click()
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('Order basket-7')
      await ends(shop, { ...secondCard, told: ['basket-7 declined 10.00', 'basket-7 paid 12.00'] })
    })
  })
  describe('of a shop with a Content-Security-Policy', () => {
    it('are stopped where its form-action leaves the gateway out, and till.check names that', async () => {
      let policy = "form-action 'self'"
      const { shop, joan } = await enter({
        before: (_, response) => void response.setHeader('Content-Security-Policy', policy),
      })
      const said = async () => (await shop.till.check())[0]?.findings.find(({ subject }) => subject === 'address')
      const refused = joan.page.waitForEvent('console', message => message.text().includes('form-action'))
      await joan.pressPay()
      await refused
      expect(joan.page.url()).toBe(`${shop.origin}/orders/basket-7`)
      expect(await said()).toMatchObject({
        verdict: 'cannot-tell',
        explanation: expect.stringContaining('form-action'),
      })
      policy = `form-action 'self' ${new URL(shop.gateway.clientOptions.baseUrl).origin}`
      expect(await said()).toMatchObject({ verdict: 'ok' })
      await joan.page.reload()
      await joan.pressPay()
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('Order basket-7')
      await ends(shop, paidOnce)
    })
  })
})
