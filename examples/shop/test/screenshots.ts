/**
 * Takes the pictures of the README: `npm run pm -- run screenshots`.
 *
 * @module
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launch } from '../../../packages/testing/test/browser.js'
import { start } from '../src/start.js'
import { takeGatewayPictures } from './gateway-pictures.js'
import { pictures, takePicture, takeWholePicture } from './take-picture.js'
import { takeThreeDSecurePictures } from './three-d-secure-pictures.js'
import { typeCard } from './type-card.js'

const widths = { phone: [390, 844], tablet: [820, 1100], desktop: [1280, 860] } as const

mkdirSync(pictures, { recursive: true })
const running = await start({ processingTime: 300 })
const browser = await launch()
try {
  for (const [name, [width, height]] of Object.entries(widths)) {
    await walk(await pageOf(browser, { width, height }), picture => join(pictures, `${picture}-${name}.png`))
  }
  await takeGatewayPictures(browser, running)
  await takeThreeDSecurePictures(browser)
} finally {
  await browser.close()
  await running.close()
}

async function pageOf(from: Browser, viewport: { readonly width: number; readonly height: number }): Promise<Page> {
  return (await from.newContext({ viewport })).newPage()
}

/** Buys something, gives a part back, and takes a picture of each page on the way. */
async function walk(page: Page, file: (picture: string) => string): Promise<void> {
  await page.goto(running.shop.href)
  await takePicture(page, file('shelf'))
  await page.getByRole('button', { name: 'Buy Teapot' }).click()
  await takePicture(page, file('hosted'))
  await typeCard(page, '123')
  await page.getByRole('status').getByText('Paid').waitFor()
  await takePicture(page, file('order'))
  await page.getByRole('link', { name: 'the merchant’s page' }).click()
  await page.getByLabel('Amount to return').fill('20.00')
  await page.getByRole('button', { name: 'Return' }).click()
  await page.getByRole('status').getByText('Partly returned').waitFor()
  await takeWholePicture(page, file('merchant'))
}
