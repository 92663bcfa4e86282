/** Operations of one's own, sent like those of the table, over real HTTP to the gateway in a box. */

import { createHash } from 'node:crypto'
import {
  type AmountFields,
  type CreateRecurringPaymentResponse,
  control,
  type Extra,
  operation,
  operations,
  type Reply,
  type StatusRequest,
  type StatusResponse,
} from '@tillkit/protocol'
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient, type Exchange } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { recordAttempts } from './recorded-attempts.js'
import { controlKey } from './sample-requests.js'

interface UpdateRecurringPayment extends AmountFields, Extra {
  readonly recurringPaymentId: string
  /** A name that the library does not know, for a wire name that it does. */
  readonly pan?: string
}

const updateRecurringPayment = operation<UpdateRecurringPayment, CreateRecurringPaymentResponse>({
  name: 'UPDATE_RP_V4',
  path: '/api/v4/update-recurring-payment',
  signing: { scheme: 'oauth-rsa-sha256' },
  effect: 'changes',
  request: 'UpdateRecurringPayment',
  response: 'CreateRecurringPaymentResponse',
  required: ['recurringPaymentId', 'amount', 'currency'],
  stages: [],
  wireNames: { recurringPaymentId: 'recurring-payment-id', pan: 'credit-card-number' },
})

const statusV4 = operation<StatusRequest, StatusResponse>({
  ...operations.status,
  name: 'STATUS_V4',
  path: '/api/v4/status',
  signing: { scheme: 'oauth-rsa-sha256' },
  loginInBody: true,
})

const update = { recurringPaymentId: '350001', amount: '12.00', currency: 'EUR' }

const createTicket = operation<Record<never, never>, Reply & { readonly ephemeralTicket: string }>({
  name: 'CREATE_EPHEMERAL_TICKET',
  path: '/api/v4/create-ephemeral-ticket',
  signing: { scheme: 'oauth-rsa-sha256' },
  effect: 'reads',
  request: 'EphemeralTicketRequest',
  response: { ephemeralTicket: 'ephemeralTicket' },
  required: [],
  stages: [],
})

const storeBillingPlan = operation<AmountFields, Reply & { readonly planId: string; readonly planName?: string }>({
  name: 'STORE_PLAN',
  path: '/api/v4/store-plan',
  signing: { scheme: 'oauth-rsa-sha256' },
  effect: 'changes',
  request: 'StorePlanRequest',
  response: { planId: 'plan-id', planName: 'plan-name' },
  required: ['amount', 'currency'],
  stages: [],
})

let gateway: FakeGateway
const exchanges: Exchange[] = []

beforeEach(async () => {
  exchanges.length = 0
  gateway = createFakeGateway({
    operations: { updateRecurringPayment, statusV4, storeBillingPlan },
    endpointGroupId: 7,
  })
  await gateway.listen()
})

afterEach(() => gateway.close())

function open() {
  const recorded = recordAttempts()
  const observer = { ...recorded.observer, exchange: (exchange: Exchange) => void exchanges.push(exchange) }
  return { client: createClient({ ...gateway.clientOptions, observer }), attempts: recorded.attempts }
}

const answerWithId = () =>
  gateway.handle({}, { updateRecurringPayment: ({ recurringPaymentId = '' }) => ({ recurringPaymentId }) })

