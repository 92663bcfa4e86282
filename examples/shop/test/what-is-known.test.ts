import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeGateway, type FakeGateway, payAsCustomer } from '@tillkit/testing'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Running, start } from '../src/start.js'

let gateway: FakeGateway
let running: Running
beforeEach(async () => {
  gateway = createFakeGateway({ processingTime: 0 })
  running = await start({ gateway })
})
afterEach(async () => {
  await running.close()
  await gateway.close()
})

const post = (path: string, fields: Record<string, string>) =>
  fetch(new URL(path, running.shop), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

const card = { number: '4444 4444 4444 4448', name: 'ADA', month: '12', year: '2099', cvv2: '111' }
const payHere = (fields: Record<string, string> = {}) =>
  post('/pay-here/rice-bowl', { ...card, ticket: 't-1', ...fields })

const latestId = async () => (await running.orders.latest(1))[0]?.id ?? ''
const latest = async () => running.till.payment(await latestId())
const parcelOf = async (id?: string) => (await running.orders.find(id ?? (await latestId())))?.parcel

/** What a page says: its label, and all of its text. */
async function look(path?: string) {
  const answer = await fetch(new URL(path ?? `/orders/${await latestId()}`, running.shop))
  const page = (await answer.text()).replace(/<style>[\s\S]*?<\/style>/, '')
  const text = page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  return { status: answer.status, label: /role="status">([^<]+)</.exec(page)?.[1], text, page }
}

/** No page may say so where it is not known. */
const claims = /nothing (was|has been) paid|not (been )?(paid|charged)|no money moved|try again/i

/** A bowl that is reserved on a card, at the gateway's page. */
async function reserve() {
  const { headers } = await post('/orders', { product: 'rice-bowl', kind: 'preauth' })
  const payment = { credit_card_number: '4444444444444448', card_printed_name: 'ADA', cvv2: '123' }
  const body = new URLSearchParams({ ...payment, expire_month: '12', expire_year: '2099' })
  await fetch(headers.get('location') ?? '', { method: 'POST', body })
  await says('Reserved')
  return latestId()
}

/** Presses a button as its page shows it now. */
async function press(change: string, amount = '') {
  const path = `/merchant/orders/${await latestId()}`
  const click = /name="click" value="([^"]+)"/.exec((await look(path)).page)?.[1] ?? ''
  expect((await post(`${path}/${change}`, { amount, click })).status).toBe(303)
}

/** Waits until the page of the order says so: the till asks in the background. */
const says = (label: string) =>
  vi.waitFor(async () => expect((await look()).label).toBe(label), { timeout: 20_000, interval: 100 })

/** As short as cards once were, and none that the gateway takes: the gateway finds it, not the shop. */
const tooShort = '4444 4444 4444'

