import { createHash } from 'node:crypto'
import { defineProfile } from '@tillkit/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type ClientOptions,
  createFakeClock,
  createFakeGateway,
  type FakeGateway,
  type FakeGatewayOptions,
  type GroupClientOptions,
  type MerchantChoice,
} from '../src/index.js'
import { startCallbackMerchant } from './callback-merchant.js'
import { otherPrivateKey, otherPublicKey } from './other-keys.js'
import { call, card, customer, type Name, pay, prepare, send } from './signed-request.js'

const keys = { privateKey: otherPrivateKey, publicKey: otherPublicKey }

const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map(close => close())))

function open(options: FakeGatewayOptions = {}) {
  const gateway = createFakeGateway({
    ...options,
    clock: createFakeClock({ base: () => 1_800_000_000_000 }),
    merchants: [
      { login: 'north', controlKey: 'key of north', endpoints: [{ id: 11, currency: 'EUR' }, 12], groups: [19] },
      { login: 'south', controlKey: 'key of south', ...keys, endpoints: [{ id: 21, currency: 'JPY' }] },
    ],
  })
  closers.push(() => gateway.close())
  return gateway
}

/** The gateway as a client of one merchant sees it. */
function as(gateway: FakeGateway, choice: MerchantChoice): FakeGateway {
  const options: ClientOptions | GroupClientOptions = gateway.clientOptionsFor(choice)
  const endpointId = 'endpointId' in options ? options.endpointId : options.endpointGroupId
  return { ...gateway, clientOptions: { ...options, endpointId } }
}

