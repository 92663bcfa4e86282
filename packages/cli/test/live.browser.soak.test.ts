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
  const waiting = () => page.getByRole('button', { name: 'New rows', exact: true })

  it('waits behind a button where the page is scrolled down, and comes in at the top at a press', async () => {
    for (let index = 1; index <= 30; index += 1) await sale(`o-${index}`)
    await page.goto(`${overview}orders`)
    await page.mouse.wheel(0, 300)
    const position = () =>
      page.evaluate('[scrollY, document.querySelector("[data-rows] tbody tr").getBoundingClientRect().top]')
    await expect.poll(() => page.evaluate('scrollY'), patiently).toBe(300)
    const before = await position()
    for (let index = 31; index <= 33; index += 1) await sale(`o-${index}`)
    await waiting().waitFor()
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

  it('waits while a row has the focus, and n puts it in', async () => {
    await sale('o-1')
    await page.goto(overview)
    await page.keyboard.press('j')
    await sale('o-2')
    await waiting().waitFor()
    expect(await orders()).toEqual(['o-1'])
    expect(await page.locator(':focus').innerText()).toBe('o-1')
    await page.keyboard.press('n')
    await expect.poll(orders, patiently).toEqual(['o-2', 'o-1'])
    expect(await page.locator(':focus').innerText()).toBe('Overview')
    await sale('o-3')
    await expect.poll(orders, patiently).toEqual(['o-3', 'o-2', 'o-1'])
    await page.keyboard.press('j')
    expect(await page.locator(':focus').innerText()).toBe('o-3')
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
    expect(await page.evaluate('String(getSelection())')).toBe('o-1')
    await page.evaluate('getSelection().removeAllRanges()')
    await sale('o-3')
    await expect.poll(orders, patiently).toEqual(['o-3', 'o-2', 'o-1'])
  })

  it('stays away while paused, and is there after a press on resume', async () => {
    await sale('o-1')
    await page.goto(overview)
    const button = page.locator('#pause')
    expect(await button.innerText()).toBe('Pause')
    await button.click()
    await page.getByRole('status').getByText('Paused').waitFor()
    expect(await button.innerText()).toBe('Resume')
    await sale('o-2')
    const asked = page.waitForResponse(overview)
    await gateway.clock.advance(60_000)
    await sale('o-3')
    await asked
    await page.waitForResponse(overview)
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
