/**
 * Takes the pictures of the test gateway: its dashboard, and its pages for customers.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { threeDSecureStep } from '@tillkit/protocol'
import type { Browser, Page } from 'playwright-core'
import type { Running } from '../src/start.js'
import { card, customer } from '../src/tour/fixtures.js'
import { pictures, takePicture, takeWholePicture } from './take-picture.js'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }

/** Takes them. Something has been sold before. */
export async function takeGatewayPictures(browser: Browser, running: Running): Promise<void> {
  const { gateway, gatewayBaseUrl } = running
  const { client } = running.till
  const dashboard = new URL('/__gateway/', gatewayBaseUrl).href
  const file = (name: string): string => join(pictures, `gateway-${name}.png`)
  const open = async (address: string, viewport = desktop): Promise<Page> => {
    const page = await (await browser.newContext({ viewport })).newPage()
    await page.goto(address)
    return page
  }

  const { redirectUrl: form } = await client.payoutForm({
    clientOrderId: running.newId(),
    amount: '25.00',
    currency: 'EUR',
    orderDesc: 'Refund of a cracked teapot',
    redirectUrl: running.shop.href,
    ...customer,
  })
  await takePicture(await open(form, phone), file('payout-phone'))
  await takePicture(await bankPage(await open(dashboard, phone), running), file('bank-phone'))

  gateway.faults.arm({ fault: 'commit-then-drop', operation: 'capture' })
  gateway.faults.arm({ fault: 'callback-late', probability: 0.2 })
  await mistakenRequest(running)
  const page = await open(dashboard)
  await page
    .getByRole('link', { name: /^T\d+$/ })
    .first()
    .waitFor()
  await takePicture(page, file('dashboard-desktop'))
  await takePicture(await open(dashboard, phone), file('dashboard-phone'))
  for (const name of ['orders', 'requests', 'explain'])
    await takePicture(await open(`${dashboard}${name}`), file(`${name}-desktop`))
  await page.getByRole('row', { name: 'refused' }).getByRole('link').first().click()
  await takePicture(page, file('request-desktop'))
  await page.goto(dashboard)
  await page
    .getByRole('row', { name: /reversal/ })
    .getByRole('link')
    .first()
    .click()
  await page
    .locator('details')
    .first()
    .evaluate(details => details.setAttribute('open', ''))
  await takeWholePicture(page, file('order-desktop'))
}

/** A customer in front of the bank's challenge. */
async function bankPage(page: Page, { till: { client }, newId, shop }: Running): Promise<Page> {
  const clientOrderId = newId()
  const sold = await client.sale({
    ...card,
    ...customer,
    cvv2: '321',
    clientOrderId,
    amount: '40.00',
    currency: 'EUR',
    orderDesc: 'Teapot',
    redirectUrl: shop.href,
  })
  const ids = { clientOrderId, orderId: sold.orderId ?? '' }
  await client.uploadMethodUrlResult({ ...ids, threeDSCompInd: 'U' })
  const step = threeDSecureStep(await client.status(ids))
  if (step?.kind !== 'challenge') throw new Error('The order waits for no challenge.')
  await page.setContent(
    `<form method="post" action="${step.acsUrl}"><input name="creq" value="${step.creq}"><button>Go on</button></form>`,
  )
  await page.getByRole('button').click()
  return page
}

/** Somebody signs an amount as it is sent, and not in minor units, which our own signer refuses. */
async function mistakenRequest({ gateway, gatewayBaseUrl, newId }: Running): Promise<void> {
  const { controlKey, endpointId } = gateway.clientOptions
  const [clientOrderId, amount, email] = [newId(), '18.00', 'joan@customer.example']
  const form = new URLSearchParams({
    client_orderid: clientOrderId,
    amount,
    currency: 'EUR',
    email,
    control: createHash('sha1').update(`${endpointId}${clientOrderId}${amount}${email}${controlKey}`).digest('hex'),
  })
  await fetch(`${gatewayBaseUrl.href}/api/v2/sale/${endpointId}`, {
    method: 'POST',
    headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
}
