import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** Opens a page. Its waits have the one budget of tests, since the 30 seconds of Playwright may be too few for a busy machine. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(600_000)
  return context.newPage()
}
