import { threeDSecure1Card } from '@tillkit/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launch } from '../../../packages/testing/test/browser.js'
import { type Running, start } from '../src/start.js'
import { typeCard } from './type-card.js'

describe.skipIf(chromiumPath === undefined)('paying in the shop, in Chromium', () => {
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    running = await start({ processingTime: 0 })
    browser = await launch()
    page = await (await browser.newContext()).newPage()
  })

  afterAll(async () => {
    await browser?.close()
    await running?.close()
  })

  async function confirm(code: string) {
    await page.getByLabel('Code from your bank').fill(code)
    await page.getByRole('button', { name: 'Confirm' }).click()
  }

  it.each([
    ['3DS 2', '4444 4444 4444 4448', '321', 'hint', 'Paid'],
    ['3DS 1.0.2', threeDSecure1Card, '123', 'hint', 'Paid'],
    ['3DS 2 that fails', '4444 4444 4444 4448', '321', 'guess', 'Declined'],
  ])('leads through %s to the order', async (_what, card, cvv2, code, label) => {
    await page.goto(running.shop.href)
    await page.getByRole('link', { name: 'Pay here, by card: Rice bowl' }).click()
    await typeCard(page, cvv2, card)
    await confirm(code)
    await page.getByRole('status').getByText(label).waitFor()
    expect(await page.content()).not.toContain(card.replaceAll(' ', ''))
  })
})
