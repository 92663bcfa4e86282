import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Running } from '../src/start.js'

/** Types a card into the gateway's hosted page and pays. The page afterwards takes the customer back by itself. */
export async function typeCard(page: Page, cvv2: string, number = '4444 4444 4444 4448'): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel(/name on card|cardholder/i).fill('JOAN BAKER')
  await page.getByLabel(/month/i).fill('12')
  await page.getByLabel(/year/i).fill('2031')
  await page.getByLabel(/CVV/i).fill(cvv2)
  await page.getByRole('button', { name: /^pay|^reserve/i }).click()
}

/** A customer buys a cup: pays on the hosted page, comes back and sees it paid, and status says the same. */
export async function buyCup(page: Page, running: Running): Promise<void> {
  await page.goto(running.shop.href)
  await page.getByRole('button', { name: 'Buy Morning cup' }).click()
  expect(new URL(page.url()).host).toBe(running.gatewayBaseUrl.host)
  await typeCard(page, '123')
  await page.waitForURL(`${running.shop.origin}/orders/**`)
  await page.getByRole('status').getByText('Paid').waitFor()
  expect(await page.getByRole('main').innerText()).toContain('€18.00')

  const clientOrderId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  await expect(running.till.client.status({ clientOrderId })).resolves.toMatchObject({
    status: 'approved',
    amount: '18.00',
  })
}
