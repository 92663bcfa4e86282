import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeGateway, type FakeGateway, payAsCustomer } from '@tillkit/testing'
import { orderPlace } from '@tillkit/till'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Running, start } from '../src/start.js'

let gateway: FakeGateway
let running: Running
async function open() {
  gateway = createFakeGateway({ processingTime: 0 })
  running = await start({ gateway })
}

async function close() {
  await running.close()
  await gateway.close()
}

// One shop for all: each test looks at the order that was made last, which is its own.
beforeAll(open)
afterAll(close)

/** Gives each test of a `describe` a shop and a gateway of its own. */
function openForEach(openOne = open) {
  let shared: { readonly gateway: FakeGateway; readonly running: Running }
  beforeEach(async () => {
    shared = { gateway, running }
    await openOne()
  })
  afterEach(async () => {
    await close()
    ;({ gateway, running } = shared)
  })
}

/** A form's mark, another one in each test. */
let ticket = ''
let tickets = 0
beforeEach(() => {
  tickets += 1
  ticket = `t-${tickets}`
})

const post = (path: string, fields: Record<string, string>) =>
  fetch(new URL(path, running.shop), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

const card = { number: '4444 4444 4444 4448', name: 'ADA', month: '12', year: '2099', cvv2: '111' }
const payHere = (fields: Record<string, string> = {}) => post('/pay-here/rice-bowl', { ...card, ticket, ...fields })

const latestId = async () => (await running.orders.latest(1))[0]?.id ?? ''
const latest = async () => running.till.payment(await latestId())
const orderIds = async () => (await running.orders.latest(1_000)).map(({ id }) => id)

/** How often the gateway was sent an operation for the latest order, in all its tries. */
async function sent(operation: 'sale' | 'saleForm' | 'capture' | 'return' | 'status') {
  const id = await latestId()
  return gateway.calls(operation).filter(({ fields }) => fields.some(([, value]) => orderPlace(value).reference === id))
    .length
}

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

/** The budget of a test, in milliseconds. */
const budget = 600_000

/** Waits until the page of the order says so: the callback says it, or else the till asks in the background. */
async function says(label: string) {
  await gateway.callbacks.idle()
  await vi.waitFor(async () => expect((await look()).label).toBe(label), { timeout: budget })
}

/** As short as cards once were, and none that the gateway takes: the gateway finds it, not the shop. */
const tooShort = '4444 4444 4444'

describe('a mistyped card', () => {
  it.each([
    ['number', '4444 4444 4444 4449', 'This is not the number of a card.'],
    ['name', ' ', 'Please write the name as it is on the card.'],
    ['month', '13', 'A month is 1 to 12.'],
    ['year', '31', 'A year has four digits'],
    ['year', '2001', 'This card has expired.'],
    ['cvv2', '1', 'Three or four digits.'],
  ])('is asked for again beside its field, and nothing was sent or ordered: %s %s', async (field, value, words) => {
    const before = { orders: await orderIds(), sales: gateway.calls('sale').length }
    const answer = await payHere({ [field]: value })
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toMatch(
      new RegExp(`name="${field}"[^>]*aria-invalid="true" aria-describedby="${field}-wrong" autofocus`),
    )
    expect(page).toContain(`id="${field}-wrong">${words}`)
    expect(page.match(/aria-invalid=/g)).toHaveLength(1)
    expect(page).toContain(`name="ticket" value="${ticket}"`)
    for (const secret of ['4444', value, card.cvv2].filter(each => each.length > 2 && field !== 'year'))
      expect(page.replace(/<p class="hint">.*<\/p>/, '')).not.toContain(`value="${secret}`)
    expect({ orders: await orderIds(), sales: gateway.calls('sale').length }).toEqual(before)
  })

  it('refused by the gateway: the form says so and what to do, and the till does not ask about the order', async () => {
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
    expect(await sent('status')).toBe(0)
  })

  it('sent twice: the second press leads to the same words', async () => {
    const before = await orderIds()
    const [first, second] = [await payHere({ number: tooShort }), await payHere({ number: tooShort })]
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect((await look(second.headers.get('location') ?? '')).text).toContain('The gateway refused this')
    expect(await orderIds()).toEqual([await latestId(), ...before])
  })

  it('typed right the next time: pays for the same order', async () => {
    const before = await orderIds()
    const { headers } = await payHere({ number: tooShort })
    const form = await look(headers.get('location') ?? '')
    await payHere({ ticket: /name="ticket" value="([^"]+)"/.exec(form.page)?.[1] ?? '' })
    await says('Paid')
    const id = await latestId()
    expect(await orderIds()).toEqual([id, ...before])
    const own = gateway.orders.list().filter(each => orderPlace(each.clientOrderId).reference === id)
    const paid = own.filter(({ stages }) => stages.some(each => each.status === 'approved'))
    expect(paid.map(({ clientOrderId }) => clientOrderId)).toEqual([`${id}.2r`])
  })
})

describe('a sale without an answer', () => {
  it('the page says Not known until status shows the sale, then Paid', async () => {
    gateway.faults.arm({ fault: 'delayed-commit', operation: 'sale' })
    expect((await payHere()).status).toBe(303)
    const { label, text } = await look()
    expect(label).toBe('Not known')
    expect(text).toContain('it may have been made. We keep asking the gateway, and you need not do anything')
    expect(text).toContain('do not pay again')
    expect(text).not.toMatch(claims)
    await gateway.clock.advance(60_000)
    await says('Paid')
    expect(await sent('sale')).toBe(1)
  })

  it('the till asks about it though no page of it is open', async () => {
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    gateway.faults.arm({ fault: 'callback-never' })
    await payHere()
    await gateway.clock.advance(600_000)
    await vi.waitFor(async () => expect(await parcelOf()).toBe('packed'), { timeout: budget })
    expect(await latest()).toMatchObject({ state: 'paid', totals: { captured: '24.50' } })
  })
})

describe('a hosted form that the gateway does not give', () => {
  it('the customer waits on a page that claims nothing, and gets another form once nobody can have the first', async () => {
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
    expect(await sent('saleForm')).toBe(2)
  })
})

describe('a hosted form elsewhere than at the gateway', () => {
  openForEach()

  it('no customer is sent there, now or later', async () => {
    const reply = { type: 'async-form-response', redirectUrl: 'https://evil.example/pay', serialNumber: 's-1' }
    gateway.handle({ saleForm: ({ clientOrderId = '' }) => ({ ...reply, clientOrderId, orderId: '77' }) })
    for (const path of ['/orders', '/orders']) {
      const { headers } = await post(path, { product: 'rice-bowl', kind: 'sale', ticket })
      expect(headers.get('location') ?? '').not.toContain('evil.example')
    }
    const again = await post(`/orders/${await latestId()}/pay`, {})
    expect(again.headers.get('location') ?? '').not.toContain('evil.example')
    expect((await look()).page).not.toContain('evil.example/pay"')
  })
})

describe('a capture without an answer', () => {
  it('the page says Paid once status shows the capture', async () => {
    await reserve()
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'capture' })
    await press('capture')
    expect((await look()).label).toMatch(/^(Paid|Not known)$/)
    await gateway.clock.advance(120_000)
    await says('Paid')
    expect(await sent('capture')).toBe(1)
  })

  it('the page says Not known, and what happens next, while status does not show it', async () => {
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
    expect(await sent('capture')).toBe(1)
    await gateway.clock.advance(120_000)
    await says('Paid')
  })
})

