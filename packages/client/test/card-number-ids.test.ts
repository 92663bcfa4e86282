/** Card numbers in ids, which are logged, stored and shown: refused before anything is sent or said. */

import { inspect } from 'node:util'
import { type AsyncResponse, control, operation, operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { type Client, createClient } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { recordAttempts } from './recorded-attempts.js'
import { controlKey, saleRequest } from './sample-requests.js'

const card = saleRequest.creditCardNumber

function open() {
  const { dispatcher, captured } = capturing(anyReply)
  const { observer, attempts } = recordAttempts()
  const seen: unknown[] = []
  const client: Client = createClient({
    baseUrl: 'https://gate.example/paynet',
    endpointId: 39,
    login: 'merchant',
    controlKey,
    dispatcher,
    observer: { ...observer, exchange: exchange => seen.push(exchange), signed: signed => seen.push(signed) },
  })
  return { client, captured, attempts, seen }
}

/** Expects a call to be refused without a trace, and its error to hold nothing of the card. */
async function expectRefused(act: (client: Client) => Promise<unknown>, field: string) {
  const { client, captured, attempts, seen } = open()
  const error = await act(client).then(
    () => Promise.reject(new Error('the call succeeded')),
    (thrown: Error) => thrown,
  )
  expect(error).toMatchObject({ code: 'ERR_INVALID_REQUEST', field, moneyMayHaveMoved: false })
  expect(error.message).toContain(`"${field}" holds the card number of the same request`)
  const shown = `${error.stack} ${JSON.stringify(error)} ${inspect(error, { depth: 9, showHidden: true })}`
  expect(shown.replace(/[\s._/-]/g, '')).not.toContain(card.slice(4, 12))
  expect([captured, attempts(), seen]).toEqual([[], [], []])
}

describe('an id that holds the card number of its request', () => {
  it.each([
    card,
    ` ${card} `,
    `order-${card}`,
    card.replace(/(\d{4})(?=\d)/g, '$1 '),
    card.replace(/(\d{4})(?=\d)/g, '$1-'),
    card.replace(/(\d{4})(?=\d)/g, '$1\u00a0'),
    card.replace(/\d(?=\d)/g, '$&_./'),
  ])('is refused, written as %j', async clientOrderId => {
    await expectRefused(client => client.sale({ ...saleRequest, clientOrderId }), 'clientOrderId')
  })

  it('is refused where the card number has spaces', async () => {
    const creditCardNumber = card.replace(/(\d{4})(?=\d)/g, '$1 ')
    await expectRefused(
      client => client.sale({ ...saleRequest, creditCardNumber, clientOrderId: card }),
      'clientOrderId',
    )
  })

  it('is refused before any other mistake names the order', async () => {
    const request = { ...saleRequest, clientOrderId: card, amount: '10', sum: '1' }
    await expectRefused(client => client.sale(request as typeof saleRequest), 'clientOrderId')
  })

  it('is refused whatever card it is', async () => {
    const transfer = { clientOrderId: `t${card}`, amount: '1.00', currency: 'EUR', destinationCardNo: card }
    await expectRefused(client => client.transferByRef({ ...transfer, orderDesc: 'gift' }), 'clientOrderId')
  })

  it('is refused where the card number comes in "extra"', async () => {
    const request = { clientOrderId: card, orderId: '77', extra: { 'credit-card-number': card } }
    await expectRefused(client => client.void(request), 'clientOrderId')
  })

  it('is refused whatever id it is', async () => {
    const request = { ...saleRequest, orderId: card } as typeof saleRequest
    await expectRefused(client => client.sale(request), 'orderId')
    const attemptId = `a-${card}`
    await expectRefused(async client => client.prepare(operations.sale, saleRequest, { attemptId }), 'attemptId')
  })

  it('is refused for an operation of one’s own, whatever it calls the field', async () => {
    const hold = operation<{ clientOrderId: string; pan: string }, AsyncResponse>({
      name: 'HOLD',
      path: '/api/v2/hold',
      signing: control(['login', 'clientOrderId']),
      effect: 'creates',
      request: 'HoldRequest',
      response: 'AsyncResponse',
      required: ['clientOrderId'],
      stages: ['preauth'],
      wireNames: { pan: 'credit_card_number' },
    })
    await expectRefused(client => client.send(hold, { clientOrderId: card, pan: card }), 'clientOrderId')
  })
})

describe('an id that holds no card number of its request', () => {
  it.each(['4111111111111111', '3f2504e0-4f89-41d3-9a0c-030582c33010', card.slice(0, -1), '9876'])(
    'is sent: %s',
    async clientOrderId => {
      const { client, captured } = open()
      const request = { ...saleRequest, clientOrderId }
      await client.prepare(operations.sale, request, { attemptId: clientOrderId }).send()
      expect(captured).toHaveLength(1)
    },
  )

  it.each(['', '4'])('is not refused for a card number that is none: %j', async creditCardNumber => {
    const call = open().client.sale({ ...saleRequest, creditCardNumber, clientOrderId: '4111111111111111' })
    const message = await call.then(
      () => '',
      (error: Error) => error.message,
    )
    expect(message).not.toContain('holds the card number')
  })
})