describe('a card that was mistyped', () => {
  it.each([
    ['number', '4444 4444 4444 4449', 'This is not the number of a card.'],
    ['name', ' ', 'Please write the name as it is on the card.'],
    ['month', '13', 'A month is 1 to 12.'],
    ['year', '31', 'A year has four digits'],
    ['year', '2001', 'This card has expired.'],
    ['cvv2', '1', 'Three or four digits.'],
  ])('is asked for again beside its field, and nothing was sent or ordered: %s %s', async (field, value, words) => {
    const answer = await payHere({ [field]: value })
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toMatch(
      new RegExp(`name="${field}"[^>]*aria-invalid="true" aria-describedby="${field}-wrong" autofocus`),
    )
    expect(page).toContain(`id="${field}-wrong">${words}`)
    expect(page.match(/aria-invalid=/g)).toHaveLength(1)
    expect(page).toContain('name="ticket" value="t-1"')
    for (const secret of ['4444', value, card.cvv2].filter(each => each.length > 2 && field !== 'year'))
      expect(page.replace(/<p class="hint">.*<\/p>/, '')).not.toContain(`value="${secret}`)
    expect(await running.orders.latest(9)).toEqual([])
    expect(gateway.calls()).toEqual([])
  })

  it('was refused: the form says so and what to do, and the order is not asked about for ever', async () => {
    const { status, headers } = await payHere({ number: tooShort })
    expect([status, headers.get('location')]).toEqual([303, `/pay-here/rice-bowl?after=${await latestId()}`])
    const form = await look(headers.get('location') ?? '')
    expect(form.text).toContain('The gateway refused this and did nothing with it.')
    expect(form.text).toContain('Check the number of the card, its date and the CVV.')
    expect(form.page).not.toContain('value="4444')
    const order = await look()
    expect(order.label).toBe('Refused')
    expect(order.text).not.toContain('We keep asking')
    expect(await latest()).toMatchObject({ state: 'declined', underWay: [], needsPerson: undefined })
    await running.till.tick()
    expect(gateway.calls('status')).toEqual([])
  })

  it('leads a second press of the button to the same words', async () => {
    const [first, second] = [await payHere({ number: tooShort }), await payHere({ number: tooShort })]
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect((await look(second.headers.get('location') ?? '')).text).toContain('The gateway refused this')
    expect(await running.orders.latest(9)).toHaveLength(1)
  })

  it('pays for the same order once it is right', async () => {
    const { headers } = await payHere({ number: tooShort })
    const form = await look(headers.get('location') ?? '')
    const ticket = /name="ticket" value="([^"]+)"/.exec(form.page)?.[1] ?? ''
    await payHere({ ticket })
    await gateway.callbacks.idle()
    await says('Paid')
    expect(await running.orders.latest(9)).toHaveLength(1)
    const paid = gateway.orders.list().filter(({ stages }) => stages.some(each => each.status === 'approved'))
    expect(paid.map(({ clientOrderId }) => clientOrderId)).toEqual([`${await latestId()}.2r`])
  })
})

describe('a sale that is not answered', () => {
  it('is told as not known until status shows it, and then as what it is', async () => {
    gateway.faults.arm({ fault: 'delayed-commit', operation: 'sale' })
    expect((await payHere()).status).toBe(303)
    const { label, text } = await look()
    expect(label).toBe('Not known')
    expect(text).toContain('it may have been made. We keep asking the gateway, and you need not do anything')
    expect(text).toContain('do not pay again')
    expect(text).not.toMatch(claims)
    await gateway.clock.advance(60_000)
    await says('Paid')
    expect(gateway.calls('sale')).toHaveLength(1)
  })

  it('is asked about though no page of it is open', async () => {
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    gateway.faults.arm({ fault: 'callback-never' })
    await payHere()
    await gateway.clock.advance(600_000)
    await vi.waitFor(async () => expect(await parcelOf()).toBe('packed'), { timeout: 20_000 })
    expect(await latest()).toMatchObject({ state: 'paid', totals: { captured: '24.50' } })
  })
})

describe('a payment page that the gateway does not answer with', () => {
  it('leads to a page that waits and claims nothing, and to another form once nobody can have the first', async () => {
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'saleForm' })
    const { status, headers } = await post('/orders', { product: 'rice-bowl', kind: 'sale' })
    const path = headers.get('location') ?? ''
    expect([status, new URL(path).pathname.split('/', 3)]).toEqual([303, ['', 'payments', 'payment']])
    expect((await look(path)).text).not.toMatch(claims)
    const { label, text } = await look()
    expect(label).toBe('Not known')
    expect(text).not.toMatch(claims)
    await gateway.clock.advance(120_000)
    expect((await look(path)).text).toContain('Please try once more')
    const again = await post(`/orders/${await latestId()}/pay`, {})
    expect(new URL(again.headers.get('location') ?? '').host).toBe(running.gatewayBaseUrl.host)
    expect(gateway.calls('saleForm')).toHaveLength(2)
  })

  it('is none where its address is not the gateway’s: no customer is sent there, now or later', async () => {
    const reply = { type: 'async-form-response', redirectUrl: 'https://evil.example/pay', serialNumber: 's-1' }
    gateway.handle({ saleForm: ({ clientOrderId = '' }) => ({ ...reply, clientOrderId, orderId: '77' }) })
    for (const path of ['/orders', '/orders']) {
      const { headers } = await post(path, { product: 'rice-bowl', kind: 'sale', ticket: 't-1' })
      expect(headers.get('location') ?? '').not.toContain('evil.example')
    }
    const again = await post(`/orders/${await latestId()}/pay`, {})
    expect(again.headers.get('location') ?? '').not.toContain('evil.example')
    expect((await look()).page).not.toContain('evil.example/pay"')
  })
})