describe('an operation of one’s own', () => {
  it('is signed, checked by the gateway and read as its record', async () => {
    answerWithId()
    const { client } = open()
    expect(await client.send(updateRecurringPayment, update)).toMatchObject({ recurringPaymentId: '350001' })
    await client.send(updateRecurringPayment, update, { endpointGroupId: 7 })
    expect(gateway.calls().map(({ operation: name, path }) => [name, path])).toEqual([
      ['updateRecurringPayment', '/paynet/api/v4/update-recurring-payment/39'],
      ['updateRecurringPayment', '/paynet/api/v4/update-recurring-payment/group/7'],
    ])
    gateway.assertAllHandled()
    await client.close()
  })

  it('is told to the observer, and not sent when what it needs is missing', async () => {
    answerWithId()
    const { client, attempts } = open()
    const { amount: _left, ...incomplete } = update
    const call = client.send(updateRecurringPayment, incomplete as UpdateRecurringPayment)
    await expect(call).rejects.toMatchObject({
      code: 'ERR_INVALID_REQUEST',
      field: 'amount',
      operation: 'UPDATE_RP_V4',
    })
    await client.send(updateRecurringPayment, update)
    expect(gateway.calls()).toHaveLength(1)
    expect(attempts()).toMatchObject([{ operation: 'UPDATE_RP_V4', effect: 'changes', end: { kind: 'accepted' } }])
    await client.close()
  })

  it('has an unknown outcome when the reply lacks what its record requires', async () => {
    gateway.handle({}, { updateRecurringPayment: () => ({ status: 'approved' }) })
    const { client } = open()
    const call = client.send(updateRecurringPayment, update)
    await expect(call).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', moneyMayHaveMoved: true })
    await client.close()
  })

  // The whole reply of the vendor's create-ephemeral-ticket, as its public client code reads it.
  it('may have a reply of its own without an order id', async () => {
    const { dispatcher } = capturing('{"ephemeralTicket":"t-1"}')
    const client = createClient({ ...gateway.clientOptions, dispatcher })
    const reply = await client.send(createTicket, {})
    expect(reply).toEqual({ ephemeralTicket: 't-1' })
    expect(reply.raw).toEqual({ ephemeralTicket: 't-1' })
    await client.close()
  })

  it.each(['{"type":"async-response"}', '{"ephemeralTicket":" "}', '{"ephemeralTicket":null}'])(
    'takes %s for no reply of its own',
    async body => {
      const { dispatcher } = capturing(body)
      const client = createClient({ ...gateway.clientOptions, dispatcher })
      await expect(client.send(createTicket, {})).rejects.toMatchObject({
        code: 'ERR_UNREADABLE_REPLY',
        message: expect.stringContaining('lacks ephemeralTicket, so it is no reply of this operation'),
      })
      await client.close()
    },
  )

  it('has an unknown outcome when the reply lacks one of its own fields, and is refused by an error record', async () => {
    const answers = [
      { extra: { 'plan-id': '3', 'plan-name': 'gold\n' } },
      { extra: { 'plan-id': '3' } },
      { httpStatus: 400, type: 'validation-error', errorMessage: 'amount is too low' },
    ]
    gateway.handle({}, { storeBillingPlan: () => answers.shift() })
    const { client } = open()
    const money = { amount: '12.00', currency: 'EUR' }
    expect(await client.send(storeBillingPlan, money)).toMatchObject({ planId: '3', planName: 'gold' })
    await expect(client.send(storeBillingPlan, money)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    await expect(client.send(storeBillingPlan, money)).rejects.toMatchObject({ code: 'ERR_REQUEST_REFUSED' })
    await client.close()
  })

  it.each([{}, { ephemeralTicket: '' }])('is not declared for the reply %j', response => {
    const row = { ...createTicket, response } as typeof createTicket
    expect(() => operation(row)).toThrow('must give at least one field and the wire name of each')
  })

  it('may read, with the login in its body', async () => {
    const { client } = open()
    gateway.handle({}, { statusV4: ({ login = '', clientOrderId = '' }) => ({ status: login, clientOrderId }) })
    expect(await client.send(statusV4, { clientOrderId: 'o-1' })).toMatchObject({ status: 'merchant' })
    await client.close()
  })

  it('keeps card data to itself whatever its fields are called', async () => {
    answerWithId()
    const { client, attempts } = open()
    await client.send(updateRecurringPayment, { ...update, pan: '4444444444444448' })
    await client.send(updateRecurringPayment, { ...update, pan: '5555555555554444' })
    expect(exchanges[0]?.fields).toContainEqual(['credit-card-number', '444444******4448'])
    expect(JSON.stringify(exchanges)).not.toContain('4444444444444448')
    const [first, second] = attempts()
    expect(first?.fingerprint).toBe(second?.fingerprint)
    await client.close()
  })

  it('may be signed with a control value over its own items', async () => {
    const transferForm = operation<{ clientOrderId: string; email: string } & AmountFields, StatusResponse>({
      name: 'TRANSFERFORM',
      path: '/api/v2/transfer-form',
      signing: control(['endpointId', 'clientOrderId', 'amount', 'email']),
      effect: 'creates',
      request: 'TransferFormRequest',
      response: 'StatusResponse',
      required: ['clientOrderId', 'amount', 'currency', 'email'],
      stages: [],
    })
    const { dispatcher, captured } = capturing(anyReply)
    const client = createClient({
      baseUrl: 'https://gate.example/paynet',
      endpointId: 39,
      login: 'm',
      controlKey,
      dispatcher,
    })
    await client.send(transferForm, { clientOrderId: 'o-1', amount: '10.42', currency: 'EUR', email: 'a@b.example' })
    expect(captured[0]?.path).toBe('/paynet/api/v2/transfer-form/39')
    const expected = createHash('sha1').update(`39o-11042a@b.example${controlKey}`).digest('hex')
    expect(new URLSearchParams(captured[0]?.body).get('control')).toBe(expected)
  })

  it.each(['/api/v4/sale/', '/v4/sale', '/api/v4/sale/{endpointId}', '/api/v4/sale?x=1', '/api/../sale'])(
    'is not declared for the path %s',
    path => {
      const row = { ...operations.sale, path: path as '/api/x' }
      expect(() => operation(row)).toThrow(`The path of the operation SALE is "${path}"`)
    },
  )
})
