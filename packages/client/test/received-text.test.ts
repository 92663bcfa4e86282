/** What is kept of an answer that cannot be read: enough for a person to look at, and none of the secrets. */
import { describe, expect, it } from 'vitest'
import type { AnyGatewayError, ClientOptions, Exchange, GatewayError } from '../src/index.js'
import { failingCalls } from './failing-calls.js'
import { type Behaviour, reply } from './gateway-server.js'
import { acceptedBody, saleRequest } from './sample-requests.js'

const { now, open } = failingCalls()

/** Sends a sale, expects its outcome to be unknown, and returns what was kept of the answer. */
async function kept(behaviour: Behaviour, options: Partial<ClientOptions> = {}): Promise<string | undefined> {
  now.server.behave(behaviour)
  const exchanges: Exchange[] = []
  const client = open({ ...options, observer: { exchange: exchange => exchanges.push(exchange) } })
  const error: AnyGatewayError = await client.sale(saleRequest).then(
    () => Promise.reject(new Error('the call succeeded')),
    thrown => thrown,
  )
  await client.close()
  expect(error).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', moneyMayHaveMoved: true })
  expect((error.cause as GatewayError).receivedText).toBe(error.receivedText)
  expect(exchanges[0]?.receivedText).toBe(error.receivedText)
  return error.receivedText
}

const ids = '"merchant-order-id":"o-1", "paynet-order-id":"77"'

describe('what is kept of an answer that cannot be read', () => {
  it('is the text of a page, without addresses and long numbers', async () => {
    const body = '<h1>Blocked</h1> jane@example.com, case 12, card 4111 1111 1111 1112, reference 123456789012'
    expect(await kept(reply({ type: 'text/html', body }))).toBe(
      '<h1>Blocked</h1> ***, case 12, card ***, reference ***',
    )
  })

  it('is the fields of a form, as hosts answer that do not heed Accept, by the allowlist', async () => {
    const body = 'type=async-response%0A&paynet-order-id=77%0A&cardholder-name=Jane+Doe%0A'
    expect(await kept(reply({ type: 'text/html', body }))).toBe(
      '"type":"async-response", "paynet-order-id":"77", "cardholder-name":"***"',
    )
  })

  it('is the whole fields of JSON that is cut off', async () => {
    const body = `{"merchant-order-id":"o-1","paynet-order-id":77,"cardholder-name":"Jane","amount":"10.4`
    expect(await kept(reply({ body }))).toBe(`${ids}, "cardholder-name":"***"`)
  })

  it('is both values of a repeated key', async () => {
    const body = '{"paynet-order-id":"77","paynet-order-id":"78"}'
    expect(await kept(reply({ body }))).toBe('"paynet-order-id":"77", "paynet-order-id":"78"')
  })

  it('is what came before the limit', async () => {
    const body = `{"merchant-order-id":"o-1","paynet-order-id":"77","html":"${'x'.repeat(100)}"}`
    expect(await kept(reply({ body }), { maxReplyBytes: 80 })).toBe(ids)
  })

  it('is what came before the connection broke', async () => {
    const cut: Behaviour = (socket, request) => {
      reply({ body: acceptedBody, length: 5000 })(socket, request)
      socket.end()
    }
    expect(await kept(cut)).toContain(ids)
  })

  it('holds no card number whose end did not arrive', async () => {
    const cut: Behaviour = (socket, request) => {
      reply({ type: 'text/plain', body: 'card 4444 4444 4444 44', length: 5000 })(socket, request)
      socket.end()
    }
    expect(await kept(cut)).toBe('card')
  })

  it('is at most 1000 characters', async () => {
    expect(await kept(reply({ type: 'text/html', body: 'long page '.repeat(1000) }))).toHaveLength(1000)
  })

  it.each([
    ['is empty', reply({ type: 'text/html' })],
    ['is compressed', reply({ headers: ['Content-Encoding: gzip'], body: acceptedBody })],
    ['is no text', reply({ type: 'image/png', body: '\u0000PNG' })],
  ])('is nothing where the answer %s', async (_when, behaviour) => {
    expect(await kept(behaviour)).toBeUndefined()
  })
})
