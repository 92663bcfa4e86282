/** One client for several merchants: each call is signed and reported as its own merchant's. */

import { createHash, createPublicKey } from 'node:crypto'
import { verifyAuthorization } from '@tillkit/signing'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createClient, type Exchange, importPrivateKey, type Merchant, type RequestDispatcher } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { otherPrivateKey, otherPublicKey } from './other-keys.js'
import { recordAttempts } from './recorded-attempts.js'
import { saleRequest } from './sample-requests.js'

const ours = { login: 'ours', controlKey: 'key-of-ours', endpointId: 39 } as const
const theirs: Merchant = {
  login: 'theirs',
  controlKey: 'key-of-theirs',
  privateKey: otherPrivateKey,
  endpointId: 40,
}
const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const money = { amount: '5.00', currency: 'EUR' }
const payout = { clientOrderId: 'p-1', ...money, accountNumber: '40817' }

function open(options: object = {}) {
  const { dispatcher, captured } = capturing(anyReply)
  const exchanges: Exchange[] = []
  const recorded = recordAttempts()
  const observer = { ...recorded.observer, exchange: (exchange: Exchange) => void exchanges.push(exchange) }
  const base = { baseUrl: 'https://gate.example/paynet', ...ours, dispatcher, observer, clock: () => now }
  return { client: createClient({ ...base, ...options }), captured, exchanges, attempts: recorded.attempts }
}

const sha1 = (text: string) => createHash('sha1').update(text, 'utf8').digest('hex')