describe('a capture that is not answered', () => {
  it('is asked about, and told once status shows it', async () => {
    await reserve()
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'capture' })
    await press('capture')
    expect((await look()).label).toMatch(/^(Paid|Not known)$/)
    await gateway.clock.advance(120_000)
    await says('Paid')
    expect(gateway.calls('capture')).toHaveLength(1)
  })

  it('is told as not known, with what happens next, while status does not show it', async () => {
    await reserve()
    gateway.faults.arm({ fault: 'delayed-commit', operation: 'capture' })
    await press('capture')
    const { label, text } = await look(`/merchant/orders/${await latestId()}`)
    expect(label).toBe('Not known')
    expect(text).toContain(
      'The capture was sent and not answered: it may have happened. The till sends nothing again and keeps asking',
    )
    expect((await look()).page).toContain(`<a class="button quiet" href="/orders/${await latestId()}">Look again</a>`)
    await press('capture')
    expect(gateway.calls('capture')).toHaveLength(1)
    await gateway.clock.advance(120_000)
    await says('Paid')
  })
})

describe('a return that is not answered, after an equal one', () => {
  it('is for a person: the page says so once the till does, and adds nothing up', async () => {
    await payHere()
    await says('Paid')
    await press('return', '2.00')
    await says('Partly returned')
    gateway.faults.arm({ fault: 'drop', operation: 'return' })
    await press('return', '2.00')
    const path = `/merchant/orders/${await latestId()}`
    const { label, text } = await look(path)
    expect(label).toBe('Not known')
    expect(text).not.toContain('A person has to decide')
    await gateway.clock.advance(120_000)
    await running.till.tick()
    expect((await look()).label).toBe('Not known')
    await gateway.clock.advance(900_000)
    expect((await look(path)).text).toContain(
      'A person has to decide. It is not known what became of the return of order',
    )
    expect((await look()).text).not.toContain('person')
    expect(gateway.calls('return')).toHaveLength(2)
  })
})

describe('a chargeback', () => {
  async function paidHere() {
    await payHere()
    await says('Paid')
    return (await latest()).orders[0]?.orderId ?? ''
  }

  it('is shown once its callback has come', async () => {
    gateway.act({ orderId: await paidHere(), action: 'charge-back' })
    await gateway.callbacks.idle()
    const { label, text } = await look()
    expect(label).toBe('Charged back')
    expect(text).toContain('took €24.50 back')
    expect(await parcelOf()).toBe('stopped')
  })

  it('is shown on the page of the order, also where its callback was lost', async () => {
    const orderId = await paidHere()
    gateway.faults.arm({ fault: 'callback-never' })
    gateway.act({ orderId, action: 'charge-back' })
    await gateway.callbacks.idle()
    expect((await look()).label).toBe('Paid')
    await post(`/merchant/orders/${await latestId()}/ask`, {})
    await says('Charged back')
    expect(await parcelOf()).toBe('stopped')
  })
})

