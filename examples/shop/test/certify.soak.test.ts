import type { FakeGateway } from '@tillkit/testing'
import { certify, describeCertification, type MerchantUnderTest, type PaidAnswer } from 'tillkit'
import { expect, it } from 'vitest'
import { start } from '../src/start.js'

/** What the label of an order's page says, in the words of certify. Whatever else it says is not known yet. */
const words: Readonly<Record<string, PaidAnswer>> = {
  Paid: 'paid',
  Returned: 'not-paid',
  'Charged back': 'not-paid',
  Declined: 'not-paid',
  Refused: 'not-paid',
  'Not sent': 'not-paid',
  'To be looked at': 'needs-person',
}

/** The shop as its customers meet it: over HTTP, by its forms and its pages. */
async function openShop(gateway: FakeGateway): Promise<MerchantUnderTest> {
  const { shop, orders, close } = await start({ gateway })
  return {
    async startPayment() {
      const answer = await fetch(new URL('/orders', shop), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'product=morning-cup&kind=sale',
      })
      const order = orders.latest(1)[0]?.clientOrderId ?? ''
      const redirectUrl = answer.headers.get('location') ?? ''
      // Back on a page of the shop: there is no page to pay on, and the customer is told to choose again.
      if (!redirectUrl.startsWith('http'))
        throw new Error(`The shop answered ${answer.status} and led to ${redirectUrl}.`)
      return { order, redirectUrl }
    },
    async isPaid(order) {
      const page = await (await fetch(new URL(`/orders/${order}`, shop))).text()
      return words[/role="status">([^<]+)</.exec(page)?.[1] ?? ''] ?? 'open'
    },
    close,
  }
}

it('passes every case of certify, over HTTP, its customers paying on the hosted page', async () => {
  const report = await certify(openShop)
  expect(report.passed, describeCertification(report)).toBe(true)
  expect(report.cases.length).toBeGreaterThan(40)
}, 120_000)
