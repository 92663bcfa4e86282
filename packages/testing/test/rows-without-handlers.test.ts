import { type AnyOperation, operation, wireName } from '@tillkit/protocol'
import { createRequestSigner, importPrivateKey, type Parameter, rsaSha256Signer } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, testPrivateKey } from '../src/index.js'
import { call, card, customer, pay, send } from './signed-request.js'

const common = { signing: { scheme: 'oauth-rsa-sha256' }, request: 'OwnRequest', required: [] } as const

/** Rows such as a gateway may add. None of them has a handler. */
const rows: Readonly<Record<string, AnyOperation>> = {
  blockCard: operation<Record<string, string>, object>({
    ...common,
    name: 'BLOCK_CARD',
    path: '/api/v2/block-card',
    effect: 'changes',
    response: 'AsyncResponse',
    stages: [],
  }),
  payLater: operation<Record<string, string>, object>({
    ...common,
    name: 'PAY_LATER',
    path: '/api/v2/pay-later',
    effect: 'creates',
    response: 'AsyncResponse',
    oneOf: [{ needs: ['creditCardNumber'] }, { needs: ['cardRefId'] }],
    stages: ['sale'],
  }),
  verificationPage: operation<Record<string, string>, object>({
    ...common,
    name: 'VERIFICATION_PAGE',
    path: '/api/v2/verification-page',
    effect: 'creates',
    response: 'AsyncCheckoutFormRedirect',
    stages: ['verification'],
  }),
  settleHold: operation<Record<string, string>, object>({
    ...common,
    name: 'SETTLE_HOLD',
    path: '/api/v2/settle-hold',
    effect: 'changes',
    response: 'AsyncResponse',
    stages: ['capture'],
  }),
  storePlan: operation<Record<string, string>, { readonly planId: string }>({
    ...common,
    name: 'STORE_PLAN',
    path: '/api/v2/store-plan',
    effect: 'creates',
    response: { planId: 'plan-id' },
    stages: [],
    wireNames: { planId: 'plan_id' },
  }),
}

let nonces = 0

async function ask(gateway: FakeGateway, name: string, fields: Readonly<Record<string, string>>) {
  const row = rows[name] as AnyOperation
  const { baseUrl, login, clock, profile } = gateway.clientOptions
  const url = new URL(`${baseUrl.href}${row.path}/39`)
  const parameters = Object.entries(fields).map(
    ([field, value]): Parameter => [wireName(field, { operation: row, profile }) ?? field, value],
  )
  nonces += 1
  const signer = rsaSha256Signer(importPrivateKey(testPrivateKey))
  const authorization = await createRequestSigner({ consumerKey: login, signer }).header({
    url,
    parameters,
    timestamp: Math.floor(clock() / 1000),
    nonce: String(nonces),
  })
  const headers = {
    accept: 'application/vnd.pay+json',
    'content-type': 'application/x-www-form-urlencoded',
    authorization,
  }
  return send(gateway, { url, headers, parameters, evidence: [] })
}

const money = { amount: '10.00', currency: 'EUR' }

describe('an operation without a handler', () => {
  it('creates an order in the first stage of its row, which its card and plans decide', async () => {
    const gateway = createFakeGateway({ operations: rows })
    const { reply } = await ask(gateway, 'payLater', { clientOrderId: 'o-1', ...money, ...card, ...customer })
    expect(reply).toMatchObject({ type: 'async-response', 'merchant-order-id': 'o-1', 'end-point-id': '39' })
    gateway.outcomes.plan('declined')
    await ask(gateway, 'payLater', { clientOrderId: 'o-2', ...money, ...card })
    await ask(gateway, 'payLater', { clientOrderId: 'o-3', ...money, ...card, cvv2: '116' })
    expect(gateway.orders.find('o-1')).toMatchObject({
      orderId: reply['paynet-order-id'],
      card: { bin: '444444' },
      stages: [{ stage: 'sale', operation: 'payLater', status: 'approved', amount: '10.00' }],
    })
    expect(gateway.orders.find('o-2')?.stages[0]?.status).toBe('declined')
    expect(gateway.orders.find('o-3')?.stages[0]?.errorCode).toBe('116')
  })

  it('opens a page where its reply redirects to one', async () => {
    const gateway = createFakeGateway({ operations: rows })
    const fields = { clientOrderId: 'o-1', redirectUrl: 'https://shop.example/back' }
    const { reply } = await ask(gateway, 'verificationPage', fields)
    expect(reply['redirect-url']).toMatch(/\/paynet\/form\/[0-9a-f]{32}$/)
    expect(gateway.orders.find('o-1')?.stages).toMatchObject([{ stage: 'verification', status: 'processing' }])
  })

  it('adds the stage of its row to the order that the request names', async () => {
    const gateway = createFakeGateway({ operations: rows })
    const held = (await pay(gateway, 'preauth', { clientOrderId: 'o-1' })).reply
    const orderId = held['paynet-order-id'] ?? ''
    expect((await ask(gateway, 'settleHold', { clientOrderId: 'o-1', orderId })).reply).toMatchObject({
      'paynet-order-id': orderId,
    })
    expect(gateway.orders.find('o-1')?.stages).toMatchObject([
      { stage: 'preauth' },
      { stage: 'capture', status: 'approved', amount: '10.00' },
    ])
    expect((await ask(gateway, 'settleHold', { clientOrderId: 'o-2' })).status).toBe(400)
  })

  it('leaves orders alone where its row has no stage, and refuses one that does not exist', async () => {
    const gateway = createFakeGateway({ operations: rows })
    const sold = (await pay(gateway, 'sale', { clientOrderId: 'o-1' })).reply
    const before = gateway.orders.list()
    const { reply } = await ask(gateway, 'blockCard', { clientOrderId: 'o-1' })
    expect(reply).toMatchObject({ 'merchant-order-id': 'o-1', 'paynet-order-id': sold['paynet-order-id'] })
    expect(gateway.orders.list()).toEqual(before)
    expect((await ask(gateway, 'blockCard', { clientOrderId: 'o-2' })).reply['error-message']).toContain('no order')
    expect((await ask(gateway, 'blockCard', {})).status).toBe(200)
  })

  it('replies what the request says, and refuses where neither knows what the reply must have', async () => {
    const gateway = createFakeGateway({ operations: rows })
    const { reply } = await ask(gateway, 'storePlan', { clientOrderId: 'p-1', planId: 'gold' })
    expect(reply).toMatchObject({ 'plan-id': 'gold', 'merchant-order-id': 'p-1' })
    const refused = await ask(gateway, 'storePlan', { clientOrderId: 'p-2' })
    expect(refused.status).toBe(500)
    expect(gateway.calls().at(-1)?.explanation).toBe(
      'The fake does not know the "planId" that "storePlan" replies: answer it with gateway.handle().',
    )
    expect((await call(gateway, 'status', { clientOrderId: 'p-1' })).status).toBe(400)
  })
})