describe('a card that is declined', () => {
  it('leads to another one at the press of a button, and that one is charged once', async () => {
    const { headers } = await post('/orders', { product: 'rice-bowl', kind: 'sale' })
    const declined = await payAsCustomer(headers.get('location') ?? '', { gateway, cvv2: '116' })
    expect(declined.html).toContain(`action="/orders/${await latestId()}/pay"`)
    expect((await look()).label).toBe('Declined')
    expect((await look()).page).toContain(`action="/orders/${await latestId()}/pay"><button>Try another card</button>`)
    const again = await post(`/orders/${await latestId()}/pay`, {})
    await payAsCustomer(again, { gateway })
    expect((await look()).label).toBe('Paid')
    const id = await latestId()
    expect(gateway.orders.list().map(each => `${each.clientOrderId} ${each.stages[0]?.status}`)).toEqual([
      `${id} declined`,
      `${id}.2r approved`,
    ])
    expect(await parcelOf()).toBe('packed')
  })
})

describe('a shop that was started anew between payment and callback', () => {
  type Kept = { readonly database?: string }

  async function startAnew(kept: Kept) {
    // The gateway goes on where it listens.
    const { baseUrl } = gateway.clientOptions
    const address = { baseUrl, origin: baseUrl.origin, port: Number(baseUrl.port) }
    running = await start({ gateway: { ...gateway, listen: async () => address }, ...kept })
  }

  /** Pays at the gateway while the shop is away. @returns The order, and the path that the customer comes back to. */
  async function payMeanwhile(kept: Kept) {
    await running.close()
    await startAnew(kept)
    const { headers } = await post('/orders', { product: 'rice-bowl', kind: 'sale', ticket: 't-1' })
    const id = await latestId()
    const payment = { credit_card_number: '4444444444444448', card_printed_name: 'ADA', cvv2: '123' }
    const body = new URLSearchParams({ ...payment, expire_month: '12', expire_year: '2099' })
    await running.close()
    const paid = await (await fetch(headers.get('location') ?? '', { method: 'POST', body })).text()
    await gateway.clock.advance(600_000)
    await startAnew(kept)
    return { id, back: new URL(/action="([^"]+)"/.exec(paid)?.[1] ?? '').pathname }
  }

  it('says what it does not know where its database is gone, on every page that the customer can come to', async () => {
    const { id, back } = await payMeanwhile({})
    for (const [path, status, says] of [
      [back, 404, `We have no order ${id}`],
      [`/orders/${id}`, 404, `We have no order ${id}`],
    ] as const) {
      const page = await look(path)
      expect(page.status).toBe(status)
      expect(page.text).toContain(says)
      expect(page.text).toContain('does not say whether something was paid')
      expect(page.text).toContain('do not pay again')
      expect(page.text).not.toMatch(claims)
    }
  })

  describe('with its database', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillkit-shop-test-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    const kept = (name: string) => ({ database: join(folder, name) })

    it('goes on where the customer comes back, and sends nothing twice', async () => {
      const { id, back } = await payMeanwhile(kept('customer.db'))
      expect((await fetch(new URL(back, running.shop))).url).toBe(new URL(`/orders/${id}`, running.shop).href)
      expect((await look(`/orders/${id}`)).label).toBe('Paid')
      const again = await post('/orders', { product: 'rice-bowl', kind: 'sale', ticket: 't-1' })
      expect(again.headers.get('location')).toBe(new URL(`/orders/${id}`, running.shop).href)
      expect(gateway.calls('saleForm')).toHaveLength(1)
    })

    it('packs the parcel, though nobody comes back and no callback does', async () => {
      gateway.faults.arm({ fault: 'callback-never' })
      const { id } = await payMeanwhile(kept('nobody.db'))
      await vi.waitFor(async () => expect(await parcelOf(id)).toBe('packed'), { timeout: 20_000 })
    })
  })
})

describe('a page that waits', () => {
  it('has a way to look again without scripts', async () => {
    await post('/orders', { product: 'rice-bowl', kind: 'sale' })
    const { label, page } = await look()
    expect(label).toBe('Checking')
    expect(page).toContain(`href="/orders/${await latestId()}">Look again</a>`)
  })
})
