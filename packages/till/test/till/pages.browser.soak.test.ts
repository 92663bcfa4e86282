/** The till's pages in Chromium: what each says by its roles, and that it can be read and used in every scheme and width. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { expectAccessible } from '../../../testing/test/accessible.js'
import { launch } from '../../../testing/test/browser.js'
import type { TillPages } from '../../src/index.js'
import { render, type Sample, samples } from './page-samples.js'

/** The folder for pictures of every page, to look at; nothing is compared. */
const pictures = process.env.PICTURES

const shop: TillPages = { shopName: 'Jug & Bowl', contact: 'help@shop.example' }
const names = Object.keys(samples) as Sample[]

interface Window {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

describe('the pages of a till, in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  /** Opens a page with the headers that it has. */
  async function open(sample: Sample, pages: TillPages = shop, { colorScheme = 'light', width = 390 }: Window = {}) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 760 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.route('https://shop.example/**', route => route.fulfill(render(sample, pages)))
    const problems: string[] = []
    page.on('console', message => message.type() === 'error' && problems.push(message.text()))
    await page.goto('https://shop.example/payments/payment/token')
    return { page, problems }
  }

  it.each([
    [
      'waiting',
      'Checking your payment - Jug & Bowl',
      `- main:
  - paragraph: Jug & Bowl
  - heading "Checking your payment" [level=1]
  - status: We are waiting to hear how it went. Please do not pay again; this page goes on by itself.
  - term: Amount
  - definition: €1,249.00
  - link "Back to your order":
    - /url: /orders/basket-7`,
    ],
    [
      'open',
      'This payment is not finished - Jug & Bowl',
      `- main:
  - paragraph: Jug & Bowl
  - heading "This payment is not finished" [level=1]
  - status: "If you have not paid yet, go on to the payment page. If you have, stay here: this page goes on by itself."
  - term: Amount
  - definition: €1,249.00
  - link "Go on to the payment page":
    - /url: https://gateway.example/form/1
  - link "Back to your order":
    - /url: /orders/basket-7`,
    ],
    [
      'declined',
      'The payment was declined - Jug & Bowl',
      `- main:
  - paragraph: Jug & Bowl
  - heading "The payment was declined" [level=1]
  - status: This card was not charged. You can try another one.
  - term: Amount
  - definition: €1,249.00
  - button "Try another card"
  - link "Back to your order":
    - /url: /orders/basket-7`,
    ],
    [
      'form-lost',
      'The payment page did not open - Jug & Bowl',
      `- main:
  - paragraph: Jug & Bowl
  - heading "The payment page did not open" [level=1]
  - status: Nothing was charged. Please try once more.
  - term: Amount
  - definition: €1,249.00
  - button "Try once more"
  - link "Back to your order":
    - /url: /orders/basket-7`,
    ],
    [
      'problem',
      'We are looking into your payment - Jug & Bowl',
      `- main:
  - paragraph: Jug & Bowl
  - heading "We are looking into your payment" [level=1]
  - status: Please do not pay again. We check it, and write to you.
  - term: Amount
  - definition: €1,249.00
  - term: Reference
  - definition: basket-7
  - paragraph:
    - text: Questions?
    - link "help@shop.example":
      - /url: mailto:help@shop.example
  - link "Back to your order":
    - /url: /orders/basket-7`,
    ],
  ] as const)('%s says by its title and its roles what happened', async (sample, title, roles) => {
    const { page, problems } = await open(sample)
    expect(await page.title()).toBe(title)
    expect(await page.locator('body').ariaSnapshot()).toBe(roles)
    expect(problems).toEqual([])
  })

  const windows = (['light', 'dark'] as const).flatMap(colorScheme =>
    [320, 390, 1280].map(width => ({ colorScheme, width })),
  )

  it.each(names)('%s has nothing for axe-core to find', async sample => {
    const { page } = await open(sample)
    await expectAccessible(page, `till-${sample}`)
  })

