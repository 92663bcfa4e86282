import { describe, expect, it } from 'vitest'
import { openDashboard } from './open-dashboard.js'

const baseString =
  'POST&http%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F39&amount%3D10.00%26oauth_consumer_key%3Dmerchant%26' +
  'oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1669966913%26oauth_version%3D1.0%26' +
  'order_desc%3DBread%2Bfor%2Btea'

describe('the dashboard, in Chromium', () => {
  const { open, part, sale } = openDashboard()

  it('shows orders, requests and callbacks as they come, without being reloaded', async () => {
    const { page, overview } = open
    await page.goto(overview)
    await part('orders').getByText('No orders yet.').waitFor()
    await sale('live-1')
    await part('orders').getByRole('link', { name: 'live-1' }).waitFor()
    await part('orders').getByText('processing').waitFor()
    await part('requests').getByRole('link', { name: '1 sale' }).waitFor()
    await page.getByRole('button', { name: 'Advance the clock by 1 minute' }).click()
    await page.getByRole('status').getByText('The clock was moved forward').waitFor()
    await part('orders').getByText('approved').waitFor()
    await part('callbacks').getByText('HTTP 200').waitFor()
  })

  it('tells the story of an order as it goes on, to be walked through by keyboard alone', async () => {
    const { page, gateway, overview } = open
    const { reply } = await sale('o-1')
    await page.goto(`${overview}orders/${reply['paynet-order-id']}`)
    const story = part('events').getByRole('listitem')
    await story.getByText('1 sale').waitFor()
    await gateway.clock.advance(60_000)
    await story.filter({ hasText: 'Callback sale approved' }).waitFor()
    await part('totals').getByText('taken').waitFor()
    await page.keyboard.press('j')
    expect(await page.locator(':focus').innerText()).toBe('1 sale')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Request 1: sale' }).waitFor()
  })

  it('explains a signature: is reached, filled in and read by keyboard, and copies what it shows', async () => {
    const { page, overview } = open
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(overview).origin })
    await page.goto(overview)
    await page.getByRole('link', { name: 'Explain a signature' }).press('Enter')
    const text = page.getByLabel('A curl command, a base string or a control value')
    await text.focus()
    await page.keyboard.insertText(baseString)
    await page.getByRole('button', { name: 'Explain' }).press('Enter')
    await page.getByText('What to do:').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(await page.getByRole('row', { name: 'differs order_desc' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Copy: What is covered when it is right' }).press('Enter')
    await page.getByText('Copied').waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain('order_desc%3DBread%2520for%2520tea')
  })

  it('explains a signature on a page that is dark where the system is', async () => {
    const { page, overview } = open
    const brightness = (property: string) =>
      page.evaluate<number>(
        `getComputedStyle(document.body)['${property}'].match(/\\d+/g).slice(0, 3).reduce((sum, each) => sum + Number(each), 0)`,
      )
    await page.goto(`${overview}explain`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const isDark = (await brightness('backgroundColor')) < (await brightness('color'))
      expect(isDark).toBe(colorScheme === 'dark')
    }
  })

  it('explains a signature without scripts', async () => {
    const context = await open.browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    context.setDefaultTimeout(600_000)
    const page = await context.newPage()
    await page.goto(`${open.overview}explain`)
    await page.locator('#text').fill(baseString)
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('What to do:').waitFor()
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0)
    const region = page.getByRole('region', { name: 'What is covered when it is right' })
    expect(await region.textContent()).toContain('order_desc%3DBread%2520for%2520tea')
    expect(await page.getByRole('table').getByRole('row').count()).toBeGreaterThan(8)
    await context.close()
  })
})
