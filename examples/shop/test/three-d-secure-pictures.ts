/**
 * Pictures of the card form and of the pages between the shop and the bank.
 *
 * @module
 */
import { join } from 'node:path'
import { silentMethodCard, threeDSecure1Card } from '@tillkit/testing'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { start } from '../src/start.js'
import { pictures, takePicture } from './take-picture.js'
import { typeCard } from './type-card.js'

const phone = { viewport: { width: 390, height: 640 } } as const

/** Each page, and what leads to it. The gateway takes its time, so that there is something to wait for. */
const pages = [
  { name: '3ds-method-phone', heading: 'Preparing your payment', card: silentMethodCard, cvv2: '123', browser: phone },
  {
    name: '3ds-bank-phone',
    heading: 'On to your bank',
    card: threeDSecure1Card,
    cvv2: '123',
    browser: { ...phone, javaScriptEnabled: false },
  },
  { name: '3ds-waiting-phone', heading: 'Checking your payment', card: undefined, cvv2: '111', browser: phone },
  {
    name: '3ds-waiting-dark-phone',
    heading: 'Checking your payment',
    card: undefined,
    cvv2: '111',
    browser: { ...phone, colorScheme: 'dark' },
  },
] as const satisfies readonly { readonly browser: BrowserContextOptions; readonly [name: string]: unknown }[]

/** Takes them, with a shop of their own. */
export async function takeThreeDSecurePictures(from: Browser): Promise<void> {
  const running = await start({ processingTime: 600_000 })
  try {
    for (const { name, heading, card, cvv2, browser } of pages) {
      const page = await (await from.newContext(browser)).newPage()
      await page.goto(new URL('/pay-here/rice-bowl', running.shop).href)
      if (name === '3ds-method-phone') {
        await page.setViewportSize({ width: 390, height: 1000 })
        await takePicture(page, join(pictures, 'card-phone.png'))
        await page.setViewportSize(phone.viewport)
      }
      await typeCard(page, cvv2, card)
      await page.getByRole('heading', { name: heading }).waitFor()
      await takePicture(page, join(pictures, `${name}.png`))
      await page.context().close()
    }
  } finally {
    await running.close()
  }
}
