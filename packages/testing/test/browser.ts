/**
 * A Chromium for tests, driven by playwright-core: the system's, or the one that scripts/test-tools.js fetched.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const folders = (process.env.PATH ?? '').split(delimiter)
const installed = ['chromium', 'chromium-browser', 'google-chrome'].flatMap(name =>
  folders.map(folder => join(folder, name)),
)
const fetched = fileURLToPath(
  new URL('../../../node_modules/.cache/test-tools/chromium-pinned/chromium', import.meta.url),
)

/** Starts it without anything that would look for a network. @param more Arguments of the command line. */
export function launch(more: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH || [...installed, fetched].find(path => existsSync(path))
  if (executablePath === undefined)
    throw new Error('This machine has no Chromium. "npm test" fetches one, or name one in CHROMIUM_PATH.')
  return chromium.launch({
    executablePath,
    // A machine that names no language would make "en-US@posix" of it, which no customer's browser says.
    env: { ...process.env, LANG: 'en_US.UTF-8' },
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
