import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../../packages/testing/test/browser.js'
import { type Running, start } from '../src/start.js'
import { openPage } from './open-page.js'
import { buyCup, typeCard } from './type-card.js'

describe('the shop, in Chromium', () => {
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

  it('refuses a forged callback, and does nothing about it', async () => {
    await page.getByRole('link', { name: 'the merchant’s page' }).click()
    await page.waitForURL(/merchant/)
    const clientOrderId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    const forged = new URL('/payments/callback', running.shop)
    const claims = { status: 'declined', orderid: '1', merchant_order: clientOrderId, control: 'f'.repeat(40) }
    forged.search = new URLSearchParams(claims).toString()
    expect((await fetch(forged)).status).toBe(403)
    await page.reload()
    expect(await page.getByRole('status').innerText()).toBe('Paid')
  })

  it('gives a part back, then the rest, at the click of a button', async () => {
    await page.getByLabel('Amount to return').fill('5.00')
    await page.getByRole('button', { name: 'Return' }).click()
    await page.getByRole('status').getByText('Partly returned').waitFor()
    await page.getByRole('button', { name: 'Return' }).click()
    await page.getByRole('status').getByText('Returned', { exact: true }).waitFor()
    expect(await page.locator('dl.totals').innerText()).toMatch(/Returned\s+€18\.00/)
  })

  it('reserves, captures a part, and lets the rest go', async () => {
    await page.goto(running.shop.href)
    await page.getByRole('button', { name: 'Reserve Teapot' }).click()
    await typeCard(page, '123')
    await page.getByRole('status').getByText('Reserved').waitFor()
    await page.getByRole('link', { name: 'the merchant’s page' }).click()
    await page.getByLabel('Amount to capture').fill('80.00')
    await page.getByRole('button', { name: 'Capture' }).click()
    await page.getByRole('status').getByText('Partly captured').waitFor()
    expect(await page.locator('dl.totals').innerText()).toMatch(/Held\s+€6\.00[\s\S]*Captured\s+€80\.00/)
    await page.getByRole('button', { name: 'Void' }).click()
    await page.getByRole('status').getByText('Partly paid').waitFor()
    expect(await page.locator('dl.totals').innerText()).toMatch(/Held\s+€0\.00[\s\S]*Captured\s+€80\.00/)
  })

  it('reserves and voids', async () => {
    await page.goto(running.shop.href)
    await page.getByRole('button', { name: 'Reserve Bud vase' }).click()
    await typeCard(page, '123')
    await page.getByRole('status').getByText('Reserved').waitFor()
    await page.getByRole('link', { name: 'the merchant’s page' }).click()
    await page.getByRole('button', { name: 'Void' }).click()
    await page.getByRole('status').getByText('Released').waitFor()
  })

  it('says declined when the bank says no, and takes another card', async () => {
    await page.goto(running.shop.href)
    await page.getByRole('button', { name: 'Buy Supper plate' }).click()
    await typeCard(page, '116')
    await page.getByRole('heading', { name: 'The payment was declined' }).waitFor()
    await page.getByRole('link', { name: 'Back to your order' }).click()
    await page.getByRole('status').getByText('Declined').waitFor()
    expect(await page.getByRole('main').innerText()).toContain('No money moved')
    await page.getByRole('button', { name: 'Try another card' }).click()
    await typeCard(page, '123')
    await page.getByRole('status').getByText('Paid').waitFor()
  })

  it('refuses a return address that somebody edited', async () => {
    const response = await page.goto(new URL('/payments/return/not-our-state', running.shop).href)
    expect(response?.status()).toBe(403)
  })
})
