import { setTimeout } from 'node:timers/promises'
import type { FakeGateway } from '@tillkit/testing'
import { orderPlace } from '@tillkit/till'
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
  'Not paid': 'not-paid',
  'To be looked at': 'needs-person',
}

/**
 * The short pauses of the till last 20 ms, since the clock of the cases goes by itself. The long ones are its time limits, which never
 * come, but for the one of an answer to a callback: the gateway may hold back status until it has that answer, while the till, which
 * asked, answers once it has heard status.
 */
const wait = (milliseconds: number, signal?: AbortSignal) =>
  setTimeout(pauseFor(milliseconds), undefined, { ref: false, signal }).catch(() => undefined)

const pauseFor = (milliseconds: number): number => {
  if (milliseconds < answerLimit) return 20
  return milliseconds === answerLimit ? 1_000 : 600_000
}

/** Default of `budget` of a till's callbacks, in milliseconds. */
const answerLimit = 4_500

/** The clock of the cases jumps over days: a handler that runs meanwhile is not taken for one that died. In milliseconds. */
const handlerTimeout = 24 * 86_400_000

/** The shop as its customers meet it: over HTTP, by its forms and its pages. */
async function openShop(gateway: FakeGateway): Promise<MerchantUnderTest> {
  // A question that was not answered is not repeated at once: the clock of the cases does not wait for that.
  const asked = {
    ...gateway,
    get clientOptions() {
      return { ...gateway.clientOptions, retries: 0 }
    },
  }
  const { shop, till, orders, close } = await start({ gateway: asked, till: { wait, handlerTimeout } })
  return {
    // A customer without a form presses the button again. It is the same order, and the same payment.
    async startPayment({ purchase }) {
      const answer = await fetch(new URL('/orders', shop), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `product=morning-cup&kind=sale&ticket=${purchase}`,
      })
      const order = (await orders.latest(1))[0]?.id ?? ''
      const address = new URL(answer.headers.get('location') ?? '', shop)
      if (address.origin !== new URL(shop).origin) return { order, redirectUrl: address.href }
      // The till's page, which waits for a form and then offers another try; or the page of the order, which says why nothing was sent.
      throw new Error(`The shop answered ${answer.status} and led to ${address.href}.`)
    },
    async isPaid(order) {
      // It goes by its own order ids. A later try is of the same order, and leads to the same page.
      if (orderPlace(order).reference !== order) throw new Error(`${order} is a later try of an order.`)
      const answer = await fetch(new URL(`/orders/${order}`, shop))
      if (!answer.ok) throw new Error(`The shop answered ${answer.status}.`)
      const page = await answer.text()
      return words[/role="status">([^<]+)</.exec(page)?.[1] ?? ''] ?? 'open'
    },
    // What is due is done before the clock moves on: how busy the machine is does not matter then.
    work: () => till.tick(),
    close,
  }
}

it('passes every case of certify, over HTTP, its customers paying on the hosted page', async () => {
  const report = await certify(openShop)
  expect(report.passed, describeCertification(report)).toBe(true)
  expect(report.cases.length).toBeGreaterThan(40)
})