describe('a call for another merchant', () => {
  it('is signed with that merchant’s control key, at its endpoint', async () => {
    const { client, captured } = open()
    await client.sale(saleRequest, { merchant: theirs })
    expect(captured[0]?.path).toBe('/paynet/api/v2/sale/40')
    const control = new URLSearchParams(captured[0]?.body).get('control')
    expect(control).toBe(sha1('40o-11042john@example.comkey-of-theirs'))
  })

  it('carries that merchant’s login in the body and in what is signed', async () => {
    const { client, captured } = open()
    await client.capture({ clientOrderId: 'o-1', orderId: '77' }, { merchant: theirs })
    expect(captured.at(-1)?.path).toBe('/paynet/api/v2/capture/40')
    const form = new URLSearchParams(captured.at(-1)?.body)
    expect(form.get('login')).toBe('theirs')
    expect(form.get('control')).toBe(sha1('theirso-177key-of-theirs'))
  })

  it.each([
    ['payout', { hmacSecrets: 'key-of-theirs' }],
    ['payoutV4', { publicKeys: [{ label: 'theirs', key: createPublicKey(otherPublicKey) }] }],
  ] as const)('carries a header of that merchant for %s', async (name, keys) => {
    const { client, captured } = open()
    await client[name](payout, { merchant: theirs })
    const { path, body, headers } = captured[0]!
    const verification = await verifyAuthorization({
      method: 'POST',
      url: new URL(path, 'https://gate.example'),
      parameters: [...new URLSearchParams(body)],
      authorization: headers.authorization,
      keys,
      policy: { now: now / 1000, windowSeconds: 0 },
    })
    expect(verification).toMatchObject({ kind: 'verified', consumerKey: 'theirs' })
  })

  it('leaves the client’s own calls as they were', async () => {
    const { client, captured } = open()
    await client.sale(saleRequest, { merchant: theirs })
    await client.sale({ ...saleRequest, clientOrderId: 'o-2' })
    expect(captured[1]?.path).toBe('/paynet/api/v2/sale/39')
    expect(new URLSearchParams(captured[1]?.body).get('control')).toBe(sha1('39o-21042john@example.comkey-of-ours'))
  })

  it('goes to the endpoint of the call before that of the merchant', async () => {
    const { client, captured } = open()
    await client.sale(saleRequest, { merchant: theirs, endpointGroupId: 7 })
    expect(captured[0]?.path).toBe('/paynet/api/v2/sale/group/7')
  })

  it('takes the client’s endpoint only for the client’s own login, whose keys may differ', async () => {
    const { client, captured } = open()
    await client.sale(saleRequest, { merchant: { login: 'ours', controlKey: 'next-key-of-ours' } })
    expect(captured[0]?.path).toBe('/paynet/api/v2/sale/39')
    const stray = client.sale(saleRequest, { merchant: { login: 'theirs', controlKey: 'key-of-theirs' } })
    await expect(stray).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field: 'endpointId' })
    expect(captured).toHaveLength(1)
  })

  it('is described as that merchant’s: the same order id of two merchants is two orders', async () => {
    const { client, attempts } = open()
    await client.sale(saleRequest)
    await client.sale(saleRequest, { merchant: theirs })
    const [first, second] = attempts()
    expect([first?.login, second?.login]).toEqual(['ours', 'theirs'])
    expect(first?.fingerprint).not.toBe(second?.fingerprint)
  })

  it('has fingerprints keyed by that merchant’s key', async () => {
    const fingerprintWith = async (controlKey: string) => {
      const { client, attempts } = open()
      await client.sale(saleRequest, { merchant: { ...theirs, controlKey } })
      return attempts()[0]?.fingerprint
    }
    expect(await fingerprintWith('one')).not.toBe(await fingerprintWith('two'))
    expect(await fingerprintWith('one')).toBe(await fingerprintWith('one'))
  })

  it('is observed as that merchant’s, without its key', async () => {
    const { client, exchanges } = open()
    await client.sale(saleRequest, { merchant: theirs })
    await client.sale({ ...saleRequest, clientOrderId: 'o-2' })
    expect(exchanges.map(({ login, signed }) => [login, signed.login])).toEqual([
      ['theirs', 'theirs'],
      ['ours', 'ours'],
    ])
    expect(JSON.stringify(exchanges)).not.toContain('key-of-theirs')
  })

  it('fails as that merchant’s', async () => {
    const refusing = capturing('{"type":"validation-error"}').dispatcher
    const { client } = open({ dispatcher: refusing })
    const refused = { code: 'ERR_REQUEST_REFUSED', login: 'theirs' }
    await expect(client.sale(saleRequest, { merchant: theirs })).rejects.toMatchObject(refused)
    await expect(client.sale(saleRequest)).rejects.toMatchObject({ ...refused, login: 'ours' })
    const unreadable = open({ dispatcher: capturing('<html>').dispatcher }).client
    const unknown = {
      code: 'ERR_OUTCOME_UNKNOWN',
      login: 'theirs',
      cause: expect.objectContaining({ login: 'theirs' }),
    }
    await expect(unreadable.sale(saleRequest, { merchant: theirs })).rejects.toMatchObject(unknown)
    await client.close()
    const closed = client.sale({ ...saleRequest, clientOrderId: 'o-9' }, { merchant: theirs })
    await expect(closed).rejects.toMatchObject({ code: 'ERR_NOT_SENT', login: 'theirs' })
  })

  it('waits for an outcome as that merchant', async () => {
    const { client, captured } = open()
    const question = { clientOrderId: 'o-1', orderId: '77', stages: ['sale'] }
    await client.awaitOutcome(question, { merchant: theirs, deadline: now })
    expect(captured.length).toBeGreaterThan(0)
    for (const { path, body } of captured) {
      expect(path).toBe('/paynet/api/v2/status/40')
      expect(new URLSearchParams(body).get('control')).toBe(sha1('theirso-177key-of-theirs'))
    }
  })

  it('never borrows a key of the client', async () => {
    const { client, captured } = open({ privateKey: otherPrivateKey })
    const keyless = { merchant: { login: 'theirs', endpointId: 40 } }
    const needs = (field: string) => ({ code: 'ERR_INVALID_REQUEST', field })
    await expect(client.sale(saleRequest, keyless)).rejects.toMatchObject(needs('controlKey'))
    await expect(client.sale(saleRequest, keyless)).rejects.toThrow('the merchant "theirs" has no "controlKey"')
    await expect(client.payoutV4(payout, keyless)).rejects.toMatchObject(needs('privateKey'))
    expect(captured).toHaveLength(0)
  })

  it('reads a merchant again whose keys have changed since', async () => {
    const { client, captured } = open()
    const merchant = { login: 'theirs', controlKey: 'old', endpointId: 40 }
    await client.sale(saleRequest, { merchant })
    merchant.controlKey = 'new'
    await client.sale({ ...saleRequest, clientOrderId: 'o-2' }, { merchant })
    const controls = captured.map(({ body }) => new URLSearchParams(body).get('control'))
    expect(controls).toEqual([sha1('40o-11042john@example.comold'), sha1('40o-21042john@example.comnew')])
  })

  it('refuses a key labelled for the other environment', async () => {
    const { client } = open({ environment: 'production' })
    const privateKey = importPrivateKey(otherPrivateKey, { label: 'test' })
    const call = client.payoutV4(payout, { merchant: { login: 'theirs', endpointId: 40, privateKey } })
    await expect(call).rejects.toThrow('"merchant" cannot be used: "privateKey" is labelled test')
  })

  it('never shows a key that cannot be read', async () => {
    const { client } = open()
    const merchant = { login: 'theirs', endpointId: 40, controlKey: 'padded-secret-key ' }
    const error: unknown = await client.sale(saleRequest, { merchant }).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('"controlKey" begins or ends with white space')
    expect(String(error)).not.toContain('padded-secret-key')
  })
})

