/**
 * docs/api/openapi.json against what is really sent and answered: the recorded requests of the vectors, and every operation at an endpoint
 * and at a group of endpoints, taken and refused. Names come from the interface specification, which a table here repeats.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultProfile, type OperationName, operations, resolveSigning } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { type CallOptions, createClient } from '../src/index.js'
import { document, operationAt, replyProblems, requestProblems } from './openapi-document.js'
import { scenarioOf } from './operation-scenarios.js'
import { recording } from './recording-dispatcher.js'
import { saleRequest } from './sample-requests.js'
import { firstOfEach, rows } from './soak.js'
import vectors from './vectors/requests.json' with { type: 'json' }

/** Interface specification, section 4: path, operation name, request record, 200 body. */
const section4 = `
/api/3ds/v1/upload-cres-result/{endpointId} TDS_UPLOAD_CRES_RESULT TdsCResResultRequest AsyncResponse
/api/3ds/v1/upload-method-url-result/{endpointId} TDS_UPLOAD_METHOD_URL_RESULT TdsMethodUrlResultRequest AsyncResponse
/api/3ds/v1/upload-pares-result/{endpointId} TDS_UPLOAD_PARES_RESULT TdsPaResResultRequest AsyncResponse
/api/v2/account-verification-form/{endpointId} ACCOUNT_VERIFICATION_FORM AccountVerificationFormRequest AsyncCheckoutFormRedirect
/api/v2/account-verification/{endpointId} ACCOUNT_VERIFICATION AccountVerificationRequest AsyncResponse
/api/v2/capture/{endpointId} CAPTURE CaptureRequest AsyncResponse
/api/v2/create-card-ref/{endpointId} CARDREF CreateCardRefRequest CardRefAsyncResponse
/api/v2/get-card-info/{endpointId} CARDINFO GetCardInfoRequest CardInfoAsyncResponse
/api/v2/make-rebill/{endpointId} REBILL RebillRequest AsyncResponse
/api/v2/payment-form/{endpointId} PAYMENTFORM PaymentFormRequest AsyncCheckoutFormRedirect
/api/v2/payout-form/{endpointId} PAYOUTFORM PayoutFormRequest AsyncCheckoutFormRedirect
/api/v2/payout/{endpointId} PAYOUT PayoutRequest AsyncResponse
/api/v2/preauth-form/{endpointId} PREAUTHFORM AuthFormRequest AsyncCheckoutFormRedirect
/api/v2/preauth/{endpointId} PREAUTH AuthRequest AsyncResponse
/api/v2/return/{endpointId} RETURN ReturnRequest AsyncResponse
/api/v2/sale-form/{endpointId} SALEFORM SaleFormRequest AsyncCheckoutFormRedirect
/api/v2/sale/{endpointId} SALE SaleRequest AsyncResponse
/api/v2/status/{endpointId} STATUS StatusRequest StatusResponse
/api/v2/void/{endpointId} VOID VoidRequest AsyncResponse
/api/v4/create-card-ref/{endpointId} CARDREF_V4 CreateCardRefV4Request CardRefV4AsyncResponse
/api/v4/create-recurring-payment/{endpointId} CREATE_RP_V4 RecurringPaymentForCreation CreateRecurringPaymentResponse
/api/v4/payout-check/{endpointId} PAYOUT_V4_CHECK PayoutCheckRequest AsyncResponse`
  .trim()
  .split('\n')
  .map(line => line.split(' ') as [string, string, string, string])

const json = 'application/vnd.pay+json'
const schema = (record: string) => ({ $ref: `#/components/schemas/${record}` })

