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
import { typeCard } from './type-card.js'

const widths = { phone: [390, 844], tablet: [820, 1100], desktop: [1280, 860] } as const
const images = join(import.meta.dirname, '../../../docs/images')

mkdirSync(images, { recursive: true })
const running = await start({ processingTime: 300 })
const browser = await launch()
try {
  for (const [name, [width, height]] of Object.entries(widths)) {
    await walk(await pageOf(browser, { width, height }), picture => join(images, `${picture}-${name}.png`))
  }
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
  await page.screenshot({ path: file('shelf') })
  await page.getByRole('button', { name: 'Buy Teapot' }).click()
  await page.screenshot({ path: file('hosted') })
  await typeCard(page, '123')
  await page.getByRole('status').getByText('Paid').waitFor()
  await page.getByLabel('Amount to return').fill('20.00')
  await page.getByRole('button', { name: 'Return' }).click()
  await page.getByRole('status').getByText('Partly returned').waitFor()
  await page.locator('details.entry').first().locator('summary').click()
  const { width, height } = (await page.locator('body').boundingBox()) ?? { width: 0, height: 0 }
  await page.setViewportSize({ width: Math.ceil(width), height: Math.ceil(height) })
  await takePicture(page, file('order'))
}

/** Without a graphics card Chromium now and then has no frame ready of a window that has just grown. */
async function takePicture(page: Page, path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await page.screenshot({ path })
      return
    } catch (error) {
      if (attempt === 5) throw error
      await page.waitForTimeout(200)
    }
  }
}
