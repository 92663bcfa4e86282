import { createHash } from 'node:crypto'
import { defineProfile } from '@tillkit/protocol'
import {
  createRequestSigner,
  hmacSha1Signer,
  importPrivateKey,
  parseAuthorizationHeader,
  rsaSha256Signer,
  signatureBaseString,
} from '@tillkit/signing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, type FakeGateway } from '../src/index.js'
import { otherPrivateKey } from './other-keys.js'
import { type Name, type Prepared, prepare, send } from './signed-request.js'

const fields = {
  clientOrderId: 'p-1',
  amount: '10.00',
  currency: 'EUR',
  orderDesc: 'two words',
  accountNumber: 'GB33BUKB20201555555555',
}

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway()
})
afterEach(() => gateway.close())

/** Tells the gateway what was signed, as a client does; `mask` stands in for a client's masking. */
function announce(operation: Name, { url, parameters, headers }: Prepared, mask = (text: string) => text): void {
  const header = parseAuthorizationHeader(headers.authorization ?? '')?.parameters ?? []
  const signature = new Map(header).get('oauth_signature') ?? ''
  gateway.clientOptions.observer.signed({
    operation,
    scheme: 'oauth',
    fingerprint: createHash('sha256').update(signature).digest('hex'),
    baseString: mask(signatureBaseString({ method: 'POST', url, parameters: [...parameters, ...header] })),
  })
}