  it.each(names)('%s can be read and used in every scheme and width', async sample => {
    for (const window of windows) {
      const { page } = await open(sample, shop, window)
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true })
        await page.screenshot({ path: join(pictures, `till-${sample}-${window.colorScheme}-${window.width}.png`) })
      }
      expect([window, await hardToRead(page)]).toEqual([window, []])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect([window, await badlyFocused(page)]).toEqual([window, []])
    }
  })

  it.each([
    ['pale', { light: '#ffe14d', dark: '#fff3b0' }],
    ['strong', { light: '#8a0038', dark: '#3b0018' }],
    ['in between', { light: '#777777', dark: '#757575' }],
  ])('has buttons that can be read in a %s colour of the merchant', async (_, accent) => {
    for (const window of windows) {
      const { page } = await open('declined', { ...shop, accent }, window)
      expect(await page.evaluate('getComputedStyle(document.querySelector("button")).backgroundColor')).toBe(
        rgbOf(accent[window.colorScheme]),
      )
      expect([window, await hardToRead(page)]).toEqual([window, []])
      expect([window, await badlyFocused(page)]).toEqual([window, []])
    }
  })

  it('is laid out from right to left in a language that is written so', async () => {
    const { page } = await open('problem', { ...shop, language: 'ar', texts: { problemTitle: 'ننظر في دفعتك' } })
    expect(await page.locator('html').evaluate(element => [element.lang, element.dir])).toEqual(['ar', 'rtl'])
    const [term, definition] = await Promise.all([
      page.locator('dt').first().boundingBox(),
      page.locator('dd').first().boundingBox(),
    ])
    expect(term?.x).toBeGreaterThan(definition?.x ?? Number.POSITIVE_INFINITY)
  })

  it('does not grow wider than a phone by names without a space', async () => {
    const { page } = await open('problem', { shopName: 'W'.repeat(200), contact: 'c'.repeat(200) }, { width: 320 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })

  it('runs nothing of hostile names', async () => {
    const hostile = '</title><script>document.title="owned"</script><img src=x onerror=alert(1)>"\'&'
    const texts = Object.fromEntries(['problemTitle', 'problem', 'back', 'amount'].map(name => [name, hostile]))
    const { page } = await open('problem', { shopName: hostile, contact: hostile, texts })
    expect(await page.title()).toBe(`${hostile} - ${hostile}`)
    expect(await page.getByRole('heading').textContent()).toBe(hostile)
    expect(await page.locator('script, img').count()).toBe(0)
  })
})

const rgbOf = (colour: string): string =>
  `rgb(${[1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16)).join(', ')})`

/** Texts whose contrast is less than 4.5 to 1, and shapes with less than 3 to 1. @see WCAG 2.2, 1.4.3 and 1.4.11 */
const hardToRead = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const channels = colour => colour.match(/[\\d.]+/g).map(Number)
    const luminance = colour => {
      const [red, green, blue] = channels(colour).map(each => each / 255).map(each => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const contrast = (one, other) => {
      const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
      return (light + 0.05) / (dark + 0.05)
    }
    const behind = element => {
      const { backgroundColor } = getComputedStyle(element)
      return channels(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor
    }
    const isText = node => node.nodeType === 3 && node.textContent.trim() !== ''
    const texts = [...document.querySelectorAll('main *')].filter(each => [...each.childNodes].some(isText))
    const shapes = [...document.querySelectorAll('main svg')]
    const measured = [...texts.map(each => [each, 4.5]), ...shapes.map(each => [each, 3])]
    return measured.flatMap(([element, least]) => {
      const ratio = contrast(getComputedStyle(element).color, behind(element))
      return ratio < least ? [element.tagName + ' ' + element.textContent + ' ' + ratio.toFixed(2)] : []
    })
  })()`)

/** Links and buttons that Tab reaches without an outline, or does not reach, or that are less than 24 pixels high. */
async function badlyFocused(page: Page): Promise<readonly string[]> {
  const count = await page.locator('main a, main button').count()
  const bad: string[] = []
  const reached = new Set<string>()
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.press('Tab')
    const [text, outline, height] = await page.evaluate<[string, string, number]>(`(() => {
      const { activeElement: element } = document
      return [element.textContent, getComputedStyle(element).outlineStyle, element.getBoundingClientRect().height]
    })()`)
    reached.add(text)
    if (outline !== 'solid' || height < 24) bad.push(`${text}: ${outline}, ${height} pixels`)
  }
  return reached.size === count ? bad : [...bad, `only ${[...reached].join(', ')} reached`]
}
