/** A customer of the shop, in the system's Chromium. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openShop, type Shop, type ShopOptions } from './shop.js'

/** The customer's browser, as far as it is special. */
export interface CustomerOptions {
  readonly javaScriptEnabled?: boolean
}

/** A customer who stands on the shop's page of the order. */
export async function openCustomer(browser: Browser, shop: Shop, { javaScriptEnabled = true }: CustomerOptions = {}) {
  const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 800 } })
  onTestFinished(() => context.close())
  return { context, ...(await openTab(context, shop)) }
}

/** Another tab of the same browser. */
export async function openTab(context: BrowserContext, shop: Shop) {
  const page = await context.newPage()
  await page.goto(`${shop.origin}/orders/basket-7`)
  return { page, ...acts(page) }
}

/** A customer's acts in a tab. */
const acts = (page: Page) => ({
  heading: (name: string) => page.getByRole('heading', { name }).waitFor(),
  pressPay: () => page.getByRole('button', { name: 'Pay', exact: true }).click(),
  formOpens: () => page.getByLabel('Card number').waitFor(),
  /** Types a card into the gateway's form. */
  async typeCard(cvv2 = '123') {
    await page.getByLabel('Card number').fill('4444 4444 4444 4448')
    await page.getByLabel('Name on card').fill('JOAN BAKER')
    await page.getByLabel('Month').fill('12')
    await page.getByLabel('Year').fill('2031')
    await page.getByLabel('CVV').fill(cvv2)
  },
  payOnForm: () => page.getByRole('button', { name: /^Pay 1\d/ }).click(),
  async confirmAtBank(code = 'hint') {
    await page.getByLabel('Code from your bank').fill(code)
    await page.getByRole('button', { name: 'Confirm' }).click()
  },
})

export type EnterOptions = CustomerOptions & ShopOptions<never>

/** A shop, and a customer in it. */
export async function enterShop(browser: Browser, { javaScriptEnabled = true, ...options }: EnterOptions = {}) {
  const shop = await openShop({ listens: true, ...options })
  return { shop, joan: await openCustomer(browser, shop, { javaScriptEnabled }) }
}

/** The gateway's books, and the outcomes that the merchant was told. */
export interface End {
  readonly books: readonly string[]
  readonly told: readonly string[]
}

/** Compares the gateway's books and what the merchant was told, once all is said. */
export async function ends(shop: Shop, { books, told }: End): Promise<void> {
  await shop.gateway.callbacks.idle()
  await shop.till.tick()
  expect([shop.books(), shop.told]).toEqual([books, told])
}

export const paidOnce: End = { books: ['basket-7 sale approved'], told: ['basket-7 paid 10.00'] }

export const secondCard: End = {
  books: ['basket-7 sale declined', 'basket-7.2r sale approved'],
  told: ['basket-7 declined 10.00', 'basket-7 paid 10.00'],
}