describe('the OpenAPI document', () => {
  it('has the version of section 9', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: 'dev' } })
  })

  it.each(section4)('has %s with the names of section 4', (path, operationId, request, response) => {
    expect(document.paths[path]?.post).toMatchObject({
      operationId,
      parameters: [{ $ref: '#/components/parameters/endpointId' }],
      requestBody: { content: { 'application/x-www-form-urlencoded': { schema: schema(request) } } },
      responses: {
        200: { content: { [json]: { schema: schema(response) } } },
        400: { $ref: '#/components/responses/Error400' },
        500: { $ref: '#/components/responses/Error500' },
      },
    })
    expect(document).toMatchObject({
      components: {
        // "endpointId, integer, int64, required"; "HTTP 400 carries ValidationErrorResponse and HTTP 500 carries ServerErrorResponse".
        parameters: { endpointId: { in: 'path', required: true, schema: { type: 'integer', format: 'int64' } } },
        responses: {
          Error400: { content: { [json]: { schema: schema('ValidationErrorResponse') } } },
          Error500: { content: { [json]: { schema: schema('ServerErrorResponse') } } },
        },
        schemas: { [request]: {}, [response]: {}, ValidationErrorResponse: {}, ServerErrorResponse: {} },
      },
    })
  })
})

describe('the recorded requests of the vectors', () => {
  it.each(vectors)(
    '$operation with $title is a request of the document, and its reply is one',
    ({ expected, reply }) => {
      const path = expected.line.split(' ')[1] ?? ''
      expect(requestProblems({ path, headers: expected.headers, body: expected.body })).toEqual([])
      expect(replyProblems({ path, status: 200, contentType: json, reply })).toEqual([])
    },
  )
})

/** Everything that the scenario of an operation sends and is answered. */
async function recorded(name: OperationName, options: CallOptions, failing = false) {
  const gateway = createFakeGateway({ endpointGroupId: 7, largeOrderIds: true })
  const recorder = recording(gateway.dispatcher)
  const client = createClient({
    ...gateway.clientOptions,
    dispatcher: recorder.dispatcher,
    wait: gateway.clock.wait,
  })
  if (failing) gateway.faults.arm({ fault: 'server-error-after-commit', operation: name })
  let count = 0
  const run = scenarioOf(name)({ client, options, newId: () => `o-${++count}` })
  await (failing ? run.catch(() => {}) : run)
  const { exchanges, send } = recorder
  const last = exchanges.findLast(each => each.path.includes(`${operations[name].path}/`))
  if (last === undefined) throw new Error(`${name} was not sent.`)
  /** Sends it once more, otherwise. */
  const again = (change: Partial<typeof last>) => send(gateway.clientOptions.baseUrl.origin, { ...last, ...change })
  return { exchanges, last, again }
}

const problems = (exchange: Parameters<typeof requestProblems>[0] & Parameters<typeof replyProblems>[0]) => [
  ...requestProblems(exchange),
  ...replyProblems(exchange),
]

const all = Object.keys(operations) as OperationName[]
const names = rows(
  all,
  firstOfEach(name => resolveSigning(operations[name], defaultProfile).scheme),
)
const [byEndpoint, byGroup] = [{}, { endpointGroupId: 7 }]

