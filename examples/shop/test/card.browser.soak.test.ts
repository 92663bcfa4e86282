/** Paying in the shop with 3DS, in Chromium; card.test.ts has the same without a browser, for every day. */
import { threeDSecure1Card } from '@tillkit/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../../packages/testing/test/browser.js'
import { type Running, start } from '../src/start.js'
import { openPage } from './open-page.js'
import { typeCard } from './type-card.js'

describe('paying in the shop, in Chromium', () => {
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    running = await start({ processingTime: 0 })
    browser = await launch()
    page = await openPage(browser)
  })

  afterAll(async () => {
    await browser?.close()
    await running?.close()
  })

  async function confirm(code: string) {
    await page.getByLabel('Code from your bank').fill(code)
    await page.getByRole('button', { name: 'Confirm' }).click()
  }

  async function payHere(cvv2: string, card: string, code: string) {
    await page.goto(running.shop.href)
    await page.getByRole('link', { name: 'Pay here, by card: Rice bowl' }).click()
    await typeCard(page, cvv2, card)
    await confirm(code)
  }

  it.each([
    ['3DS 2', '4444 4444 4444 4448', '321'],
    ['3DS 1.0.2', threeDSecure1Card, '123'],
  ])('leads through %s to the order', async (_what, card, cvv2) => {
    await payHere(cvv2, card, 'hint')
    await page.getByRole('status').getByText('Paid').waitFor()
    expect(await page.content()).not.toContain(card.replaceAll(' ', ''))
  })

  it('leads from 3DS that fails to another card, typed here as well, and charges that one', async () => {
    await payHere('321', '4444 4444 4444 4448', 'guess')
    await page.getByRole('heading', { name: 'The payment was declined' }).waitFor()
    await page.getByRole('link', { name: 'Back to your order' }).click()
    await page.getByRole('status').getByText('Declined').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    await page.getByRole('link', { name: 'Pay here, by card' }).click()
    await typeCard(page, '111')
    await page.getByRole('status').getByText('Paid').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/orders/${id}`)
    const own = running.gateway.orders.list().filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}`))
    expect(own.map(({ clientOrderId, stages }) => `${clientOrderId} ${stages[0]?.status}`)).toEqual([
      `${id} declined`,
      `${id}.2r approved`,
    ])
  })
})
