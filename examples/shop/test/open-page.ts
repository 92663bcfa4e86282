import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/**
 * Opens a page. Its waits have half of the budget of a test: the 30 seconds of Playwright may be too few for a busy machine, and
 * a wait that never ends has to end before its test does, since only then is it known for what the test waited.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(300_000)
  return context.newPage()
}