describe.each([
  ['an endpoint', byEndpoint],
  ['a group of endpoints', byGroup],
])('at %s', (_kind, options) => {
  it.each(names)('%s and all that comes before it are requests and replies of the document', async name => {
    const { exchanges, last } = await recorded(name, options)
    expect(exchanges.flatMap(problems)).toEqual([])
    expect(last.status).toBe(200)
    expect(operationAt(last.path)?.operation.operationId).toMatch(new RegExp(`^${operations[name].name}(_GROUP)?$`))
  })

  it.each(names)('a refused %s is answered as the document says', async name => {
    const { last, again } = await recorded(name, options)
    const altered = (text: string) => text.replace(/(control=|oauth_signature=")[^"&]{4}/, (_, name) => `${name}0000`)
    const answers = [
      await again({ path: last.path.replace(/\d+$/, '40') }),
      await again({
        body: altered(last.body),
        headers: { ...last.headers, authorization: altered(last.headers.authorization ?? '') },
      }),
      await again({ headers: { ...last.headers, accept: 'application/json' } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 406])
    expect(answers.flatMap(replyProblems)).toEqual([])
  })

  it.each(names)('%s that ends in HTTP 500 is answered as the document says', async name => {
    const { exchanges } = await recorded(name, options, true)
    expect(exchanges.map(({ status }) => status)).toContain(500)
    expect(exchanges.flatMap(problems)).toEqual([])
  })
})

/** Interface specification, sections 4 and 5; what only public documents say is named. */
const doubtful: readonly [why: string, name: OperationName, change: (form: URLSearchParams) => void, taken: boolean][] =
  [
    ['status by both ids of the order (section 5.1)', 'status', () => {}, true],
    [
      'status by client_orderid where orderid is unavailable (section 4)',
      'status',
      form => form.delete('orderid'),
      true,
    ],
    ['status by orderid (section 4)', 'status', form => form.delete('client_orderid'), true],
    [
      'status without either',
      'status',
      form => {
        form.delete('orderid')
        form.delete('client_orderid')
      },
      false,
    ],
    [
      'a payout check with client_orderid (section 2 lists what writes it otherwise)',
      'payoutCheck',
      form => {
        form.set('client_orderid', form.get('client-order-id') ?? '')
        form.delete('client-order-id')
      },
      true,
    ],
    [
      'a payout check without the order id of the merchant',
      'payoutCheck',
      form => form.delete('client-order-id'),
      false,
    ],
    ['a sale without an amount (section 5.1)', 'sale', form => form.delete('amount'), false],
    ['a sale without a card', 'sale', form => form.delete('credit_card_number'), false],
    ['a sale with a card and a reference', 'sale', form => form.set('cardrefid', '1'), false],
    ['a sale without its control value (section 4)', 'sale', form => form.delete('control'), false],
    [
      'a result of the 3DS method that is not Y, N or U (section 2)',
      'uploadMethodUrlResult',
      form => form.set('threeDSCompInd', 'y'),
      false,
    ],
    [
      'a transfer with deposit2card=1 (section 2: true or false)',
      'transfer',
      form => form.set('deposit2card', '1'),
      false,
    ],
    ['a name that the document does not have', 'sale', form => form.set('client-order-id', '1'), false],
  ]

describe('the document', () => {
  it.each(doubtful)('%s', async (_why, name, change, taken) => {
    const { last } = await recorded(name, byEndpoint)
    const form = new URLSearchParams(last.body)
    change(form)
    expect(requestProblems({ ...last, body: form.toString() }).length === 0).toBe(taken)
  })

  it.each([
    ['no integer', '/paynet/api/v2/sale/abc'],
    ['more than 64 bits', '/paynet/api/v2/sale/99223372036854775807'],
    ['a path of no operation', '/paynet/api/v4/sale/39'],
    ['no group where public documents print none', '/paynet/api/v4/create-recurring-payment/group/7'],
  ])('refuses %s', async (_why, path) => {
    const { last } = await recorded('sale', byEndpoint)
    expect(requestProblems({ ...last, path })).toHaveLength(1)
  })

  it('refuses a reply without the order id, and one in another media type', async () => {
    const { last } = await recorded('sale', byEndpoint)
    expect(replyProblems(last)).toEqual([])
    expect(replyProblems({ ...last, reply: '{"type":"async-response"}' })).toHaveLength(1)
    expect(replyProblems({ ...last, contentType: 'text/html' })).toHaveLength(1)
  })
})

describe('the callback', () => {
  it('has the method, and what is signed of the parameters, with which the gateway calls server_callback_url', async () => {
    const methods: (string | undefined)[] = []
    const shop = createServer(({ method }, response) => {
      methods.push(method?.toLowerCase())
      response.end()
    }).listen(0, '127.0.0.1')
    await once(shop, 'listening')
    const { port } = shop.address() as AddressInfo
    const gateway = createFakeGateway()
    const client = createClient(gateway.clientOptions)
    await client.sale({ ...saleRequest, cvv2: '123', serverCallbackUrl: `http://127.0.0.1:${port}/outcome` })
    await client.status({ clientOrderId: saleRequest.clientOrderId })
    await gateway.callbacks.idle()
    const [delivery] = gateway.callbacks.list()
    const sent = delivery?.parameters.map(([name]) => name) ?? []
    const [described] = Object.values(document.components.callbacks.outcome)
    expect(Object.keys(described ?? {})).toEqual(methods)
    const parameters = Object.values(described ?? {}).flatMap(each => each.parameters)
    expect(sent).toEqual(expect.arrayContaining(parameters.filter(each => each.required).map(each => each.name)))
    shop.close()
    await gateway.close()
  })
})
