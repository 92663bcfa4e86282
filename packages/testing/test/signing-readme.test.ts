/** The calls over `fetch` in docs/signing.md. The tests of `@tillkit/signing` compare the page with this file and never use the fake. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { payoutCheck, rsaRequestSigner, sale } from '../../signing/test/readme-fetch.js'
import { createFakeGateway, type FakeGateway } from '../src/index.js'
import { otherPrivateKey, otherPublicKey } from './other-keys.js'

const keys = { privateKey: otherPrivateKey, publicKey: otherPublicKey }
const rsa = rsaRequestSigner('north', keys.privateKey)

let gateway: FakeGateway
let baseUrl: string

beforeEach(async () => {
  gateway = createFakeGateway({ login: 'north', ...keys, largeOrderIds: true, strictFields: true })
  await gateway.listen()
  baseUrl = gateway.clientOptions.baseUrl.href
})

afterEach(async () => {
  vi.restoreAllMocks()
  await gateway.close()
})

const pay = (): Promise<string> => sale(baseUrl, '39', 'order-1', gateway.clientOptions.controlKey)
const calls = {
  sale: pay,
  payoutCheck: () => payoutCheck(baseUrl, '39', 'order-1', rsa),
}

it.each(['sale', 'payoutCheck'] as const)('%s is accepted, and every digit of its order id is kept', async name => {
  const orderId = await calls[name]()
  expect(BigInt(orderId)).toBeGreaterThan(2n ** 53n)
  expect(String(Number(orderId))).not.toBe(orderId)
  expect(gateway.orders.list()).toMatchObject([{ orderId, clientOrderId: 'order-1' }])
  expect(gateway.calls(name)).toMatchObject([{ verdict: 'accepted' }])
})

it.each(['sale', 'payoutCheck'] as const)('%s is answered with 406 when Accept is left out', async name => {
  const withAccept = fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((url, options) => {
    const headers = new Headers(options?.headers)
    headers.delete('accept')
    return withAccept(url, { ...options, headers })
  })
  await expect(calls[name]()).rejects.toThrow(/^HTTP 406, .*Accept/)
  expect(gateway.orders.list()).toEqual([])
})

it('a refusal is an error with the words of the gateway', async () => {
  await expect(sale(baseUrl, '39', 'order-1', 'another key')).rejects.toThrow(
    /^HTTP 401, .*Control value does not match/,
  )
  expect(gateway.orders.list()).toEqual([])
})

it.each([
  ['digits inside a text', '"o: 9007199254740993, \\" 12"', 'o: 9007199254740993, " 12'],
  ['a number of 19 digits', '9223372036854775807', '9223372036854775807'],
  ['a negative fraction', ' -1.5e+3 ', '-1.5e+3'],
])('a reply with %s is read as it was written', async (_, written, read) => {
  const reply = `{"type":"async-response", "merchant-order-id":"1","paynet-order-id":${written}}`
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(reply))
  expect(await pay()).toBe(read)
})
