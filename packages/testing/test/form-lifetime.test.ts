/**
 * Hosted forms that end. Neither the specification (section 3: "Transitions: not shown") nor a public document says what a gateway says
 * of a form that nobody filled in, so status goes on to say processing; what counts is that nobody can pay there any more.
 *
 * @module
 */
import { encodeForm } from '@tillkit/signing'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, type FakeGatewayOptions } from '../src/index.js'
import { call, customer } from './signed-request.js'

const typedCard = {
  credit_card_number: '4444444444444448',
  card_printed_name: 'ADA LOVELACE',
  expire_month: '12',
  expire_year: '2099',
  cvv2: '123',
}

const hour = 3_600_000

async function open(options: FakeGatewayOptions = {}) {
  const clock = createFakeClock({ base: () => Date.UTC(2030, 0, 1) })
  const gateway = createFakeGateway({ clock, ...options })
  const money = { clientOrderId: 'o-1', amount: '18.00', currency: 'EUR', ...customer }
  const { reply } = await call(gateway, 'saleForm', { ...money, redirectUrl: 'http://127.0.0.1:9/back' })
  const send = async (form?: Record<string, string>) => {
    const body = form === undefined ? {} : { method: 'POST' as const, body: encodeForm(Object.entries(form)) }
    const answer = await request(reply['redirect-url'] ?? '', { dispatcher: gateway.dispatcher, ...body })
    return { status: answer.statusCode, html: await answer.body.text() }
  }
  const books = () => gateway.orders.list().flatMap(({ stages }) => stages.map(each => `${each.stage} ${each.status}`))
  return { gateway, clock, send, books, orderId: reply['paynet-order-id'] ?? '' }
}

describe('a hosted form', () => {
  it('takes a card until its lifetime is over', async () => {
    const { clock, gateway, send, books } = await open({ formLifetime: hour })
    expect(gateway.orders.find('o-1')?.formEndsAt).toBe(clock.now() + hour)
    await clock.advance(hour - 1)
    expect((await send(typedCard)).html).toContain('Back to the shop')
    expect(books()).toEqual(['sale approved'])
    expect(gateway.orders.find('o-1')).not.toHaveProperty('formEndsAt')
  })

  it('says afterwards that the time is over, takes no card, no cancel and no password, and no money moves', async () => {
    const { clock, gateway, send, books } = await open({ formLifetime: hour })
    await send({ ...typedCard, cvv2: '321' })
    await clock.advance(hour)
    for (const form of [undefined, typedCard, { password: 'hint' }, { cancel: '1' }]) {
      const page = await send(form)
      expect(page.status).toBe(410)
      expect(page.html).toContain('The time to pay is over')
      expect(page.html).toContain('<a href="http://127.0.0.1:9/back">Back to the shop</a>')
    }
    expect(books()).toEqual(['sale processing'])
    expect((await call(gateway, 'status', { clientOrderId: 'o-1' })).reply.status).toBe('processing')
  })

  it('has no end of its own', async () => {
    const { clock, gateway, send, books } = await open()
    await clock.advance(365 * 24 * hour)
    expect(gateway.orders.find('o-1')).not.toHaveProperty('formEndsAt')
    await send(typedCard)
    expect(books()).toEqual(['sale approved'])
  })

  it('is ended by hand, once, while it waits for its customer', async () => {
    const { clock, gateway, send, books, orderId } = await open()
    expect(gateway.orders.find('o-1')?.actions).toEqual(['approve', 'decline', 'end-form'])
    expect(gateway.act({ action: 'end-form', orderId })).toMatchObject({ formEndsAt: clock.now() })
    expect((await send(typedCard)).status).toBe(410)
    expect(() => gateway.act({ action: 'end-form', orderId })).toThrow('has ended already')
    // What a gateway decides after all is its own: a bank that answers late.
    gateway.act({ action: 'approve', orderId })
    expect(books()).toEqual(['sale approved'])
    expect(() => gateway.act({ action: 'end-form', orderId })).toThrow('No hosted form of order')
  })
})
