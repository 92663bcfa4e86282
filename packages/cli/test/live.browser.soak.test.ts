import { beforeEach, describe, expect, it } from 'vitest'
import { openDashboard } from './open-dashboard.js'

const patiently = { timeout: 20_000 }

describe('what arrives while somebody reads, in Chromium', () => {
  const { open, part, sale } = openDashboard()
  let { browser, gateway, page, overview } = open
  beforeEach(() => {
    ;({ browser, gateway, page, overview } = open)
  })

  const orders = () => part('orders').locator('tbody th').allInnerTexts()
  const waiting = () => page.getByRole('button', { name: /^\d+\+? new/ })

  it('waits behind a button where the page is scrolled down, and comes in at the top at a press', async () => {
    for (let index = 1; index <= 30; index += 1) await sale(`o-${index}`)
    await page.goto(`${overview}orders`)
    await page.mouse.wheel(0, 300)
    const position = () => page.evaluate('[scrollY, document.querySelector("[data-key]").getBoundingClientRect().top]')
    await expect.poll(() => page.evaluate('scrollY'), patiently).toBe(300)
    const before = await position()
    for (let index = 31; index <= 33; index += 1) await sale(`o-${index}`)
    await page.getByRole('button', { name: '3 new', exact: true }).waitFor()
    await page.getByRole('status').getByText('New rows wait.').waitFor()
    expect(await page.locator('tbody th').first().innerText()).toBe('o-30')
    expect(await position()).toEqual(before)
    await waiting().click()
    await page.getByRole('link', { name: 'o-33' }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    expect(await waiting().count()).toBe(0)
    await sale('o-34')
    await page.getByRole('link', { name: 'o-34' }).waitFor()
  })

  it('waits while a row has the focus; that row is brought up to date, and n puts in the others', async () => {
    await sale('o-1')
    await page.goto(overview)
    await page.keyboard.press('j')
    await sale('o-2')
    await waiting().waitFor()
    await gateway.clock.advance(60_000)
    await part('orders').getByText('approved').waitFor()
    expect(await orders()).toEqual(['o-1'])
    expect(await page.locator(':focus').innerText()).toBe('o-1')
    await page.keyboard.press('n')
    await expect.poll(orders, patiently).toEqual(['o-2', 'o-1'])
    expect(await page.locator(':focus').innerText()).toBe('Orders')
    await sale('o-3')
    await expect.poll(orders, patiently).toEqual(['o-3', 'o-2', 'o-1'])
    await page.keyboard.press('j')
    expect(await page.locator(':focus').innerText()).toBe('o-3')
  })

  it('leaves who reads the second list there when n puts in the rows', async () => {
    for (let index = 1; index <= 16; index += 1) await sale(`o-${index}`)
    await page.goto(overview)
    await part('requests').scrollIntoViewIfNeeded()
    await page.evaluate('document.getElementById("requests-heading").scrollIntoView()')
    await sale('o-17')
    await waiting().waitFor()
    await page.keyboard.press('n')
    await part('requests').getByRole('link', { name: '17 sale' }).waitFor()
    await expect.poll(() => page.locator(':focus').innerText(), patiently).toBe('Requests')
    // The header stays at the top of the window, and the heading is right below it.
    const tops = await page.evaluate(
      '[document.querySelector("header").getBoundingClientRect().bottom, document.activeElement.getBoundingClientRect().top]',
    )
    const [header = 0, heading = 0] = tops as number[]
    expect(heading).toBeGreaterThan(header)
    expect(heading).toBeLessThan(header + 60)
    await page.keyboard.press('j')
    expect(await page.locator(':focus').innerText()).toBe('17 sale')
  })

  it('keeps state, Pause and the button of new rows in sight where the page is scrolled down, at any width', async () => {
    for (let index = 1; index <= 16; index += 1) await sale(`o-${index}`)
    for (const width of [390, 700, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(overview)
      await page.mouse.wheel(0, 400)
      await expect.poll(() => page.evaluate('scrollY'), patiently).toBe(400)
      await sale(`w-${width}`)
      await waiting().waitFor()
      const header = await page.locator('header').boundingBox()
      const button = await waiting().boundingBox()
      expect(header?.y).toBe(0)
      expect(button?.y).toBeGreaterThan(header?.height ?? 0)
      // Playwright presses what is in sight and covered by nothing.
      await page.locator('#pause').click({ trial: true })
    }
  })

  it('leaves columns where they are when a long id arrives', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await sale('o-1')
    await gateway.clock.advance(60_000)
    await page.goto(overview)
    const columns = () =>
      page.evaluate('[...document.querySelectorAll("thead th")].map(each => each.getBoundingClientRect().left)')
    const before = await columns()
    const long = 'a-long-order-id-of-a-shop-that-writes-much-'.repeat(2)
    await sale(long, { amount: '1234567.00' })
    await part('orders').getByRole('link', { name: long }).waitFor()
    expect(await columns()).toEqual(before)
    await gateway.clock.advance(59 * 60_000)
    await part('orders').getByText('1 h ago').waitFor()
    expect(await columns()).toEqual(before)
  })

  it('is reached by keyboard alone: the button is the first thing after "To the content", and Enter presses it', async () => {
    await sale('o-1')
    await page.goto(overview)
    await page.evaluate('getSelection().selectAllChildren(document.querySelector("h1"))')
    await sale('o-2')
    await waiting().waitFor()
    await page.locator('.skip').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').innerText()).toBe(await waiting().innerText())
    await page.keyboard.press('Enter')
    await expect.poll(orders, patiently).toEqual(['o-2', 'o-1'])
  })

  it('waits while a text is selected, and leaves the selection alone', async () => {
    await sale('o-1')
    await page.goto(overview)
    await page.evaluate('getSelection().selectAllChildren(document.querySelector("tbody th"))')
    await sale('o-2')
    await waiting().waitFor()
    expect(await waiting().innerText()).toBe('2 new: 1 order, 1 request')
    expect(await page.evaluate('String(getSelection())')).toBe('o-1')
    await page.evaluate('getSelection().removeAllRanges()')
    await sale('o-3')
    await expect.poll(orders, patiently).toEqual(['o-3', 'o-2', 'o-1'])
  })

  it('stays away while paused and is counted, and is there after a press on resume', async () => {
    await sale('o-1')
    await page.goto(overview)
    const button = page.locator('#pause')
    expect(await button.innerText()).toBe('Pause')
    await button.click()
    await page.getByRole('status').getByText('Paused').waitFor()
    expect(await button.innerText()).toBe('Resume')
    await sale('o-2')
    await expect.poll(() => button.innerText(), patiently).toBe('Resume, 2 new')
    await gateway.clock.advance(60_000)
    await sale('o-3')
    await expect.poll(() => button.innerText(), patiently).toMatch(/^Resume, [4-9]\+? new$/)
    expect(await orders()).toEqual(['o-1'])
    expect(await part('orders').getByText('approved').count()).toBe(0)
    await button.click()
    await expect.poll(orders, patiently).toEqual(['o-3', 'o-2', 'o-1'])
    expect(await button.innerText()).toBe('Pause')
  })

  it('is paused and resumed by the key p', async () => {
    await page.goto(overview)
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('pause, and resume').waitFor()
  })

  it('is told to many tabs over one connection, and to the next tab when the one that listens is closed', async () => {
    // A browser opens six connections to a server; with one for each tab, the seventh page would never load.
    const context = page.context()
    const tabs = await Promise.all(Array.from({ length: 8 }, () => context.newPage()))
    for (const tab of tabs) await tab.goto(overview)
    await sale('o-1')
    for (const tab of tabs) await tab.locator('#orders').getByRole('link', { name: 'o-1' }).waitFor()
    await tabs[0]?.close()
    await sale('o-2')
    for (const tab of tabs.slice(1)) await tab.locator('#orders').getByRole('link', { name: 'o-2' }).waitFor()
  })

  it('is asked for where server-sent events do not come through', async () => {
    await page.route('**/events', route => route.abort())
    await page.goto(overview)
    await sale('o-1')
    await part('orders').getByRole('link', { name: 'o-1' }).waitFor()
  })

  it('says how long ago things happened, on the clock of the gateway, and the moment itself on hover', async () => {
    await sale('o-1')
    const at = gateway.calls()[0]?.at ?? 0
    await page.goto(overview)
    const time = part('requests').locator('time')
    await expect.poll(() => time.innerText(), patiently).toMatch(/^\d+ s ago$/)
    await gateway.clock.advance(3_600_000)
    await expect.poll(() => time.innerText(), patiently).toBe('1 h ago')
    const moment = new Date(at).toISOString()
    expect([await time.getAttribute('datetime'), await time.getAttribute('title')]).toEqual([
      moment,
      `${moment.slice(0, 19).replace('T', ' ')} UTC`,
    ])
  })

  it('has its times without scripts, as moments', async () => {
    await sale('o-1')
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(overview)
    expect(await plain.locator('#orders time').innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    await context.close()
  })
})
