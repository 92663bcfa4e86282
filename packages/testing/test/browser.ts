/**
 * A Chromium for tests, driven by playwright-core: the system's, or the one that scripts/test-tools.js fetched.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  fileURLToPath(new URL('../../../node_modules/.cache/test-tools/chromium/chromium', import.meta.url)),
]

/** Starts it without anything that would look for a network. @param more Arguments of the command line. */
export function launch(more: readonly string[] = []): Promise<Browser> {
  const executablePath = candidates.find(path => path !== undefined && existsSync(path))
  if (executablePath === undefined)
    throw new Error('This machine has no Chromium. "npm test" fetches one, or name one in CHROMIUM_PATH.')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}
