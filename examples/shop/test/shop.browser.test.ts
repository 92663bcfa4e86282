/** One walk through the hosted form, for every day; shop.browser.soak.test.ts has the others. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { launch } from '../../../packages/testing/test/browser.js'
import { type Running, start } from '../src/start.js'
import { openPage } from './open-page.js'
import { buyCup } from './type-card.js'

describe('buying in the shop, in Chromium', () => {
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    running = await start({ processingTime: 300 })
    browser = await launch()
    page = await openPage(browser)
  })

  afterAll(async () => {
    await browser?.close()
    await running?.close()
  })

  it('sells a cup: the customer pays on the hosted page, comes back and sees it paid', async () => {
    await buyCup(page, running)
  })
})
