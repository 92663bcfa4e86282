/** Every page of the dashboard, and the hosted ones, looked at by axe-core: https://www.deque.com/axe/core-documentation/api-documentation/ */
import { describe, it } from 'vitest'
import { expectAccessible } from '../../testing/test/accessible.js'
import { call, customer, prepare, send } from '../../testing/test/signed-request.js'
import { openDashboard } from './open-dashboard.js'

describe('axe-core finds nothing on the pages of the gateway', () => {
  const { open, sale } = openDashboard()

  it('in any window, light and dark', async () => {
    const { browser, gateway, overview } = open
    gateway.faults.arm({ fault: 'callback-late', probability: 0.5 })
    gateway.outcomes.plan({ outcome: 'declined', operation: 'capture' })
    const { reply } = await sale('o-1')
    await sale('o-2', { cvv2: '101' })
    const prepared = await prepare(gateway, 'sale', { clientOrderId: 'o-3', amount: '10.00', currency: 'EUR' })
    await send(gateway, { ...prepared, parameters: [...prepared.parameters, ['amount', '11.00']] })
    await gateway.clock.advance(60_000)
    await gateway.callbacks.idle()

    const fields = { amount: '10.00', currency: 'EUR', ...customer, redirectUrl: 'http://127.0.0.1:9/return' }
    const forms = await Promise.all(
      (['saleForm', 'payoutForm'] as const).map(name => call(gateway, name, { clientOrderId: name, ...fields })),
    )
    const hosted = forms.map(form => new URL(form.reply['redirect-url'] ?? '').pathname)

    const page = await browser.newPage()
    for (const path of [
      '',
      'orders',
      'requests?q=o-1',
      `orders/${reply['paynet-order-id']}`,
      'calls/1',
      'calls/3',
      'explain',
      ...hosted,
    ]) {
      await page.goto(new URL(path, overview).href)
      await expectAccessible(page, `dashboard-${path.replaceAll(/\W/g, '-')}`)
    }
    await page.close()
  })
})
