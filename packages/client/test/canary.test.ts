/** Secrets are planted in requests and echoed by the gateway; then everything that could be logged is searched. */
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AnyGatewayError, type Client, createClient, generateKeyPair, memoryAttempts } from '../src/index.js'
import { type Behaviour, type GatewayServer, reply, startServer } from './gateway-server.js'
import { captureRequest, controlKey, saleRequest } from './sample-requests.js'

const { privateKey } = generateKeyPair()
/** Looked for where they stand alone: a random identifier may well hold four digits in a row. */
const shortSecrets = [saleRequest.cvv2, saleRequest.expireYear, `${saleRequest.expireMonth}/83`]
const secrets = [saleRequest.creditCardNumber, saleRequest.cardPrintedName, controlKey, privateKey.split('\n')[3]!]

let server: GatewayServer
let shown: string[] = []
let sentSecrets: string[] = []
let client: Client

beforeEach(async () => {
  server = await startServer(() => {})
  const show = (value: unknown) => shown.push(inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value))
  shown = []
  sentSecrets = []
  client = createClient({
    baseUrl: server.baseUrl,
    endpointId: 39,
    login: 'merchant',
    controlKey,
    privateKey,
    retries: 0,
    attempts: {
      ...memoryAttempts(),
      reserve: async attempt => {
        show(attempt)
        return { reserved: true }
      },
    },
    observer: { signed: show, exchange: show, unsettled: attempt => show(attempt) },
  })
  shown.push(inspect(client, { depth: 20, showHidden: true }))
})

afterEach(async () => {
  await server.close()
  await client.close()
})

/** The control value or signature of a request, as it was sent. */
function secretOf(head: string, body: string): string {
  const control = new URLSearchParams(body).get('control')
  return control ?? /oauth_signature="([^"]+)"/.exec(head)?.[1] ?? ''
}

function showError(error: AnyGatewayError): void {
  shown.push(inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), error.message, `${error.stack}`)
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    shown.push(inspect(cause, { depth: 20, showHidden: true }), JSON.stringify(cause))
  }
}

/** @param timeout Milliseconds; long enough that every request arrives, however busy the machine is. */
async function sendEverything(behaviour: Behaviour, timeout = 30_000): Promise<void> {
  server.behave((socket, request) => {
    const secret = secretOf(request.head, request.body)
    sentSecrets.push(secret, decodeURIComponent(secret))
    behaviour(socket, request)
  })
  const { email: _email, ...payoutRequest } = saleRequest
  const cardless = { cvv2: undefined, expireYear: undefined, expireMonth: undefined } as unknown as object
  const calls = [
    client.sale({ ...saleRequest, extra: { fresh_field: saleRequest.creditCardNumber } }, { timeout }),
    client.transfer({ ...payoutRequest, destinationCardNo: saleRequest.creditCardNumber }, { timeout }),
    client.payout({ ...payoutRequest, ...cardless }, { timeout }),
    client.capture(captureRequest, { timeout }),
    client.status({ clientOrderId: 'o-1' }, { timeout }),
  ]
  const results = await Promise.allSettled(calls)
  for (const result of results) if (result.status === 'rejected') showError(result.reason)
}

function expectClean(): void {
  expect(sentSecrets).toHaveLength(12)
  const text = shown.join('\n')
  expect([...secrets, ...sentSecrets].filter(secret => text.includes(secret))).toEqual([])
  expect(shortSecrets.filter(secret => new RegExp(`(?<![\\w-])${secret}(?![\\w-])`).test(text))).toEqual([])
  expect(text).toContain('444444******4448')
}

/** What a careless gateway might write into its answer: all of the request, and the card in other spellings. */
function echo({ head, body }: { readonly head: string; readonly body: string }): string {
  const form = new URLSearchParams(body)
  const [number = '', month = '', year = ''] = ['credit_card_number', 'expire_month', 'expire_year'].map(
    name => form.get(name) ?? '',
  )
  const spelled = [
    number.replace(/(.{4})(?=.)/g, '$1 '),
    `${month}/${year}`,
    `${month}/${year.slice(2)}`,
    form.get('cvv2'),
  ]
  return `${decodeURIComponent(body)} ${spelled.join(', ')} ${controlKey} ${head.split('\r\n').slice(1).join(' ')}`
}

describe('no secret is shown', () => {
  it.each([
    ['an order is accepted', 200, 'async-response'],
    ['the request is refused', 400, 'validation-error'],
    ['the gateway fails', 500, 'error'],
    ['authentication is refused', 401, 'error'],
  ])('when %s and the answer echoes all of it', async (_when, status, type) => {
    await sendEverything((socket, request) => {
      const fields = {
        type,
        status: 'processing',
        ...(status === 200 ? { 'paynet-order-id': '77' } : {}),
        'error-message': echo(request),
        html: echo(request),
        [`unknown-${saleRequest.creditCardNumber}`]: echo(request),
      }
      reply({ status, body: JSON.stringify(fields) })(socket, request)
    })
    expectClean()
  })

  it('when an answer that cannot be read echoes all of it', async () => {
    await sendEverything((socket, request) => reply({ type: 'text/html', body: echo(request) })(socket, request))
    expectClean()
  })

  it('when the answer is no HTTP and echoes all of it', async () => {
    await sendEverything((socket, request) => socket.end(echo(request)))
    expectClean()
  })

  it('when JSON is cut off in the middle of an echo', async () => {
    await sendEverything((socket, request) =>
      reply({ body: JSON.stringify({ a: echo(request) }).slice(0, -3) })(socket, request),
    )
    expectClean()
  })

  it('when no answer comes', async () => {
    await sendEverything(() => {}, 1_500)
    expectClean()
  })

  it('when a card number stands where another field belongs', async () => {
    const card = saleRequest.creditCardNumber
    const mistakes = [
      client.sale({ ...saleRequest, amount: card }),
      client.sale({ ...saleRequest, currency: card }),
      client.sale({ ...saleRequest, [card]: 'x' }),
      client.sale(saleRequest, { endpointId: `${card}x` }),
    ]
    for (const result of await Promise.allSettled(mistakes)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'ERR_INVALID_REQUEST' } })
      if (result.status === 'rejected') showError(result.reason)
    }
    expect(shown.some(text => text.includes(card))).toBe(false)
  })
})
