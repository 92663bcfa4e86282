/**
 * What axe-core finds on a page: https://www.deque.com/axe/core-documentation/api-documentation/
 *
 * @module
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Where to put pictures of every page, to look at; nothing is compared. */
const pictures = process.env.PICTURES

/** Widths in CSS pixels. */
const [phone, tablet, desktop] = [390, 820, 1440] as const

// What is folded away is read as well, once somebody opens it. What moves is read where it comes to rest.
const unfold = `{
  for (const each of document.querySelectorAll('details')) each.open = true
  for (const each of document.getAnimations()) if (each.effect.getComputedTiming().endTime !== Infinity) each.finish()
}`

// Experimental, and off by default; a person who speaks to the browser says what they read on a button.
const everyRule = "{ rules: { 'label-content-name-mismatch': { enabled: true } } }"

/** The rules of colour: the dark page differs from the light one in nothing else. */
const rulesOfColour = "{ runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }"

/** What axe-core finds on the page as it is shown now. */
export async function axeFindings(page: Page, rules = everyRule): Promise<readonly string[]> {
  await page.evaluate(unfold)
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${rules})`)
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** How light what lies behind the page is, from 0 to 765. */
const lightness =
  'getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3).reduce((sum, each) => sum + Number(each), 0)'

/**
 * Expects that axe-core finds nothing on a phone and a desktop, light and dark; that dark is dark; and that nothing scrolls sideways in any
 * window. The page is not reloaded.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const light = await page.evaluate<number>(lightness)
    if (light < 382 !== (colorScheme === 'dark')) found.push(`${colorScheme}: the page is not`)
    for (const width of [phone, tablet, desktop]) {
      await page.setViewportSize({ width, height: 800 })
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true })
        await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true })
      }
      const rules = colorScheme === 'light' ? everyRule : rulesOfColour
      // On a tablet only scrolling is looked at, to save time.
      const findings = width === tablet ? [] : await axeFindings(page, rules)
      const scrolls = await page.evaluate<boolean>(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      )
      found.push(
        ...[...findings, ...(scrolls ? ['scrolls sideways'] : [])].map(each => `${colorScheme}, ${width} px: ${each}`),
      )
    }
  }
  expect([name, ...found]).toEqual([name])
}