for (const [operation, method] of [
  ['payout', 'HMAC-SHA1'],
  ['payoutV4', 'RSA-SHA256'],
] as const) {
  describe(`${operation}, signed with ${method}`, () => {
    it('is accepted unaltered, parameters in any order', async () => {
      const prepared = await prepare(gateway, operation, fields)
      const answer = await send(gateway, { ...prepared, parameters: prepared.parameters.toReversed() })
      expect(answer.status).toBe(200)
    })

    it.each(['amount', 'currency', 'order_desc', 'account_number'])('names the altered parameter %s', async name => {
      const prepared = await prepare(gateway, operation, fields)
      announce(operation, prepared)
      const parameters = prepared.parameters.map(([key, value]): [string, string] => [
        key,
        key === name ? 'XXX' : value,
      ])
      const answer = await send(gateway, { ...prepared, parameters })
      expect(answer.status).toBe(401)
      expect(answer.reply['error-message']).toMatch(
        new RegExp(`^${method} signature does not match: "${name}" was signed as ".*", the request says "XXX"\\.$`),
      )
    })

    it('names a parameter that was added and one that was taken away', async () => {
      const prepared = await prepare(gateway, operation, fields)
      announce(operation, prepared)
      const more = await send(gateway, { ...prepared, parameters: [...prepared.parameters, ['purpose', 'other']] })
      expect(more.reply['error-message']).toContain('"purpose" was not signed, the request says "other"')
      const parameters = prepared.parameters.filter(([name]) => name !== 'order_desc')
      const less = await send(gateway, { ...prepared, parameters })
      expect(less.reply['error-message']).toContain(
        '"order_desc" was signed as "two words", the request does not have it',
      )
    })

    it('names an altered timestamp', async () => {
      const prepared = await prepare(gateway, operation, fields)
      announce(operation, prepared)
      const authorization = prepared.headers.authorization?.replace(
        /oauth_timestamp="(\d+)"/,
        (_, seconds: string) => `oauth_timestamp="${BigInt(seconds) - 1n}"`,
      )
      const answer = await send(gateway, {
        ...prepared,
        headers: { ...prepared.headers, authorization: authorization ?? '' },
      })
      expect(answer.reply['error-message']).toContain('"oauth_timestamp" was signed as')
    })

    it('names another path', async () => {
      const [other, path] =
        operation === 'payout' ? (['payoutForm', 'payout-form'] as const) : (['payoutCheck', 'payout-check'] as const)
      const prepared = await prepare(gateway, other, fields)
      announce(other, prepared)
      const url = new URL(prepared.url.href.replace(path, 'payout'))
      const answer = await send(gateway, { ...prepared, url })
      expect(answer.reply['error-message']).toContain(
        `it was made for ${prepared.url.href}, the request went to ${url.href}`,
      )
    })

    it('names another host', async () => {
      const prepared = await prepare(gateway, operation, fields)
      announce(operation, prepared)
      const { origin, port } = await gateway.listen()
      const url = new URL(prepared.url.pathname, origin)
      const answer = await send(gateway, { ...prepared, url })
      expect(answer.reply['error-message']).toContain(
        `it was made for ${prepared.url.href}, the request went to http://127.0.0.1:${port}`,
      )
    })

    it('names the key when everything else agrees', async () => {
      const keys = { controlKey: 'another control key', privateKey: otherPrivateKey }
      const other = createFakeGateway({ ...keys, clock: gateway.clock })
      const prepared = await prepare(other, operation, fields)
      announce(operation, prepared)
      const answer = await send(gateway, prepared)
      expect(answer.reply['error-message']).toBe(
        `${method} signature does not match: everything is as it was signed, so the ${method === 'HMAC-SHA1' ? 'control key' : 'key pair'} differs.`,
      )
    })

    it('shows the base string it built when nothing was announced', async () => {
      const prepared = await prepare(gateway, operation, { ...fields, creditCardNumber: '4444444444444448' })
      const parameters = prepared.parameters.map(([name, value]): [string, string] => [
        name,
        name === 'amount' ? '11.00' : value,
      ])
      const answer = await send(gateway, { ...prepared, parameters })
      expect(answer.reply['error-message']).toContain('POST&https%3A%2F%2Fgateway.test%2Fpaynet%2Fapi%2Fv')
      expect(answer.reply['error-message']).toContain('amount%3D11.00')
      expect(answer.reply['error-message']).toContain('order_desc%3Dtwo%2520words')
      expect(answer.text).not.toContain('4444444444444448')
    })

    it('names the mistake of a sender that announces nothing: an address signed without its prefix', async () => {
      const plain = await prepare(gateway, operation, { ...fields, clientOrderId: 'p-2' })
      const unprefixed = new URL(plain.url.href.replace('/paynet', ''))
      const signer =
        method === 'HMAC-SHA1'
          ? hmacSha1Signer({ consumerSecret: gateway.clientOptions.controlKey })
          : rsaSha256Signer(importPrivateKey(gateway.clientOptions.privateKey))
      const header = await createRequestSigner({ consumerKey: gateway.clientOptions.login, signer }).header({
        url: unprefixed,
        parameters: plain.parameters,
        timestamp: Math.floor(gateway.clock.now() / 1000),
        nonce: 'n-prefix',
      })
      const named = await send(gateway, { ...plain, headers: { ...plain.headers, authorization: header } })
      expect(named.reply['error-message']).toMatch(/prefix.*The gateway covered, card data masked/)
      expect(named.text).not.toContain(gateway.clientOptions.controlKey)
    })

    it('says which parameters were masked when nothing visible differs', async () => {
      const prepared = await prepare(gateway, operation, fields)
      announce(operation, prepared, text => text.replace('GB33BUKB20201555555555', '%252A%252A%252A5555'))
      const parameters = prepared.parameters.map(([name, value]): [string, string] => [
        name,
        name === 'account_number' ? 'GB33BUKB20201555995555' : value,
      ])
      const answer = await send(gateway, { ...prepared, parameters })
      expect(answer.reply['error-message']).toContain('a masked parameter differs ("account_number")')
    })

    it('refuses a nonce that was used before', async () => {
      const prepared = await prepare(gateway, operation, fields)
      expect((await send(gateway, prepared)).status).toBe(200)
      const again = await send(gateway, prepared)
      expect(again.status).toBe(401)
      expect(again.reply['error-message']).toContain('replay')
    })

    it("takes the time of day though somebody moved the gateway's clock a day ahead, and the moved time as well", async () => {
      const byTheTimeOfDay = await prepare(gateway, operation, fields)
      await gateway.clock.advance(86_400_000)
      expect((await send(gateway, byTheTimeOfDay)).status).toBe(200)
      const byTheMovedClock = await prepare(gateway, operation, { ...fields, clientOrderId: 'p-2' })
      expect((await send(gateway, byTheMovedClock)).status).toBe(200)
    })

    it('refuses a replay after the clock was moved', async () => {
      const prepared = await prepare(gateway, operation, fields)
      expect((await send(gateway, prepared)).status).toBe(200)
      await gateway.clock.advance(86_400_000)
      expect((await send(gateway, prepared)).reply['error-message']).toContain('replay')
    })

    it('refuses a timestamp that is far from both times, and names them and the window', async () => {
      const moved = createFakeGateway({ clock: createFakeClock({ base: () => Date.UTC(2030, 0, 1) }) })
      const prepared = await prepare(moved, operation, fields)
      const old = await prepare(
        createFakeGateway({ clock: createFakeClock({ base: () => Date.UTC(2029, 11, 31, 23, 54, 59) }) }),
        operation,
        fields,
      )
      expect((await send(moved, old)).reply['error-message']).toBe(
        '"oauth_timestamp" is 1893455699, which is 2029-12-31T23:54:59Z; the gateway\'s clock says 2030-01-01T00:00:00Z. ' +
          'At most 300 s from that are allowed: set the clock of the machine that signs, and write seconds, not milliseconds.',
      )
      await moved.clock.advance(86_400_000)
      const answer = await send(moved, old)
      expect(answer.status).toBe(401)
      expect(answer.reply['error-message']).toContain(
        "the gateway's clock says 2030-01-02T00:00:00Z, and 2030-01-01T00:00:00Z without the 86400 s it was moved forward. " +
          'At most 300 s from one of the two are allowed',
      )
      expect((await send(moved, prepared)).status).toBe(200)
    })

    it('allows what the profile says', async () => {
      const at = (time: number) =>
        createFakeGateway({
          clock: createFakeClock({ base: () => time }),
          profile: defineProfile({ oauthWindow: 3600 }),
        })
      const signed = (seconds: number) =>
        prepare(at(1_800_000_000_000 - seconds * 1000), operation, { ...fields, clientOrderId: `p-${seconds}` })
      const wide = at(1_800_000_000_000)
      expect((await send(wide, await signed(3600))).status).toBe(200)
      expect((await send(wide, await signed(3601))).reply['error-message']).toContain('At most 3600 s from that')
    })

    it('says which scheme it wants when there is no header', async () => {
      const prepared = await prepare(gateway, operation, fields)
      const { authorization: _, ...headers } = prepared.headers
      const answer = await send(gateway, { ...prepared, headers })
      expect(answer.status).toBe(401)
      expect(answer.reply['error-message']).toContain(`This operation is signed with ${method}`)
    })
  })
}

it('refuses the other OAuth scheme by name', async () => {
  const prepared = await prepare(gateway, 'payoutV4', fields)
  const url = new URL(prepared.url.href.replace('/v4/', '/v2/'))
  const answer = await send(gateway, { ...prepared, url })
  expect(answer.reply['error-message']).toBe('This operation is signed with HMAC-SHA1, the header says "RSA-SHA256".')
})

it('refuses another consumer key by name', async () => {
  const other = createFakeGateway({ login: 'somebody', clock: gateway.clock })
  const answer = await send(gateway, await prepare(other, 'payout', fields))
  expect(answer.status).toBe(401)
  expect(answer.reply['error-message']).toContain('"oauth_consumer_key" is "somebody"')
})
