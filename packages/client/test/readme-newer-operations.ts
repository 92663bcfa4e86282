import { createFakeGateway } from '@tillkit/testing'
import { createClient } from '../src/index.js'
import {
  type AsyncResponse,
  operation,
  operations,
  type PaymentFields,
  type RebillRequest,
  type StatusRequest,
  type StatusResponse,
} from '@tillkit/protocol'

// make-rebill in two commands, one that charges and one that holds. Items and fields are those of makeRebill.
const { makeRebill } = operations
const rebill = { ...makeRebill, loginInBody: true }
const makeRebillSale = operation<RebillRequest, AsyncResponse>({
  ...rebill,
  name: 'REBILL_SALE',
  path: '/api/v2/make-rebill-sale',
})
const makeRebillPreauth = operation<RebillRequest, AsyncResponse>({
  ...rebill,
  name: 'REBILL_PREAUTH',
  path: '/api/v2/make-rebill-preauth',
  stages: ['preauth'],
})

// A sale whose card the customer typed into hosted fields: a token, good for one sale, stands for it.
interface HostedFieldsSale extends PaymentFields {
  readonly hostedFieldsToken: string
  readonly cardPrintedName: string
}
const saleV4 = operation<HostedFieldsSale, AsyncResponse>({
  name: 'SALE_V4',
  path: '/api/v4/sale',
  signing: { scheme: 'oauth-rsa-sha256' },
  effect: 'creates',
  request: 'HostedFieldsSale',
  response: 'AsyncResponse',
  required: ['clientOrderId', 'amount', 'currency', 'email', 'hostedFieldsToken'],
  stages: ['sale'],
})

// Status, signed with the key pair in place of the control key.
const statusV4 = operation<StatusRequest, StatusResponse>({
  ...operations.status,
  name: 'STATUS_V4',
  path: '/api/v4/status',
  signing: { scheme: 'oauth-rsa-sha256' },
  loginInBody: true,
})

const gateway = createFakeGateway({ operations: { makeRebillSale, makeRebillPreauth, saleV4, statusV4 } })
const accept = ({ clientOrderId = '' }) => ({ clientOrderId, orderId: `of ${clientOrderId}` })
const known = ({ clientOrderId = '', orderId = '' }) => ({ clientOrderId, orderId, status: 'approved' })
const handlers = { makeRebillSale: accept, makeRebillPreauth: accept, saleV4: accept, statusV4: known }
gateway.handle({}, handlers)
const client = createClient(gateway.clientOptions)

const money = { amount: '10.00', currency: 'EUR' }
const stored = { cardRefId: '31', recurrentScenario: 'REGULAR', recurrentInitiator: 'MERCHANT', ...money } as const
const charged = await client.send(makeRebillSale, { clientOrderId: 'r-1', ...stored })
const held = await client.send(makeRebillPreauth, { clientOrderId: 'r-2', ...stored })

const typed = { hostedFieldsToken: 'from the page', cardPrintedName: 'Ada King', email: 'ada@shop.example' }
const sold = await client.send(saleV4, { clientOrderId: 's-1', ...typed, ...money })
const { status } = await client.send(statusV4, { clientOrderId: 's-1', orderId: sold.orderId })
console.log(charged.orderId, held.orderId, sold.orderId, status)
