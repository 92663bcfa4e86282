/** The shop's own card form and 3DS, without a browser; card.browser.soak.test.ts walks the same ways in Chromium. */
import { payAsCustomer, threeDSecure1Card, threeDSecurePassword } from '@tillkit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, start } from '../src/start.js'

describe('a card typed in the shop', () => {
  let running: Running
  beforeAll(async () => {
    running = await start({ processingTime: 0 })
  })
  afterAll(() => running.close())

  let tickets = 0
  /** Sends the card form, and answers what the bank asks. @returns The page where that ends. */
  async function payHere(typed: { number: string; cvv2: string; ticket?: string }, password = threeDSecurePassword) {
    tickets += 1
    const body = new URLSearchParams({ name: 'ADA', month: '12', year: '2099', ticket: `t-${tickets}`, ...typed })
    const sent = await fetch(new URL('/pay-here/rice-bowl', running.shop), { method: 'POST', redirect: 'manual', body })
    const page = await payAsCustomer(sent, { gateway: running.gateway, password })
    return { ...page, label: labelOf(page.html) }
  }

  const labelOf = (html: string) => /role="status">([^<]+)</.exec(html)?.[1]
  const pageOf = async (path: string) => (await fetch(new URL(path, running.shop))).text()

  it.each([
    ['3DS 2', 'uploadCresResult', '4444444444444448', '321'],
    ['3DS 1.0.2', 'uploadParesResult', threeDSecure1Card, '123'],
  ] as const)(
    '%s: the bank asks, and the customer comes back to an order that is paid',
    async (_version, answered, number, cvv2) => {
      const before = running.gateway.calls(answered).length
      const page = await payHere({ number, cvv2 })
      expect([page.url.origin, page.label]).toEqual([running.shop.origin, 'Paid'])
      expect(page.url.pathname).toMatch(/^\/orders\/T\d+$/)
      expect(page.html).not.toContain(number)
      expect(running.gateway.calls(answered)).toHaveLength(before + 1)
    },
  )

  it('3DS fails: another card is typed for the same order, and only that one is charged', async () => {
    const declined = await payHere({ number: '4444444444444448', cvv2: '321' }, 'guess')
    expect(declined.html).toContain('The payment was declined')
    const path = /href="(\/orders\/T\d+)"/.exec(declined.html)?.[1] ?? ''
    const order = await pageOf(path)
    expect(labelOf(order)).toBe('Declined')
    const form = await pageOf(/href="(\/pay-here\/rice-bowl\?after=\w+)"/.exec(order)?.[1] ?? '')
    const ticket = /name="ticket" value="([^"]+)"/.exec(form)?.[1] ?? ''
    const paid = await payHere({ number: '4444444444444448', cvv2: '111', ticket })
    expect([paid.url.pathname, paid.label]).toEqual([path, 'Paid'])
    const id = path.slice('/orders/'.length)
    const own = running.gateway.orders.list().filter(({ clientOrderId }) => clientOrderId.startsWith(id))
    expect(own.map(({ clientOrderId, stages }) => `${clientOrderId} ${stages[0]?.status}`)).toEqual([
      `${id} declined`,
      `${id}.2r approved`,
    ])
  })
})