describe('two merchants of one gateway', () => {
  /** Each has a gateway of its own behind one address: whose a request is shows in the endpoint of its path. */
  function openBoth() {
    const first = createFakeGateway({ endpointId: 39, login: 'ours', controlKey: 'key-of-ours' })
    const second = createFakeGateway({
      endpointId: 40,
      login: 'theirs',
      controlKey: 'key-of-theirs',
      privateKey: otherPrivateKey,
    })
    const dispatcher: RequestDispatcher = {
      dispatch: (options, handler) =>
        (options.path.endsWith('/40') ? second : first).dispatcher.dispatch(options, handler),
    }
    const client = createClient({ ...first.clientOptions, dispatcher })
    const merchant: Merchant = {
      login: 'theirs',
      controlKey: 'key-of-theirs',
      privateKey: otherPrivateKey,
      endpointId: 40,
    }
    return { client, first, second, merchant }
  }

  it('are served by one client, in all three schemes', async () => {
    const { client, first, second, merchant } = openBoth()
    for (const [gateway, options] of [
      [first, {}],
      [second, { merchant }],
    ] as const) {
      const { orderId } = await client.preauth({ ...saleRequest, cvv2: '123' }, options)
      await client.capture({ clientOrderId: 'o-1', orderId }, options)
      await client.payout(payout, options)
      await client.payoutV4({ ...payout, clientOrderId: 'p-2' }, options)
      const now = await client.status({ clientOrderId: 'o-1', orderId }, options)
      expect(now).toMatchObject({ status: 'approved', transactionType: 'capture' })
      gateway.assertAllHandled()
      expect(gateway.calls().every(({ verdict }) => verdict === 'accepted')).toBe(true)
    }
    await client.close()
  })

  it('are told apart by the gateway when their keys are mixed up', async () => {
    const { client, merchant } = openBoth()
    const mixed = { ...merchant, controlKey: 'key-of-ours' }
    const refused = { code: 'ERR_AUTHENTICATION_REFUSED', login: 'theirs' }
    await expect(client.sale(saleRequest, { merchant: mixed })).rejects.toMatchObject(refused)
    await client.close()
  })
})
