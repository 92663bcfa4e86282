/** One walk through the hosted form, for every day; shop.browser.soak.test.ts has the others. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launch } from '../../../packages/testing/test/browser.js'
import { type Running, start } from '../src/start.js'
import { typeCard } from './type-card.js'

describe.skipIf(chromiumPath === undefined)('buying in the shop, in Chromium', () => {
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    running = await start({ processingTime: 300 })
    browser = await launch()
    page = await (await browser.newContext()).newPage()
  })

  afterAll(async () => {
    await browser?.close()
    await running?.close()
  })

  it('sells a cup: the customer pays on the hosted page, comes back and sees it paid', async () => {
    await page.goto(running.shop.href)
    await page.getByRole('button', { name: 'Buy Morning cup' }).click()
    expect(new URL(page.url()).host).toBe(running.gatewayBaseUrl.host)
    await typeCard(page, '123')
    await page.waitForURL(`${running.shop.origin}/orders/**`)
    await page.getByRole('status').getByText('Paid').waitFor()
    expect(await page.getByRole('main').innerText()).toContain('€18.00')

    const clientOrderId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    await expect(running.client.status({ clientOrderId })).resolves.toMatchObject({
      status: 'approved',
      amount: '18.00',
    })
  })
})
