/** Customers of a till in Chromium, who wait, go through 3DS, and have no scripts: charges are counted in the gateway's books. */
import { createFakeGateway, testCard, threeDSecure1Card } from '@tillkit/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../../testing/test/browser.js'
import { type EnterOptions, ends, enterShop, openTab, paidOnce, secondCard } from './customer.js'
import { basket } from './shop.js'

const minute = 60_000

describe('customers of a till who wait, in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  const enter = (options: EnterOptions = {}) => enterShop(browser, options)

  describe('whose price changes while the form is open', () => {
    const dearer = { ...basket, amount: '12.00' }

    it('are not led to the old price, nor to a second form, where the open one may not be replaced', async () => {
      const { shop, joan } = await enter()
      await joan.pressPay()
      await joan.formOpens()
      shop.asked.customer = dearer
      const other = await openTab(joan.context, shop)
      await other.pressPay()
      await other.page.getByText('was asked for over 10.00, and nothing says that this order has failed').waitFor()
      expect(shop.gateway.calls('saleForm')).toHaveLength(1)
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('Order basket-7')
      await ends(shop, paidOnce)
    })

    it('pay the new price on a new form, where it may be replaced', async () => {
      const { shop, joan } = await enter({ replaceOpenForm: true })
      await joan.pressPay()
      await joan.formOpens()
      shop.asked.customer = dearer
      const other = await openTab(joan.context, shop)
      await other.pressPay()
      await other.page.getByRole('button', { name: 'Pay 12.00 EUR' }).waitFor()
      await other.typeCard()
      await other.payOnForm()
      await other.heading('Order basket-7')
      await ends(shop, {
        books: ['basket-7 sale processing', 'basket-7.2r sale approved'],
        told: ['basket-7 paid 12.00'],
      })
    })

    it('and who pay both forms are told apart: the second one is surplus', async () => {
      const { shop, joan } = await enter({ replaceOpenForm: true })
      await joan.pressPay()
      await joan.formOpens()
      shop.asked.customer = dearer
      const other = await openTab(joan.context, shop)
      await other.pressPay()
      await other.typeCard()
      await other.payOnForm()
      await other.heading('Order basket-7')
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('We are looking into your payment')
      await ends(shop, {
        books: ['basket-7 sale approved', 'basket-7.2r sale approved'],
        told: ['basket-7 paid 12.00', 'basket-7 surplus 10.00'],
      })
    })
  })

  describe('whose card the merchant takes itself', () => {
    const cardOf = (creditCardNumber: string, cvv2: string) => ({
      ...basket,
      creditCardNumber,
      cvv2,
      cardPrintedName: 'JOAN BAKER',
      expireMonth: '12',
      expireYear: '2031',
    })

    it.each([
      ['3DS 2', testCard, '321'],
      ['3DS 1.0.2', threeDSecure1Card, '123'],
    ])('go through %s, and are charged once', async (_version, card, cvv) => {
      const { shop, joan } = await enter()
      shop.asked.customer = cardOf(card, cvv)
      await joan.pressPay()
      await joan.confirmAtBank()
      await joan.heading('Order basket-7')
      await ends(shop, paidOnce)
    })

    it.each([
      ['3DS 2', testCard, '321'],
      ['3DS 1.0.2', threeDSecure1Card, '123'],
    ])('fail %s, and are charged once with the next card', async (_version, card, cvv) => {
      const { shop, joan } = await enter()
      shop.asked.customer = cardOf(card, cvv)
      await joan.pressPay()
      await joan.confirmAtBank('guess')
      await joan.heading('The payment was declined')
      await joan.page.getByRole('button', { name: 'Try another card' }).click()
      await joan.confirmAtBank()
      await joan.heading('Order basket-7')
      await ends(shop, secondCard)
    })

    it('leave the bank, press pay again, and are back in the same 3DS', async () => {
      const { shop, joan } = await enter()
      shop.asked.customer = cardOf(testCard, '321')
      await joan.pressPay()
      await joan.page.getByLabel('Code from your bank').waitFor()
      await joan.page.goto(`${shop.origin}/orders/basket-7`)
      await joan.pressPay()
      await joan.confirmAtBank()
      await joan.heading('Order basket-7')
      expect(shop.gateway.calls('sale')).toHaveLength(1)
      await ends(shop, paidOnce)
    })
  })

  describe('who wait', () => {
    /** The time of the page passes until it has looked once more. */
    const looks = (page: Page) =>
      Promise.all([page.waitForResponse(answer => answer.url().includes('?since=')), page.clock.runFor(15_000)])

    it('are led on once the payment is through, and every look is no step for the back button', async () => {
      const { shop, joan } = await enter({ gateway: createFakeGateway({ processingTime: minute }) })
      await joan.page.clock.install()
      await joan.pressPay()
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('Checking your payment')
      // A customer who has paid on the form is not led to it again.
      expect(await joan.page.getByRole('link', { name: 'Go on to the payment page' }).count()).toBe(0)
      const steps = await joan.page.evaluate('history.length')
      await looks(joan.page)
      await looks(joan.page)
      await joan.heading('Checking your payment')
      await shop.gateway.clock.advance(2 * minute)
      await shop.gateway.callbacks.idle()
      await looks(joan.page)
      await joan.heading('Order basket-7')
      expect(await joan.page.evaluate('history.length')).toBe(steps)
      await ends(shop, paidOnce)
    })

    it('for a form whose answer was lost can try once more when it is known that nobody has it', async () => {
      const { shop, joan } = await enter()
      shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'saleForm' })
      await joan.page.clock.install()
      await joan.pressPay()
      await joan.heading('Checking your payment')
      await looks(joan.page)
      await joan.heading('Checking your payment')
      await shop.gateway.clock.advance(3 * minute)
      await looks(joan.page)
      await joan.heading('The payment page did not open')
      await joan.page.getByRole('button', { name: 'Try once more' }).click()
      await joan.typeCard()
      await joan.payOnForm()
      await joan.heading('Order basket-7')
      await ends(shop, {
        books: ['basket-7 sale processing', 'basket-7.2r sale approved'],
        told: ['basket-7 paid 10.00'],
      })
    })
  })

  describe('without scripts', () => {
    it('see a decline, and pay with another card', async () => {
      const { shop, joan } = await enter({ javaScriptEnabled: false })
      await joan.pressPay()
      await joan.typeCard('101')
      await joan.payOnForm()
      await joan.page.getByRole('button', { name: 'Back to the shop' }).click()
      await joan.heading('The payment was declined')
      await joan.page.getByRole('button', { name: 'Try another card' }).click()
      await joan.typeCard()
      await joan.payOnForm()
      await joan.page.getByRole('button', { name: 'Back to the shop' }).click()
      await joan.heading('Order basket-7')
      await ends(shop, secondCard)
    })

    it('wait on a page that is looked at again at the press of a link, until the payment is through', async () => {
      const { shop, joan } = await enter({
        gateway: createFakeGateway({ processingTime: minute }),
        javaScriptEnabled: false,
      })
      await joan.pressPay()
      await joan.typeCard()
      await joan.payOnForm()
      await joan.page.getByRole('button', { name: 'Back to the shop' }).click()
      await joan.heading('Checking your payment')
      expect(shop.told).toEqual([])
      const again = joan.page.getByRole('link', { name: 'Look again' })
      const address = await again.getAttribute('href')
      // One address for ever: each look is no step for the back button.
      await shop.gateway.clock.advance(5_000)
      await again.click()
      await joan.heading('Checking your payment')
      expect(await again.getAttribute('href')).toBe(address)
      await shop.gateway.clock.advance(2 * minute)
      await shop.gateway.callbacks.idle()
      await again.click()
      await joan.heading('Order basket-7')
      await ends(shop, paidOnce)
    })
  })
})