describe('a return without an answer, after an equal one', () => {
  it('a person has to decide: the page says so once the till does, and adds nothing up', async () => {
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
    expect(await sent('return')).toBe(2)
  })
})

describe('a chargeback', () => {
  async function paidHere() {
    await payHere()
    await says('Paid')
    return (await latest()).orders[0]?.orderId ?? ''
  }

  it('the page shows it once its callback has come', async () => {
    gateway.act({ orderId: await paidHere(), action: 'charge-back' })
    await gateway.callbacks.idle()
    const { label, text } = await look()
    expect(label).toBe('Charged back')
    expect(text).toContain('took €24.50 back')
    expect(await parcelOf()).toBe('stopped')
  })

  it('its callback is lost: the page shows it once the merchant asks', async () => {
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
  it('another card is charged once after the button Try another card', async () => {
    const { headers } = await post('/orders', { product: 'rice-bowl', kind: 'sale' })
    const declined = await payAsCustomer(headers.get('location') ?? '', { gateway, cvv2: '116' })
    expect(declined.html).toContain(`action="/orders/${await latestId()}/pay"`)
    expect((await look()).label).toBe('Declined')
    expect((await look()).page).toContain(`action="/orders/${await latestId()}/pay"><button>Try another card</button>`)
    const again = await post(`/orders/${await latestId()}/pay`, {})
    await payAsCustomer(again, { gateway })
    expect((await look()).label).toBe('Paid')
    const id = await latestId()
    const own = gateway.orders.list().filter(each => orderPlace(each.clientOrderId).reference === id)
    expect(own.map(each => `${each.clientOrderId} ${each.stages[0]?.status}`)).toEqual([
      `${id} declined`,
      `${id}.2r approved`,
    ])
    expect(await parcelOf()).toBe('packed')
  })
})

describe('a shop that restarts between payment and callback', () => {
  openForEach(async () => {
    gateway = createFakeGateway({ processingTime: 0 })
    await gateway.listen()
  })

  type Kept = { readonly database?: string }

  async function startAnew(kept: Kept) {
    // The gateway goes on where it listens.
    const { baseUrl } = gateway.clientOptions
    const address = { baseUrl, origin: baseUrl.origin, port: Number(baseUrl.port) }
    running = await start({ gateway: { ...gateway, listen: async () => address }, ...kept })
  }

  /** Pays at the gateway while the shop is away. @returns The order, and the path that the customer comes back to. */
  async function payMeanwhile(kept: Kept) {
    await startAnew(kept)
    const { headers } = await post('/orders', { product: 'rice-bowl', kind: 'sale', ticket })
    const id = await latestId()
    const payment = { credit_card_number: '4444444444444448', card_printed_name: 'ADA', cvv2: '123' }
    const body = new URLSearchParams({ ...payment, expire_month: '12', expire_year: '2099' })
    await running.close()
    const paid = await (await fetch(headers.get('location') ?? '', { method: 'POST', body })).text()
    await gateway.clock.advance(600_000)
    await startAnew(kept)
    return { id, back: new URL(/action="([^"]+)"/.exec(paid)?.[1] ?? '').pathname }
  }

  it('its database is lost: every page says what the shop does not know', async () => {
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

    it('the customer comes back: the order is paid, and nothing is sent twice', async () => {
      const { id, back } = await payMeanwhile(kept('customer.db'))
      expect((await fetch(new URL(back, running.shop))).url).toBe(new URL(`/orders/${id}`, running.shop).href)
      expect((await look(`/orders/${id}`)).label).toBe('Paid')
      const again = await post('/orders', { product: 'rice-bowl', kind: 'sale', ticket })
      expect(again.headers.get('location')).toBe(new URL(`/orders/${id}`, running.shop).href)
      expect(await sent('saleForm')).toBe(1)
    })

    it('neither customer nor callback comes: the parcel is packed', async () => {
      gateway.faults.arm({ fault: 'callback-never' })
      const { id } = await payMeanwhile(kept('nobody.db'))
      await vi.waitFor(async () => expect(await parcelOf(id)).toBe('packed'), { timeout: budget })
    })
  })
})

describe('a page that waits', () => {
  it('has a link to look again without scripts', async () => {
    await post('/orders', { product: 'rice-bowl', kind: 'sale' })
    const { label, page } = await look()
    expect(label).toBe('Checking')
    expect(page).toContain(`href="/orders/${await latestId()}">Look again</a>`)
  })
})
