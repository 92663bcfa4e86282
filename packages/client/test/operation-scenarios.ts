/** How each operation is reached against the gateway in a box: what must come before it, and the call itself. */
import { deflateSync } from 'node:zlib'
import { type OperationName, operations, type Reply } from '@tillkit/protocol'
import { testCard, threeDSecure1Card } from '@tillkit/testing'
import type { CallOptions, Client } from '../src/index.js'
import vectors from './vectors/requests.json' with { type: 'json' }

/** What a scenario works with. Every call of it goes to the same endpoint. */
export interface ScenarioContext {
  readonly client: Client
  readonly options: CallOptions
  /** A merchant's order id that was not used before. */
  readonly newId: () => string
}

/** The reply, and the merchant's order id that it must echo. */
export interface ScenarioResult {
  readonly reply: Reply
  readonly clientOrderId?: string
}

type Scenario = (context: ScenarioContext) => Promise<ScenarioResult>

const money = { amount: '10.00', currency: 'EUR' } as const
const email = 'ada@shop.example'
const card = { creditCardNumber: testCard, cardPrintedName: 'ADA LOVELACE', expireMonth: '12', expireYear: '2099' }
const paying = { ...money, email, ...card, cvv2: '123' }
const form = { email, redirectUrl: 'http://127.0.0.1/back' }
const account = { accountNumber: 'GB33BUKB20201555555555', bankName: 'Harbour Bank' }

/** A scenario for an operation that makes an order. */
const creates =
  (create: (context: ScenarioContext, clientOrderId: string) => Promise<Reply>): Scenario =>
  async context => {
    const clientOrderId = context.newId()
    return { reply: await create(context, clientOrderId), clientOrderId }
  }

/** A scenario for an operation about an order that was paid for, or held. */
const follows =
  (
    kind: 'sale' | 'preauth' | 'payoutCheck',
    act: (
      context: ScenarioContext,
      ids: { readonly clientOrderId: string; readonly orderId: string },
    ) => Promise<Reply>,
  ): Scenario =>
  async context => {
    const { client, options, newId } = context
    const clientOrderId = newId()
    const { orderId } =
      kind === 'payoutCheck'
        ? await client.payoutCheck({ clientOrderId, ...money, ...account }, options)
        : await client[kind]({ clientOrderId, ...paying }, options)
    return { reply: await act(context, { clientOrderId, orderId }), clientOrderId }
  }

/** A scenario for an upload, of a sale that waits for 3DS. */
const uploads =
  (
    creditCardNumber: string,
    act: (
      context: ScenarioContext,
      ids: { readonly clientOrderId: string; readonly orderId: string },
    ) => Promise<Reply>,
  ): Scenario =>
  async context => {
    const clientOrderId = context.newId()
    const sale = { ...paying, clientOrderId, creditCardNumber, cvv2: '321' }
    const { orderId } = await context.client.sale(sale, context.options)
    return { reply: await act(context, { clientOrderId, orderId }), clientOrderId }
  }

async function storedCard({ client, options, newId }: ScenarioContext): Promise<string> {
  const clientOrderId = newId()
  const { orderId } = await client.sale({ clientOrderId, ...paying }, options)
  return (await client.createCardRef({ clientOrderId, orderId }, options)).cardRefId
}

const cres = Buffer.from(JSON.stringify({ transStatus: 'Y' })).toString('base64url')
const paRes = deflateSync('<PARes><TX><status>Y</status></TX></PARes>').toString('base64')

