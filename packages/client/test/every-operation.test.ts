/** Every operation over real HTTP against the gateway in a box, at an endpoint and at a group of endpoints. */

import { type OperationName, operations } from '@tillkit/protocol'
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../src/index.js'
import { scenarioOf } from './operation-scenarios.js'

let gateway: FakeGateway
let client: Client
let count = 0
const newId = () => `e-${++count}`

beforeAll(async () => {
  gateway = createFakeGateway({ endpointGroupId: 7, largeOrderIds: true })
  await gateway.listen()
  client = createClient({ ...gateway.clientOptions })
})

afterAll(async () => {
  await client.close()
  await gateway.close()
})

const digits = expect.stringMatching(/^\d+$/)
const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

/** The record of section 4 as the fake fills it in, field by field. */
function expectedRecord(
  name: OperationName,
  ids: { readonly clientOrderId: string | undefined; readonly endpointId: string },
) {
  const order = { serialNumber: uuid, ...ids, orderId: digits }
  const stored = {
    type: 'create-card-ref-response',
    serialNumber: uuid,
    cardRefId: digits,
    uniqueCardRefId: digits,
  }
  switch (operations[name].response) {
    case 'AsyncResponse':
      return { type: 'async-response', ...order }
    case 'AsyncCheckoutFormRedirect':
      return {
        type: 'async-form-response',
        ...order,
        redirectUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/paynet\/form\/[\da-f]{32}$/),
      }
    case 'CardRefAsyncResponse':
      return stored
    case 'CardRefV4AsyncResponse':
      return { ...stored, recurringPaymentId: digits }
    case 'CardInfoAsyncResponse':
      return {
        type: 'get-card-info-response',
        serialNumber: uuid,
        bin: '444444',
        lastFourDigits: '4448',
        maskedPan: '444444******4448',
        brand: 'VISA',
        expireMonth: '12',
        expireYear: '2099',
        cardPrintedName: 'ADA LOVELACE',
      }
    case 'CreateRecurringPaymentResponse':
      return {
        type: 'create-recurring-payment-response',
        serialNumber: uuid,
        clientOrderId: ids.clientOrderId,
        recurringPaymentId: digits,
      }
    case 'StatusResponse':
      return {
        type: 'status-response',
        ...order,
        status: 'approved',
        amount: '10.00',
        currency: 'EUR',
        transactionType: 'sale',
        orderStage: 'sale_approved',
        cardType: 'VISA',
        bin: '444444',
        lastFourDigits: '4448',
        cardholderName: 'ADA LOVELACE',
        approvalCode: expect.any(String),
        processorRrn: digits,
        descriptor: 'TILLKIT TEST',
        gatePartialReversal: 'enabled',
        gatePartialCapture: 'enabled',
      }
  }
}

const names = Object.keys(operations) as OperationName[]

/** Operations whose public pages print no segment for groups. */
const withoutSegment: readonly OperationName[] = [
  'uploadCresResult',
  'uploadMethodUrlResult',
  'uploadParesResult',
  'createRecurringPayment',
  'panEligibilitySend',
]

describe.each([
  ['an endpoint', {}, '/39'],
  ['a group of endpoints', { endpointGroupId: 7 }, '/group/7'],
] as const)('%s', (_kind, options, end) => {
  it.each(names)('takes %s', async name => {
    const before = gateway.calls().length
    const { reply, clientOrderId } = await scenarioOf(name)({ client, options, newId })
    expect(reply).toEqual(expectedRecord(name, { clientOrderId, endpointId: '39' }))
    const calls = gateway.calls().slice(before)
    const path = `/paynet${operations[name].path}${withoutSegment.includes(name) ? end.replace('/group', '') : end}`
    expect(calls.filter(call => call.operation === name).map(call => call.path)).toEqual([path])
    expect(calls.map(({ verdict }) => verdict)).toEqual(calls.map(() => 'accepted'))
  })
})
