import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../../packages/testing/test/browser.js'
import { type Running, start } from '../src/start.js'
import { openPage } from './open-page.js'
import { typeCard } from './type-card.js'

/** Chromium is told that this name has the address of this machine, as a name server of the site could. */
const rebound = 'evil.example'

describe('a page of another site, in Chromium', () => {
  let running: Running
  let browser: Browser
  let page: Page
  let site: Server
  let form = ''

  beforeAll(async () => {
    running = await start({ processingTime: 0 })
    browser = await launch([`--host-resolver-rules=MAP ${rebound} 127.0.0.1`])
    page = await openPage(browser)
    site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>A prize</title>${form}`)
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
  })

  afterAll(async () => {
    await browser?.close()
    site?.close()
    await running?.close()
  })

  /** Opens the page that posts `fields` to the shop when its button is pressed. @returns The shop's answer. */
  async function press(path: string, fields: Readonly<Record<string, string>>, referrerPolicy: string) {
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    )
    const action = new URL(path, running.shop).href
    form = `<meta name="referrer" content="${referrerPolicy}"><form method="post" action="${action}">${inputs.join('')}<button>Claim</button></form>`
    const { port } = site.address() as AddressInfo
    await page.goto(`http://localhost:${port}/`)
    const answered = page.waitForResponse(action)
    await page.getByRole('button', { name: 'Claim' }).click()
    return answered
  }

  async function paidOrder(): Promise<string> {
    await page.goto(running.shop.href)
    const posted = page.waitForRequest(request => request.method() === 'POST')
    await page.getByRole('button', { name: 'Buy Bud vase' }).click()
    expect((await (await posted).allHeaders()).origin).toBe(running.shop.origin)
    await typeCard(page, '123')
    await page.getByRole('status').getByText('Paid').waitFor()
    return new URL(page.url()).pathname
  }

  it.each(['origin', 'no-referrer'])('cannot press a button of an order (referrer policy %s)', async policy => {
    const order = await paidOrder()
    const answer = await press(`${order}/return`, { click: 'k-1', amount: '' }, policy)
    expect(answer.status()).toBe(403)
    await page.getByRole('heading', { name: 'Sent from another site' }).waitFor()
    expect(running.gateway.calls('return')).toEqual([])
    await page.getByRole('link', { name: 'Back to the shelf' }).click()
    await page.waitForURL(running.shop.href)
  })

  it('cannot pay on the card form', async () => {
    const card = { number: '4444444444444448', name: 'ADA', month: '12', year: '2099', cvv2: '111', ticket: 't' }
    expect((await press('/pay-here/teapot', card, 'origin')).status()).toBe(403)
    expect(running.gateway.calls('sale')).toEqual([])
  })

  it('reads nothing of the shop under a name of its own', async () => {
    const order = await paidOrder()
    const answer = await page.goto(`http://${rebound}:${running.shop.port}${order}`)
    expect(answer?.status()).toBe(403)
    expect(await page.getByRole('main').innerText()).not.toContain('Bud vase')
    await page.getByRole('link', { name: 'Back to the shelf' }).click()
    await page.getByRole('heading', { name: 'Made by hand, paid for safely' }).waitFor()
  })
})
