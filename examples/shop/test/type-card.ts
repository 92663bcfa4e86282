import type { Page } from 'playwright-core'

/** Types a card into the gateway's hosted page and pays. The page afterwards takes the customer back by itself. */
export async function typeCard(page: Page, cvv2: string, number = '4444 4444 4444 4448'): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel(/name on card|cardholder/i).fill('JOAN BAKER')
  await page.getByLabel(/month/i).fill('12')
  await page.getByLabel(/year/i).fill('2031')
  await page.getByLabel(/CVV/i).fill(cvv2)
  await page.getByRole('button', { name: /^pay|^reserve/i }).click()
}
