import { describe, expect, it } from 'vitest'
import { openDashboard } from './open-dashboard.js'

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
})
