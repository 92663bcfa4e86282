import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, start } from '../src/start.js'

// One shop for all: each test looks at orders of its own.
let running: Running
beforeAll(async () => {
  running = await start({ processingTime: 0 })
})
afterAll(() => running.close())

const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

const post = (address: string | URL, fields: Record<string, string>, more: Record<string, string> = {}) =>
  fetch(address, { method: 'POST', redirect: 'manual', headers: { ...headers, ...more }, body: form(fields) })

/** Chooses a cup of 18.00 EUR, as the shelf's button does. */
async function buy() {
  const answer = await post(new URL('/orders', running.shop), { product: 'morning-cup', kind: 'sale' })
  const clientOrderId = (await running.orders.latest(1))[0]?.id ?? ''
  const { orderId = '' } = (await running.till.payment(clientOrderId)).orders[0] ?? {}
  return { hostedPage: answer.headers.get('location') ?? '', clientOrderId, orderId }
}

/** Pays on the gateway's page. Gives back the address that takes the customer to the shop. */
async function pay(hostedPage: string) {
  const card = { credit_card_number: '4444444444444448', card_printed_name: 'ADA', cvv2: '123' }
  const answer = await post(hostedPage, { ...card, expire_month: '12', expire_year: '2099' })
  await running.gateway.callbacks.idle()
  return /action="([^"]+)"/.exec(await answer.text())?.[1] ?? ''
}

const orderIds = async () => (await running.orders.latest(1_000)).map(({ id }) => id)

/** How often the gateway was sent an operation for an order of the shop. */
const sent = (operation: 'sale' | 'saleForm' | 'return', clientOrderId: string) =>
  running.gateway
    .calls(operation)
    .filter(({ fields }) => fields.some(([name, value]) => name === 'client_orderid' && value === clientOrderId)).length

const orderOf = (clientOrderId: string) => running.orders.find(clientOrderId)

const pageOf = async (path: string) => (await fetch(new URL(path, running.shop))).text()

const labelOf = async (clientOrderId: string) =>
  /role="status">([^<]+)</.exec(await pageOf(`/orders/${clientOrderId}`))?.[1]

/** The address of a callback with the control value that section 8 of the public documents describes. */
function callback({ clientOrderId, orderId }: { clientOrderId: string; orderId: string }, more = {}) {
  const { controlKey } = running.gateway.clientOptions
  const control = createHash('sha1').update(`approved${orderId}${clientOrderId}${controlKey}`).digest('hex')
  const query = form({ status: 'approved', orderid: orderId, merchant_order: clientOrderId, control, ...more })
  return new URL(`/payments/callback?${query}`, running.shop)
}

/** Lets the gateway's status say something else about one order. */
function statusSays(order: { clientOrderId: string; orderId: string }, says: { status: string; amount: string }) {
  const reply = { type: 'status-response', currency: 'EUR', transactionType: 'sale', ...order, ...says }
  running.gateway.handle({ status: ({ clientOrderId }) => (clientOrderId === order.clientOrderId ? reply : undefined) })
}

describe('the page of an order', () => {
  it('says Paid once status has said approved', async () => {
    const order = await buy()
    expect(await labelOf(order.clientOrderId)).toBe('Checking')
    await fetch(await pay(order.hostedPage), { redirect: 'manual' })
    expect(await labelOf(order.clientOrderId)).toBe('Paid')
  })

  it('never says Paid when another amount was approved', async () => {
    const order = await buy()
    statusSays(order, { status: 'approved', amount: '1.80' })
    const back = await pay(order.hostedPage)
    for (const _ of [1, 2]) await fetch(back, { redirect: 'manual' })
    expect(await labelOf(order.clientOrderId)).toBe('To be looked at')
    expect((await orderOf(order.clientOrderId))?.parcel).toBe('stopped')
  })

  it('stops saying Paid when the gateway takes its word back', async () => {
    const order = await buy()
    const back = await pay(order.hostedPage)
    await fetch(back, { redirect: 'manual' })
    expect((await orderOf(order.clientOrderId))?.parcel).toBe('packed')
    statusSays(order, { status: 'declined', amount: '18.00' })
    await fetch(back, { redirect: 'manual' })
    expect(await labelOf(order.clientOrderId)).toBe('To be looked at')
    expect((await orderOf(order.clientOrderId))?.parcel).toBe('stopped')
  })
})

describe('a button that is pressed twice', () => {
  const press = (ticket: string) =>
    post(new URL('/orders', running.shop), { product: 'morning-cup', kind: 'sale', ticket })

  it('leads to one form of one order', async () => {
    const before = await orderIds()
    const answers = await Promise.all([press('t-1'), press('t-1'), press('t-1')])
    expect(new Set(answers.map(each => each.headers.get('location'))).size).toBe(1)
    const [id = '', ...others] = await orderIds()
    expect(others).toEqual(before)
    expect(sent('saleForm', id)).toBe(1)
    await press('t-2')
    expect(await orderIds()).toEqual([expect.any(String), id, ...before])
  })

  it('leads to the order once that is paid', async () => {
    const first = await press('t-3')
    await fetch(await pay(first.headers.get('location') ?? ''), { redirect: 'manual' })
    const [order] = await running.orders.latest(1)
    expect((await press('t-3')).headers.get('location')).toBe(new URL(`/orders/${order?.id}`, running.shop).href)
  })
})