describe('several merchants', () => {
  it('each sign with their own keys, in all three schemes', async () => {
    const gateway = open()
    for (const [choice, money] of [
      [{ login: 'north' }, { amount: '10.00', currency: 'EUR' }],
      [{ login: 'south' }, { amount: '1000', currency: 'JPY' }],
    ] as const) {
      const merchant = as(gateway, choice)
      expect((await pay(merchant, 'sale', { clientOrderId: 'o-1', ...money })).status).toBe(200)
      const payout = { ...money, accountNumber: '12345678' }
      expect((await call(merchant, 'payout', { clientOrderId: 'o-2', ...payout })).status).toBe(200)
      expect((await call(merchant, 'payoutV4', { clientOrderId: 'o-3', ...payout })).status).toBe(200)
    }
    expect(gateway.orders.list().map(({ login, endpointId }) => `${login} ${endpointId}`)).toEqual(
      ['north 11', 'south 21'].flatMap(each => [each, each, each]),
    )
  })

  it('refuse the keys and the login of one another', async () => {
    const gateway = open()
    const north = as(gateway, { login: 'north' })
    const prepared = await prepare(north, 'sale', {
      clientOrderId: 'o-1',
      amount: '1000',
      currency: 'JPY',
      ...customer,
      ...card,
    })
    const atSouth = { ...prepared, url: new URL(prepared.url.href.replace('/11', '/21')) }
    expect((await send(gateway, atSouth)).reply['error-message']).toContain('Control value does not match')
    const oauth = await prepare(north, 'payout', { clientOrderId: 'o-1', amount: '1000', currency: 'JPY' })
    const other = { ...oauth, url: new URL(oauth.url.href.replace('/11', '/21')) }
    expect((await send(gateway, other)).reply['error-message']).toBe(
      '"oauth_consumer_key" is "north"; the login here is "south".',
    )
    expect(JSON.stringify(gateway.calls())).not.toMatch(/key of (north|south)/)
  })

  it('have money charged back in the currency of the order, whatever their first endpoint takes', async () => {
    const gateway = open()
    const dollars = as(gateway, { login: 'north', endpointId: 12 })
    const { reply } = await pay(dollars, 'sale', { clientOrderId: 'o-1', amount: '10.00', currency: 'USD' })
    gateway.act({ action: 'charge-back', orderId: reply['paynet-order-id'] ?? '', amount: '4.00' })
    expect(gateway.orders.find('o-1')?.stages.at(-1)).toMatchObject({ stage: 'chargeback', amount: '4.00' })
  })

  it('know nothing of one another’s orders and cards, and may use the same ids', async () => {
    const gateway = open()
    const [north, south] = [as(gateway, { login: 'north' }), as(gateway, { login: 'south' })]
    const { reply } = await pay(north, 'sale', { clientOrderId: 'o-1' })
    const orderId = reply['paynet-order-id'] ?? ''
    const stored = await call(north, 'createCardRef', { clientOrderId: 'o-1', orderId })
    const cardRefId = stored.reply['card-ref-id'] ?? ''
    expect((await call(north, 'getCardInfo', { cardRefId })).reply.bin).toBe('444444')
    for (const [name, fields] of [
      ['status', { clientOrderId: 'o-1' }],
      ['status', { clientOrderId: 'o-1', orderId }],
      ['return', { clientOrderId: 'o-1', orderId }],
      ['getCardInfo', { cardRefId }],
    ] as const) {
      expect((await call(south, name, fields)).status).toBe(400)
    }
    const own = await pay(south, 'sale', { clientOrderId: 'o-1', amount: '5', currency: 'JPY' })
    expect(own.status).toBe(200)
    expect((await call(south, 'status', { clientOrderId: 'o-1' })).reply).toMatchObject({ amount: '5' })
    expect((await call(north, 'status', { clientOrderId: 'o-1' })).reply).toMatchObject({ amount: '10.00' })
  })

  it('have endpoints with a currency of their own, and groups of any', async () => {
    const gateway = open()
    const sale = (choice: MerchantChoice, currency: string) =>
      pay(as(gateway, choice), 'sale', { clientOrderId: `${currency} ${Object.values(choice).join(' ')}`, currency })
    const inDollars = await sale({ login: 'north' }, 'USD')
    expect(inDollars.reply['error-message']).toBe('"currency" is "USD"; the currency of this endpoint is "EUR".')
    expect((await sale({ login: 'north', endpointId: '12' }, 'USD')).status).toBe(200)
    const group = as(gateway, { login: 'north', endpointGroupId: '19' })
    const fields = { clientOrderId: 'in a group', amount: '10.00', currency: 'USD', ...customer, ...card }
    const inGroup = await prepare(group, 'sale', fields)
    const url = new URL(inGroup.url.href.replace('/19', '/group/19'))
    expect((await send(gateway, { ...inGroup, url })).status).toBe(200)
    const prepared = await prepare(as(gateway, { login: 'north' }), 'status', { clientOrderId: 'o' })
    const nobody = await send(gateway, { ...prepared, url: new URL(prepared.url.href.replace('/11', '/99')) })
    expect(nobody.reply['error-message']).toBe(
      'The path says endpointId "99", an unknown endpoint: those here are "11", "12", "21".',
    )
  })

  it.each([
    ['endpoint', 'EUR', '11'],
    ['endpoint', 'USD', '12'],
    ['group', 'EUR', '19'],
  ] as const)('name the %s that took an order of a group, in %s: %s', async (repliedEndpoint, currency, expected) => {
    const profile = defineProfile({ repliedEndpoint })
    const gateway = open({ profile })
    const inGroup = as(gateway, { login: 'north', endpointGroupId: '19' })
    const ask = async (name: Name, fields: Record<string, string>) => {
      const prepared = await prepare(inGroup, name, fields)
      const url = new URL(prepared.url.href.replace('/19', '/group/19'))
      return (await send(gateway, { ...prepared, url })).reply
    }
    const money = { amount: '10.00', currency, ...customer, ...card }
    expect((await ask('sale', { clientOrderId: 'o-1', ...money }))['end-point-id']).toBe(expected)
    expect((await ask('preauth', { clientOrderId: 'o-2', ...money }))['end-point-id']).toBe(expected)
    expect((await ask('status', { clientOrderId: 'o-1' }))['end-point-id']).toBe(expected)
    expect(gateway.orders.list().map(({ endpointId }) => endpointId)).toEqual([expected, expected])
  })

  it('name the group where there is no endpoint to name', async () => {
    const south = { login: 'south', endpoints: [21] }
    const gateway = createFakeGateway({ merchants: [south, { login: 'north', groups: [19] }] })
    closers.push(() => gateway.close())
    const money = { amount: '10.00', currency: 'EUR', ...customer, ...card }
    const inGroup = as(gateway, { login: 'north', endpointGroupId: '19' })
    const prepared = await prepare(inGroup, 'sale', { clientOrderId: 'o-1', ...money })
    const url = new URL(prepared.url.href.replace('/19', '/group/19'))
    expect((await send(gateway, { ...prepared, url })).reply['end-point-id']).toBe('19')
  })

  it('are called back with their own control key', async () => {
    const gateway = open()
    const shop = await startCallbackMerchant({ names: ['control'] })
    closers.push(shop.close)
    const money = { amount: '5', currency: 'JPY' }
    const south = as(gateway, { login: 'south' })
    const { reply } = await pay(south, 'sale', { clientOrderId: 'o-1', serverCallbackUrl: shop.url, ...money })
    await gateway.callbacks.idle()
    const text = `approved${reply['paynet-order-id']}o-1key of south`
    expect(shop.told).toEqual([createHash('sha1').update(text).digest('hex')])
  })

  it.each([
    [{ merchants: [] }, '"merchants" is empty'],
    [{ login: 'a', merchants: [{ login: 'b', endpoints: [1] }] }, '"login" is an option of one merchant'],
    [{ merchants: [{ login: 'a' }] }, 'The merchant "a" has no endpoint'],
    [
      {
        merchants: [
          { login: 'a', endpoints: [1] },
          { login: 'a', endpoints: [2] },
        ],
      },
      'the login "a" more than once',
    ],
    [{ merchants: [{ login: 'a', endpoints: [1], groups: [1] }] }, '"1" is there more than once'],
    [{ maxOrders: 0 }, '"maxOrders" is 0'],
    [{ login: 1 }, '"login" is of type number'],
    [{ controlKey: 1 }, '"controlKey" is of type number'],
    [{ currency: 'EURO' }, '"currency" is "EURO" for the endpoint 39 of "merchant", no ISO 4217 code'],
    [
      { merchants: [{ login: 'a', endpoints: [{ id: 1, currency: 'BTC' }] }] },
      '"currency" is "BTC" for the endpoint 1 of "a"',
    ],
    [{ profile: {} }, '"profile" is no wire profile'],
  ])('refuse %j', (options, text) => {
    expect(() => createFakeGateway(options as FakeGatewayOptions)).toThrow(text)
  })

  it.each([
    [{ login: 'west' }, '"login" is "west"; there are: "north", "south".'],
    [{ login: 'south', endpointId: '11' }, '"endpointId" is "11"; "south" has: 21.'],
    [{ login: 'south', endpointGroupId: '19' }, '"endpointGroupId" is "19"; "south" has: none.'],
  ])('give no client options for %j', (choice, text) => {
    expect(() => open().clientOptionsFor(choice)).toThrow(text)
  })
})
