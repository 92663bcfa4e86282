/**
 * The dashboard of a gateway of its own for each test, in a browser.
 *
 * @module
 */
import type { FakeGateway } from '@tillkit/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { launch } from '../../testing/test/browser.js'
import { type MerchantSite, startMerchantSite } from '../../testing/test/merchant-site.js'
import { pay } from '../../testing/test/signed-request.js'
import { createGateway } from '../src/index.js'

/** What a test has open. */
export interface OpenDashboard {
  browser: Browser
  site: MerchantSite
  gateway: FakeGateway
  page: Page
  /** Address of the first page. */
  overview: string
}

/** Opens the dashboard before each test and closes it afterwards. The page is blank at first. */
export function openDashboard() {
  const open = {} as OpenDashboard

  beforeAll(async () => {
    open.browser = await launch()
  })
  afterAll(() => open.browser?.close())

  beforeEach(async () => {
    open.site = await startMerchantSite()
    open.gateway = createGateway({ processingTime: 60_000 })
    const { origin } = await open.gateway.listen()
    open.overview = `${origin}/__gateway/`
    open.page = await (await open.browser.newContext()).newPage()
    // A machine that is busy is slow, and nothing else.
    open.page.context().setDefaultTimeout(600_000)
  })
  afterEach(async () => {
    await open.page.context().close()
    await Promise.all([open.gateway.close(), open.site.close()])
  })

  return {
    open,
    part: (id: string) => open.page.locator(`#${id}`),
    sale: (clientOrderId: string, fields: Record<string, string> = {}) =>
      pay(open.gateway, 'sale', { clientOrderId, notifyUrl: `${open.site.origin}/callback`, ...fields }),
  }
}