describe('a sale whose answer is lost', () => {
  it('leads the customer to where it is asked about, and is not sent again', async () => {
    running.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    const card = { number: '4444444444444448', name: 'ADA', month: '12', year: '2099', cvv2: '111', ticket: 't-lost' }
    const before = await orderIds()
    const [first, second] = [
      await post(new URL('/pay-here/morning-cup', running.shop), card),
      await post(new URL('/pay-here/morning-cup', running.shop), card),
    ]
    const address = first.headers.get('location') ?? ''
    expect([first.status, second.status]).toEqual([303, 303])
    await running.gateway.callbacks.idle()
    const onward = await fetch(new URL(address, running.shop), { redirect: 'manual' })
    const [id = '', ...others] = await orderIds()
    expect(onward.headers.get('location')).toBe(`/orders/${id}`)
    expect(await labelOf(id)).toBe('Paid')
    expect(others).toEqual(before)
    expect(sent('sale', id)).toBe(1)
  })
})

describe('the policy of every page', () => {
  it('lets forms lead to the shop and to the gateway only', async () => {
    const answer = await fetch(running.shop)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toContain(`form-action 'self' ${running.gatewayBaseUrl.host}`)
  })
})

describe('a customer whose return fails', () => {
  it('is not told that nothing was paid', async () => {
    const back = await pay((await buy()).hostedPage)
    const page = await pageOf(back.replace(/[^/]+$/, '%ff'))
    expect(page).toContain('does not say whether something was paid')
    expect(page).not.toContain('nothing was paid')
  })
})

describe('a callback', () => {
  it('is asked for again while status cannot be asked', async () => {
    const order = await buy()
    running.gateway.handle({
      status: ({ clientOrderId }) => (clientOrderId === order.clientOrderId ? { hangUp: true } : undefined),
    })
    expect((await fetch(callback(order))).status).toBe(503)
    statusSays(order, { status: 'approved', amount: '18.00' })
    expect((await fetch(callback(order))).status).toBe(200)
    expect(await labelOf(order.clientOrderId)).toBe('Paid')
  })

  it('is refused in absolute form too, without a failure of our own', async () => {
    const answer = await new Promise<string>(resolve => {
      let received = ''
      const socket = connect(Number(running.shop.port), '127.0.0.1')
      socket.on('data', chunk => {
        received += chunk.toString()
      })
      socket.on('close', () => resolve(received))
      socket.write('GET http://x:99999/payments/callback?a=b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    })
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 403 Forbidden')
  })
})

describe('the buttons', () => {
  /** An order that is paid, and what its return button posts to. */
  async function paidOrder() {
    const { clientOrderId, hostedPage } = await buy()
    await fetch(await pay(hostedPage), { redirect: 'manual' })
    const page = await pageOf(`/merchant/orders/${clientOrderId}`)
    const click = /name="click" value="([^"]+)"/.exec(page)?.[1] ?? ''
    return { clientOrderId, click, address: new URL(`/merchant/orders/${clientOrderId}/return`, running.shop) }
  }

  it('send one change for eight clicks at once', async () => {
    const { clientOrderId, address, click } = await paidOrder()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(address, { amount: '2.50', click })))
    expect(answers.every(({ status }) => status === 303)).toBe(true)
    expect(sent('return', clientOrderId)).toBe(1)
  })

  it('send one change for a second click that comes when the first has had its outcome', async () => {
    const { clientOrderId, address, click } = await paidOrder()
    expect((await post(address, { amount: '2.50', click })).status).toBe(303)
    await running.gateway.callbacks.idle()
    expect(await labelOf(clientOrderId)).toBe('Partly returned')
    const second = await post(address, { amount: '2.50', click })
    expect(second.status).toBe(303)
    // It is said to the merchant, once, and not to the customer.
    expect(await pageOf(`/orders/${clientOrderId}`)).not.toContain('was sent before')
    expect(await pageOf(`/merchant/orders/${clientOrderId}`)).toContain('was sent before')
    expect(await pageOf(`/merchant/orders/${clientOrderId}`)).not.toContain('was sent before')
    expect(sent('return', clientOrderId)).toBe(1)
  })

  it('say what is wrong with an amount on the page of the order, and send nothing', async () => {
    const { clientOrderId, address, click } = await paidOrder()
    for (const [amount, notice] of [
      ['999', 'at most 18.00 is left'],
      ['0.00', 'is not an amount'],
      ['1e1', 'is not an amount'],
      ['-1', 'is not an amount'],
      ['0.001', 'is not an amount'],
    ] as const) {
      expect((await post(address, { amount, click })).status).toBe(303)
      expect(await pageOf(`/merchant/orders/${clientOrderId}`)).toContain(notice)
    }
    expect(sent('return', clientOrderId)).toBe(0)
  })
})
