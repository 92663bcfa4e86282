import type { FakeGateway } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, pay, prepare, send } from '../../testing/test/signed-request.js'
import { createGateway } from '../src/index.js'

let gateway: FakeGateway
let origin: string
beforeEach(() => {
  gateway = createGateway({ maxCalls: 60 })
  origin = gateway.clientOptions.baseUrl.origin
})
afterEach(() => gateway.close())

async function open(path: string): Promise<string> {
  const answer = await request(`${origin}/__gateway/${path}`, { dispatcher: gateway.dispatcher })
  expect(answer.statusCode).toBe(200)
  return await answer.body.text()
}

/** The orders of a list, by the merchant's ids. */
const ordersOf = (html: string) => [...html.matchAll(/\/orders\/\d+">([^<]+)</g)].map(([, id]) => id)

/** Numbers of the requests that are found. */
const numbersOf = async (query: string) =>
  [...(await open(`requests?${query}`)).matchAll(/calls\/(\d+)"/g)].map(([, number]) => number)

describe('orders of the dashboard', () => {
  it('are found by each of their ids, by e-mail, last four digits, status and operation', async () => {
    const { reply } = await pay(gateway, 'sale', { clientOrderId: 'cup-4711', email: 'ada@shop.test' })
    await pay(gateway, 'preauth', { clientOrderId: 'cup-4712', email: 'bob@shop.test', cvv2: '116' })
    const [view] = gateway.orders.list()
    for (const q of ['4711', 'CUP-4711', 'ada@', reply['paynet-order-id'], view?.stages[0]?.serialNumbers[0]]) {
      expect([q, ordersOf(await open(`orders?q=${encodeURIComponent(String(q))}`))]).toEqual([q, ['cup-4711']])
    }
    expect(ordersOf(await open(`orders?q=${view?.card?.lastFourDigits}`))).toEqual(['cup-4712', 'cup-4711'])
    expect(ordersOf(await open('orders?status=declined'))).toEqual(['cup-4712'])
    expect(ordersOf(await open('orders?operation=sale'))).toEqual(['cup-4711'])
    await gateway.clock.advance(120_000)
    expect(ordersOf(await open('orders?until=2020-01-01T00:00'))).toEqual([])
    expect(await open('orders?q=nobody')).toContain('Nothing fits.')
  })

  it('come first where the word is their own id', async () => {
    const [first] = [(await pay(gateway, 'sale', { clientOrderId: 'cup' })).reply['paynet-order-id'] ?? '']
    await pay(gateway, 'sale', { clientOrderId: `after-${first}` })
    await pay(gateway, 'sale', { clientOrderId: 'bowl', email: 'cup@shop.test' })
    expect(ordersOf(await open('orders?q=cup'))).toEqual(['cup', 'bowl'])
    expect(ordersOf(await open(`orders?q=${first}`))).toEqual(['cup', `after-${first}`])
  })

  it('that were refused lead to their request, whose row names the id that was sent', async () => {
    const prepared = await prepare(gateway, 'sale', { clientOrderId: 'cup-4717', amount: '10.00', currency: 'EUR' })
    await send(gateway, { ...prepared, parameters: [...prepared.parameters.slice(0, -1), ['control', '0'.repeat(40)]] })
    expect(await open('orders?q=4717')).toContain('1 of the requests</a> has it: what was refused made no order.')
    expect(await numbersOf('q=4717')).toEqual(['1'])
    expect(await open('requests')).toContain('<bdi>cup-4717</bdi>')
  })

  it('are shown a page at a time, and the address of the next page keeps what is looked for', async () => {
    for (let index = 1; index <= 51; index += 1) await pay(gateway, 'sale', { clientOrderId: `o-${index}` })
    const first = await open('orders?q=o-')
    expect([ordersOf(first).length, ordersOf(first)[0]]).toEqual([50, 'o-51'])
    const [, next = ''] = /href="\/__gateway\/([^"]+)" rel="next"/.exec(first) ?? []
    expect(ordersOf(await open(next.replaceAll('&amp;', '&')))).toEqual(['o-1'])
    expect(first).toContain('51 found.')
  })
})

describe('requests of the dashboard', () => {
  it('carry order, answered status and reason, and equal polls of status are one line that counts', async () => {
    await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    for (let index = 0; index < 3; index += 1) await call(gateway, 'status', { clientOrderId: 'o-1' })
    await call(gateway, 'capture', { clientOrderId: 'o-1', orderId: '1' })
    const html = await open('requests')
    const lines = html.matchAll(/calls\/\d+"><span class="number">(\d+)<\/span> (\w+)<\/a>( × \d+)?/g)
    expect([...lines].map(([, number, name, count]) => [number, name, count])).toEqual([
      ['5', 'capture', undefined],
      ['4', 'status', ' × 3'],
      ['1', 'sale', undefined],
    ])
    expect(ordersOf(html).length).toBeGreaterThanOrEqual(2)
    expect(html).toMatch(/HTTP 200<\/span> approved/)
    const { explanation = '' } = gateway.calls('capture')[0] ?? {}
    expect(html.replaceAll('&quot;', '"')).toContain(explanation.slice(0, 40))
  })

  it('are found by verdict, fault and operation, and what was dropped is said', async () => {
    await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    gateway.faults.arm('server-error-after-commit')
    await pay(gateway, 'sale', { clientOrderId: 'o-2' })
    await call(gateway, 'capture', { clientOrderId: 'o-1', orderId: '1' })
    expect(await numbersOf('verdict=refused')).toEqual(['3'])
    expect(await numbersOf('fault=server-error-after-commit')).toEqual(['2'])
    expect(await numbersOf('operation=sale&q=o-1')).toEqual(['1'])
    expect(ordersOf(await open('orders?fault=server-error-after-commit'))).toEqual(['o-2'])
    for (let index = 0; index < 60; index += 1) await call(gateway, 'status', { clientOrderId: 'o-1' })
    expect(await open('requests')).toContain('Requests before number 4 were dropped.')
  })

  it('are found by the status that was answered, by no answer, and by the last four digits of the card of the order', async () => {
    await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    await pay(gateway, 'sale', { clientOrderId: 'o-2', cvv2: '116' })
    for (const clientOrderId of ['o-1', 'o-2']) await call(gateway, 'status', { clientOrderId })
    gateway.faults.arm('commit-then-drop')
    await pay(gateway, 'sale', { clientOrderId: 'o-3' }).catch(() => undefined)
    expect(await numbersOf('status=approved')).toEqual(['3'])
    expect(await numbersOf('status=declined')).toEqual(['4'])
    expect(await numbersOf('status=no+answer')).toEqual(['5'])
    // A request about status has no card: it is found through its order.
    expect(await numbersOf(`operation=status&q=${gateway.orders.list()[0]?.card?.lastFourDigits}`)).toEqual(['4', '3'])
    expect(await numbersOf('operation=status&q=0000')).toEqual([])
  })
})

describe('a range of time, on the clock of the gateway', () => {
  it('is in the address, finds orders and requests, and is shown again in the form', async () => {
    await pay(gateway, 'sale', { clientOrderId: 'early' })
    await gateway.clock.advance(7_200_000)
    const between = new Date(gateway.clock.now() - 3_600_000).toISOString().slice(0, 19)
    await pay(gateway, 'sale', { clientOrderId: 'late' })
    expect(ordersOf(await open(`orders?from=${between}`))).toEqual(['late'])
    expect(ordersOf(await open(`orders?until=${between}`))).toEqual(['early'])
    expect(await numbersOf(`from=${between}`)).toEqual(['2'])
    expect(await numbersOf(`until=${between}`)).toEqual(['1'])
    expect(await open(`requests?from=${between}`)).toContain(
      `name="from" type="datetime-local" step="1" value="${between}"`,
    )
    expect(ordersOf(await open('orders?from=nonsense'))).toEqual(['late', 'early'])
  })
})
