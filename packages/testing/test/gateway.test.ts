import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { operation } from '@tillkit/protocol'
import { createRequestSigner, importPrivateKey, importPublicKey, rsaSha256Signer } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'
import { createFakeGateway, describeCalls, testPrivateKey, testPublicKey } from '../src/index.js'
import { vectors } from '../src/vectors.js'
import { otherPrivateKey, otherPublicKey } from './other-keys.js'
import { call, pay, prepare, send } from './signed-request.js'

const formOf = (key: KeyObject) => (key.type === 'private' ? 'pkcs8' : 'spki')

describe('createFakeGateway', () => {
  it.each([
    [{ login: '' }, '"login" is empty'],
    [{ controlKey: '' }, '"controlKey" is empty'],
    [{ prefix: '' }, '"prefix" is ""'],
    [{ prefix: 'paynet/' }, '"prefix" is "paynet/"'],
    [{ origin: 'https://gateway.test/path' }, '"origin" is'],
    [{ endpointId: 9007199254740992 }, '"endpointId" is 9007199254740992'],
    [{ endpointId: '9223372036854775808' }, 'must be a 64-bit integer'],
    [{ endpointId: 'abc' }, '"endpointId" is abc'],
    [{ processingTime: -1 }, '"processingTime" is -1'],
    [{ processingTime: '5' as never }, '"processingTime" is "5"; it must be a number of milliseconds, 0 or more.'],
    [{ clock: 1 as never }, '"clock" has no method "now". Pass createFakeClock({ base }).'],
    [{ faults: 'drop' as never }, '"faults" is "drop"; it must be a list.'],
    [{ faults: [{ fault: 'callback-late', delay: '5' as never }] }, '"delay" is "5"'],
    [{ privateKey: 'not a key' }, '"privateKey" cannot be read'],
    [{ processingtime: 5 } as object, 'no option "processingtime"'],
  ])('refuses %j', (options, text) => {
    expect(() => createFakeGateway(options)).toThrow(text)
  })

  it('takes a public key alone, and says what clientOptions lacks then', () => {
    const gateway = createFakeGateway({ publicKey: testPublicKey })
    expect(() => gateway.clientOptions).toThrow('"privateKey" was not given with "publicKey"')
    expect(createFakeGateway({ privateKey: testPrivateKey }).clientOptions.privateKey).toBe(testPrivateKey)
  })

  it.each([
    ['bytes of PEM', (key: KeyObject) => Buffer.from(key.export({ type: formOf(key), format: 'pem' }))],
    ['bytes of DER', (key: KeyObject) => key.export({ type: formOf(key), format: 'der' })],
    ['a JSON Web Key', (key: KeyObject) => key.export({ format: 'jwk' })],
    ['a KeyObject', (key: KeyObject) => key],
  ])('takes keys as %s, and gives clients PEM', async (_form, inForm) => {
    const payout = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', accountNumber: '12345678' }
    const privateKey = inForm(createPrivateKey(otherPrivateKey))
    for (const keys of [{ privateKey }, { privateKey, publicKey: inForm(createPublicKey(otherPublicKey)) }]) {
      const gateway = createFakeGateway(keys)
      expect(gateway.clientOptions.privateKey).toBe(otherPrivateKey)
      const stranger = { ...gateway, clientOptions: { ...gateway.clientOptions, privateKey: testPrivateKey } }
      expect((await call(stranger, 'payoutV4', payout)).status).not.toBe(200)
      expect((await call(gateway, 'payoutV4', payout)).status).toBe(200)
    }
  })

  it('ships a key pair that belongs together', () => {
    expect(importPrivateKey(testPrivateKey).fingerprint).toBe(importPublicKey(testPublicKey).fingerprint)
  })

  it('gives the same identifiers for the same seed and others for another', async () => {
    const idsOf = async (seed: string) => {
      const { reply } = await pay(createFakeGateway({ seed }), 'sale', { clientOrderId: 'o-1' })
      return [reply['paynet-order-id'], reply['serial-number']]
    }
    expect(await idsOf('a')).toEqual(await idsOf('a'))
    expect(await idsOf('a')).not.toEqual(await idsOf('b'))
  })

  it('forgets everything on reset but never gives out an identifier twice', async () => {
    const gateway = createFakeGateway()
    const first = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    gateway.reset()
    expect(gateway.calls()).toEqual([])
    expect((await call(gateway, 'status', { clientOrderId: 'o-1' })).status).toBe(400)
    const second = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    expect(second.status).toBe(200)
    expect(second.reply['paynet-order-id']).not.toBe(first.reply['paynet-order-id'])
  })

  it('keeps the latest calls only, by operation or all of them', async () => {
    const gateway = createFakeGateway({ maxCalls: 3 })
    for (const clientOrderId of ['o-1', 'o-2', 'o-3']) await pay(gateway, 'sale', { clientOrderId })
    await call(gateway, 'status', { clientOrderId: 'o-1' })
    expect(gateway.calls().map(({ operation: name }) => name)).toEqual(['sale', 'sale', 'status'])
    expect(gateway.calls('sale')).toHaveLength(2)
    const table = describeCalls(gateway.calls()).split('\n')
    expect(table[0]).toMatch(/^# +time +operation +order +amount +scheme +verdict +answer$/)
    expect(table).toHaveLength(4)
    expect(table[1]).toMatch(/^2 +\S+Z +sale +o-2 +10\.00 EUR +control +accepted +200$/)
    expect(table[3]).toContain('status')
    expect(() => gateway.calls('sail')).toThrow('There is no operation "sail" to list calls of. There are: ')
  })

  it('shows a fault and a long explanation in the table of calls', async () => {
    const gateway = createFakeGateway()
    gateway.faults.arm('commit-then-drop')
    await pay(gateway, 'sale', { clientOrderId: 'o-1' }).catch(() => undefined)
    const payout = await prepare(gateway, 'payout', {
      clientOrderId: 'p-1\n\u001b[2J',
      amount: '1.00',
      currency: 'EUR',
    })
    await send(gateway, { ...payout, parameters: [...payout.parameters, ['order_desc', 'altered']] })
    const lines = describeCalls(gateway.calls()).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^# .* answer +fault +explanation$/)
    expect(lines[1]).toMatch(/ accepted +hung up +commit-then-drop$/)
    expect(lines[2]).toMatch(/^2 .* payout +p-1 \[2J +1\.00 EUR +oauth-hmac-sha1 +refused +401 +\S/)
    expect(describeCalls([])).toBe('No calls.')
  })

  it('begins anew from a seed, so that a test sees the same alone and among others', async () => {
    const gateway = createFakeGateway({ seed: 'a' })
    const run = async () => {
      gateway.faults.arm({ fault: 'drop', probability: 0.5 })
      const pays = Array.from({ length: 8 }, (_, index) =>
        pay(gateway, 'sale', { clientOrderId: `o-${index}` }).then(
          ({ reply }) => reply,
          () => 'dropped',
        ),
      )
      return Promise.all(pays)
    }
    const first = await run()
    expect(new Set(first).size).toBeGreaterThan(2)
    gateway.reset({ seed: 'a' })
    expect(await run()).toEqual(first)
    gateway.reset({ seed: 7 })
    expect(gateway.seed).toBe('7')
    expect(await run()).not.toEqual(first)
    gateway.faults.arm('drop')
    expect(() => gateway.assertAllHandled()).toThrow('(seed "7")')
  })

  it('names a path that nobody handles', async () => {
    const gateway = createFakeGateway()
    const prepared = await prepare(gateway, 'sale', { clientOrderId: 'o-1' })
    await send(gateway, { ...prepared, url: new URL(prepared.url.href.replace('/sale/', '/sell/')) })
    expect(() => gateway.assertAllHandled()).toThrow('A request went to /paynet/api/v2/sell/39.')
  })

  it("checks operations of one's own and lets a handler answer them", async () => {
    const updateRecurringPayment = operation<{ recurringPaymentId: string }, { status: string }>({
      name: 'UPDATE_RP_V4',
      path: '/api/v4/update-recurring-payment',
      signing: { scheme: 'oauth-rsa-sha256' },
      effect: 'changes',
      request: 'UpdateRecurringPayment',
      response: 'AsyncResponse',
      required: ['recurringPaymentId'],
      stages: [],
      wireNames: { recurringPaymentId: 'recurring-payment-id' },
    })
    const gateway = createFakeGateway({ operations: { updateRecurringPayment } })
    gateway.handle(
      {},
      { updateRecurringPayment: ({ recurringPaymentId }) => ({ recurringPaymentId: `${recurringPaymentId}!` }) },
    )
    const { baseUrl, login, clock } = gateway.clientOptions
    const url = new URL(`${baseUrl.href}${updateRecurringPayment.path}/39`)
    const sent = async (parameters: [string, string][]) => {
      const signer = rsaSha256Signer(importPrivateKey(testPrivateKey))
      const authorization = await createRequestSigner({ consumerKey: login, signer }).header({
        url,
        parameters,
        timestamp: Math.floor(clock() / 1000),
        nonce: parameters.join(),
      })
      const headers = {
        accept: 'application/vnd.pay+json',
        'content-type': 'application/x-www-form-urlencoded',
        authorization,
      }
      return send(gateway, { url, headers, parameters, evidence: [] })
    }
    const answer = await sent([['recurring-payment-id', '350001']])
    expect(answer.reply).toMatchObject({ 'recurring-payment-id': '350001!' })
    expect((await sent([['other', 'x']])).reply['error-message']).toBe('"recurring-payment-id" is missing.')
    expect(gateway.calls('updateRecurringPayment')).toHaveLength(2)
  })
})

describe('published vectors', () => {
  it('are there with their sources, and the JSON beside them is the same', () => {
    const json = JSON.parse(readFileSync(new URL('../src/vectors.json', import.meta.url), 'utf8')) as {
      vectors: unknown
    }
    expect(json.vectors).toEqual(vectors)
    expect(vectors.length).toBeGreaterThanOrEqual(18)
    expect(vectors.every(({ id, source, expected }) => id !== '' && source !== '' && expected !== undefined)).toBe(true)
    expect(vectors.map(({ id }) => id)).toContain('control-sale-doc')
  })
})