const scenarios: { readonly [Name in OperationName]?: Scenario } = {
  uploadMethodUrlResult: uploads(testCard, ({ client, options }, ids) =>
    client.uploadMethodUrlResult({ ...ids, threeDSCompInd: 'N' }, options),
  ),
  uploadCresResult: uploads(testCard, async ({ client, options }, ids) => {
    await client.uploadMethodUrlResult({ ...ids, threeDSCompInd: 'N' }, options)
    return client.uploadCresResult({ ...ids, cres }, options)
  }),
  uploadParesResult: uploads(threeDSecure1Card, ({ client, options }, ids) =>
    client.uploadParesResult({ ...ids, paRes }, options),
  ),
  accountVerificationForm: creates(({ client, options }, clientOrderId) =>
    client.accountVerificationForm({ clientOrderId, ...form }, options),
  ),
  accountVerification: creates(({ client, options }, clientOrderId) =>
    client.accountVerification({ clientOrderId, email, ...card, cvv2: '123' }, options),
  ),
  capture: follows('preauth', ({ client, options }, ids) => client.capture({ ...ids, ...money }, options)),
  createCardRef: follows('sale', ({ client, options }, ids) => client.createCardRef(ids, options)),
  getCardInfo: async context => {
    const cardRefId = await storedCard(context)
    return { reply: await context.client.getCardInfo({ cardRefId }, context.options) }
  },
  makeRebill: creates(async (context, clientOrderId) => {
    const cardRefId = await storedCard(context)
    return context.client.makeRebill({ clientOrderId, cardRefId, ...money }, context.options)
  }),
  paymentForm: creates(({ client, options }, clientOrderId) =>
    client.paymentForm({ clientOrderId, ...money, ...form }, options),
  ),
  payoutForm: creates(({ client, options }, clientOrderId) =>
    client.payoutForm({ clientOrderId, ...money, redirectUrl: form.redirectUrl }, options),
  ),
  payout: creates(({ client, options }, clientOrderId) =>
    client.payout({ clientOrderId, ...money, ...account }, options),
  ),
  preauthForm: creates(({ client, options }, clientOrderId) =>
    client.preauthForm({ clientOrderId, ...money, ...form }, options),
  ),
  preauth: creates(({ client, options }, clientOrderId) => client.preauth({ clientOrderId, ...paying }, options)),
  return: follows('sale', ({ client, options }, ids) => client.return({ ...ids, comment: 'wrong size' }, options)),
  saleForm: creates(({ client, options }, clientOrderId) =>
    client.saleForm({ clientOrderId, ...money, ...form }, options),
  ),
  sale: creates(({ client, options }, clientOrderId) => client.sale({ clientOrderId, ...paying }, options)),
  status: follows('sale', ({ client, options }, ids) => client.status(ids, options)),
  void: follows('preauth', ({ client, options }, ids) => client.void(ids, options)),
  createCardRefV4: follows('sale', ({ client, options }, ids) => client.createCardRefV4(ids, options)),
  createRecurringPayment: creates(({ client, options }, clientOrderId) =>
    client.createRecurringPayment({ clientOrderId, ...money, rpCardType: 'SRC', ...card }, options),
  ),
  payoutCheck: creates(({ client, options }, clientOrderId) =>
    client.payoutCheck({ clientOrderId, ...money, phone: '+447700900123' }, options),
  ),
  panEligibilitySend: creates(async (context, clientOrderId) => {
    const sendingCardRefId = await storedCard(context)
    return context.client.panEligibilitySend({ clientOrderId, sendingCardRefId }, context.options)
  }),
  transfer: creates(({ client, options }, clientOrderId) =>
    client.transfer({ clientOrderId, ...money, deposit2card: true, destinationCardNo: testCard }, options),
  ),
  transferByRef: creates(async (context, clientOrderId) => {
    const destinationCardRefId = await storedCard(context)
    return context.client.transferByRef({ clientOrderId, ...money, destinationCardRefId }, context.options)
  }),
  payoutV4: creates(({ client, options }, clientOrderId) =>
    client.payoutV4({ clientOrderId, ...money, creditCardNumber: testCard }, options),
  ),
  payoutPay: follows('payoutCheck', ({ client, options }, ids) => client.payoutPay(ids, options)),
}

/** The scenario of an operation; where it has none of its own, its vector is sent, about a held order where it changes one. */
export function scenarioOf(name: OperationName): Scenario {
  const vector = vectors.find(({ operation }) => operation === name)
  const request = vector?.request as Parameters<Client['payout']>[0]
  const call = ({ client, options }: ScenarioContext, ids: object) =>
    client[name as 'payout']({ ...request, ...ids }, options)
  const otherwise =
    operations[name].effect === 'changes'
      ? follows('preauth', call)
      : creates((context, clientOrderId) => call(context, { clientOrderId }))
  return scenarios[name] ?? otherwise
}
