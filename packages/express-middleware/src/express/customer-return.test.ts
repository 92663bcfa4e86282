import { createHash } from 'node:crypto'
import { defineProfile, type StatusRequest, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import { handmadeToken } from '../../test/handmade-token.js'
import { type ExpressModule, oldest, serve } from '../../test/serve.js'
import type { Rejection } from '../config/errors.js'
import type { VisitResult } from '../core.js'
import { type ExpectedPayment, signState } from '../state/token.js'
import { type CustomerReturnOptions, customerReturn } from './customers.js'

const now = 1_800_000_000_000
const saleForm = { operation: 'saleForm', amount: '10.00', currency: 'EUR' } as const
const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const controlKeys = 'test-merchant-control'

/** What status says, one reply a question, the last one again and again. */
function stubClient(
  ...replies: ({ readonly [Field in keyof StatusResponse]?: StatusResponse[Field] | undefined } | Error)[]
) {
  const status = vi.fn(async (_request: StatusRequest): Promise<StatusResponse> => {
    const reply = replies.length > 1 ? replies.shift() : replies[0]
    if (reply instanceof Error) throw reply
    return {
      status: 'processing',
      clientOrderId: 'order-1',
      orderId: '77',
      transactionType: 'sale',
      amount: '10.00',
      currency: 'EUR',
      ...reply,
      raw: {},
    } as StatusResponse
  })
  return { status }
}

/** What the browser of a customer posts, signed as the gateway would. sha1(status + orderid + client_orderid + key). */
function browserReturn(status: string, clientOrderId = 'order-1') {
  const control = createHash('sha1').update(`${status}77${clientOrderId}${controlKeys}`).digest('hex')
  return new URLSearchParams({
    status,
    orderid: '77',
    client_orderid: clientOrderId,
    merchant_order: clientOrderId,
    control,
  })
}

type Status = ReturnType<typeof stubClient>

/** Comes back once. `expected` is what the form was opened for. */
async function comeBack(
  express: ExpressModule,
  {
    token,
    body,
    before = () => undefined,
    at = now,
    client = stubClient({ status: 'approved' }),
    expected = saleForm,
    ...options
  }: Partial<Omit<CustomerReturnOptions, 'client'>> & {
    readonly client?: Status
    readonly expected?: ExpectedPayment | null
    readonly token?: string
    readonly body?: URLSearchParams
    readonly before?: (app: ReturnType<ExpressModule>) => void
    readonly at?: number
  },
) {
  const rejections: Rejection[] = []
  const results: VisitResult[] = []
  const app = express()
  before(app)
  app.all(
    '/return/:state',
    customerReturn({
      stateSecrets,
      controlKeys,
      client,
      redirectTo: result => {
        results.push(result)
        return `/orders/${result.clientOrderId}?view=${result.view}`
      },
      wait: async () => undefined,
      clock: () => at,
      onRejected: rejection => void rejections.push(rejection),
      ...options,
    }),
  )
  await using served = await serve(app)
  const subject = {
    clientOrderId: 'order-1',
    purpose: 'hosted-form',
    secrets: stateSecrets,
    lifetime: 60,
    now,
  } as const
  const state = token ?? signState({ ...subject, ...(expected === null ? {} : { expected }) })
  const response = await fetch(`${served.origin}/return/${state}`, {
    redirect: 'manual',
    ...(body === undefined ? {} : { method: 'POST', body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text(), rejections, results }
}

const view = ({ headers }: { readonly headers: Headers }) => headers.get('location')

describe.each(oldest)('customerReturn under %s', (_version, express) => {
  it('asks status and sends the customer on with 303, not to be stored', async () => {
    const client = stubClient({ status: 'approved' })
    const { status, headers, results } = await comeBack(express, { client, body: browserReturn('approved') })
    expect([status, headers.get('location')]).toEqual([303, '/orders/order-1?view=paid'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(client.status.mock.calls).toEqual([[{ clientOrderId: 'order-1', orderId: '77' }]])
    expect(results).toEqual([
      {
        clientOrderId: 'order-1',
        view: 'paid',
        reply: expect.objectContaining({ status: 'approved', amount: '10.00', orderId: '77' }),
      },
    ])
  })

  it('asks by the merchant’s order id alone where the browser has not brought the gateway’s, signed', async () => {
    const client = stubClient({ status: 'approved' })
    await comeBack(express, { client })
    const body = new URLSearchParams({ status: 'approved', orderid: '78', merchant_order: 'order-1', control: 'x' })
    await comeBack(express, { client, body })
    expect(client.status.mock.calls).toEqual([[{ clientOrderId: 'order-1' }], [{ clientOrderId: 'order-1' }]])
  })

  it('ends the connection when the browser brings more than is read', async () => {
    const body = new URLSearchParams({ comment: 'x'.repeat(70_000) })
    const { status, headers, rejections } = await comeBack(express, { body })
    expect([status, headers.get('connection')]).toEqual([303, 'close'])
    expect(rejections.map(({ reason }) => reason)).toEqual(['too-large'])
  })

  it.each([
    ['without a body parser', () => undefined],
    ['after express.urlencoded', (app: ReturnType<ExpressModule>) => app.use(express.urlencoded({ extended: true }))],
    ['after express.json', (app: ReturnType<ExpressModule>) => app.use(express.json())],
  ])('reads what the browser posts %s', async (_case, before) => {
    const good = await comeBack(express, { before, body: browserReturn('approved') })
    expect([good.rejections, view(good)]).toEqual([[], '/orders/order-1?view=paid'])
    const bad = await comeBack(express, { before, body: new URLSearchParams({ status: 'approved', control: 'x' }) })
    expect([bad.rejections.length, view(bad)]).toEqual([1, '/orders/order-1?view=paid'])
  })

  it('ends in declined for a declined order, however loudly the browser says approved', async () => {
    for (const body of [browserReturn('approved'), new URLSearchParams({ status: 'approved', orderid: '77' })]) {
      const returned = await comeBack(express, { body, client: stubClient({ status: 'declined' }) })
      expect(view(returned)).toBe('/orders/order-1?view=declined')
    }
  })

  it('ends in paid for an approved order, whatever the browser says', async () => {
    const returned = await comeBack(express, { body: browserReturn('declined') })
    expect(view(returned)).toBe('/orders/order-1?view=paid')
  })

  it('ends in checking while status has nothing final, and asks no more often than it may', async () => {
    const client = stubClient({ status: 'processing' })
    const wait = vi.fn(async () => undefined)
    const body = browserReturn('approved')
    const returned = await comeBack(express, { body, client, wait })
    expect(view(returned)).toBe('/orders/order-1?view=checking')
    expect(client.status).toHaveBeenCalledTimes(5)
    expect(wait.mock.calls).toEqual([[250], [500], [1000], [1000]])
    // Nothing that was not settled is handed out.
    expect(returned.results).toEqual([{ clientOrderId: 'order-1', view: 'checking' }])
  })

  it('asks again after no answer and after a word that is not final', async () => {
    const client = stubClient(new Error('timeout'), { status: 'processing' }, { status: 'approved' })
    expect(view(await comeBack(express, { client }))).toBe('/orders/order-1?view=paid')
    expect(client.status).toHaveBeenCalledTimes(3)
  })

  it('asks again while status shows another stage', async () => {
    const client = stubClient({ status: 'approved', transactionType: 'preauth' }, { status: 'approved' })
    expect(view(await comeBack(express, { client }))).toBe('/orders/order-1?view=paid')
    expect(client.status).toHaveBeenCalledTimes(2)
  })

  it('ends in checking where nobody answers', async () => {
    expect(view(await comeBack(express, { client: stubClient(new Error('timeout')) }))).toBe(
      '/orders/order-1?view=checking',
    )
  })

  it("reads the browser's parameters by the names that the profile has for them", async () => {
    const names = { status: 'state', orderId: 'id', clientOrderId: ['ref'], control: 'sum' }
    const profile = defineProfile({ browserReturnParameters: names })
    const [state = '', id = '', ref = '', , sum = ''] = [...browserReturn('approved').values()]
    const { rejections } = await comeBack(express, { profile, body: new URLSearchParams({ state, id, ref, sum }) })
    expect(rejections).toEqual([])
  })

  it.each<[string, Partial<StatusResponse>, ExpectedPayment]>([
    ['held', { transactionType: 'preauth' }, { ...saleForm, operation: 'preauthForm' }],
    ['held', { transactionType: 'preauth' }, { ...saleForm, operation: 'paymentForm' }],
    ['paid', {}, { ...saleForm, operation: 'paymentForm' }],
    ['verified', { transactionType: 'account-verification' }, { operation: 'accountVerificationForm' }],
    ['sent', { transactionType: 'payout' }, { ...saleForm, operation: 'payoutForm' }],
    ['paid', { amount: '10' }, saleForm],
    ['declined', { status: 'filtered' }, saleForm],
    ['declined', { status: 'error' }, saleForm],
    ['declined', { status: 'declined', amount: '1.00' }, saleForm],
    ['checking', { status: 'unknown' }, saleForm],
    ['checking', { amount: '1.00' }, saleForm],
    ['checking', { currency: 'USD' }, saleForm],
    ['checking', { clientOrderId: 'order-2' }, saleForm],
    ['checking', { transactionType: 'preauth' }, saleForm],
    ['checking', { transactionType: 'reversal' }, saleForm],
    ['checking', { transactionType: 'Riddle' }, saleForm],
    // A shop may capture as soon as it is called back.
    ['paid', { transactionType: 'capture' }, { ...saleForm, operation: 'preauthForm' }],
    ['checking', { transactionType: 'capture', amount: '4.00' }, { ...saleForm, operation: 'preauthForm' }],
    ['checking', { transactionType: 'capture', status: 'declined' }, { ...saleForm, operation: 'preauthForm' }],
    ['checking', { transactionType: 'cancel' }, { ...saleForm, operation: 'preauthForm' }],
    ['checking', { transactionType: 'capture' }, saleForm],
    // A form with a price, of which the state does not say it.
    ['checking', {}, { operation: 'saleForm' }],
    ['checking', {}, { operation: 'getCardInfo' }],
  ])('shows %s for %j where the form was opened for %j', async (shown, reply, expected) => {
    const client = stubClient({ status: 'approved', ...reply })
    expect(view(await comeBack(express, { client, expected }))).toBe(`/orders/order-1?view=${shown}`)
  })

  it('shows checking where the reply is about another order of the gateway than the browser has brought', async () => {
    const client = stubClient({ status: 'approved', orderId: '78' })
    const body = browserReturn('approved')
    expect(view(await comeBack(express, { client, body }))).toBe('/orders/order-1?view=checking')
  })

  it('asks nobody where the state does not say what the form was opened for', async () => {
    const client = stubClient({ status: 'approved' })
    expect(view(await comeBack(express, { client, expected: null }))).toBe('/orders/order-1?view=checking')
    expect(client.status).not.toHaveBeenCalled()
  })

  it('guesses no stage where the gateway names none and it may be one of two', async () => {
    const profile = defineProfile({ statusNamesStage: false })
    const client = stubClient({ status: 'approved', transactionType: undefined })
    const expected = { ...saleForm, operation: 'paymentForm' } as const
    expect(view(await comeBack(express, { client, expected, profile }))).toBe('/orders/order-1?view=checking')
    expect(view(await comeBack(express, { client, profile }))).toBe('/orders/order-1?view=paid')
    const hold = { ...saleForm, operation: 'preauthForm' } as const
    expect(view(await comeBack(express, { client, expected: hold, profile }))).toBe('/orders/order-1?view=held')
  })

  it('stops asking when a person must look', async () => {
    const client = stubClient({ status: 'approved', amount: '1.00' })
    await comeBack(express, { client })
    expect(client.status).toHaveBeenCalledTimes(1)
  })

  it('refuses a forged state and asks nobody', async () => {
    const claims = {
      clientOrderId: 'order-1',
      purpose: 'hosted-form',
      aud: 'tillkit:customer-return',
      iat: 1,
      exp: 2e9,
    }
    const client = stubClient({ status: 'approved' })
    const token = handmadeToken('not the secret, though 32 bytes.', { claims })
    const { status, text, rejections } = await comeBack(express, { token, client })
    expect([status, text]).toEqual([403, 'ERR_STATE_REJECTED'])
    expect(rejections.map(({ reason }) => reason)).toEqual(['forged-state'])
    expect(client.status).not.toHaveBeenCalled()
  })

  it('asks nobody with an expired state, and says no more than that it is being checked', async () => {
    const client = stubClient({ status: 'approved' })
    const returned = await comeBack(express, { client, at: now + 86_400_000 })
    expect([returned.status, view(returned)]).toEqual([303, '/orders/order-1?view=checking'])
    expect(client.status).not.toHaveBeenCalled()
  })

  it('reports a return that verifies and speaks of another order, and asks about the one in the state', async () => {
    const client = stubClient({ status: 'declined' })
    const returned = await comeBack(express, { client, body: browserReturn('approved', 'order-2') })
    expect(returned.rejections.map(({ reason }) => reason)).toEqual(['other-order'])
    expect(client.status.mock.calls[0]?.[0]).toEqual({ clientOrderId: 'order-1' })
    expect(view(returned)).toBe('/orders/order-1?view=declined')
  })

  it.each(['https://elsewhere.example/', '//elsewhere.example/', '/\\elsewhere.example', 'back'])(
    'never leads to %s',
    async elsewhere => {
      const { status, text, headers } = await comeBack(express, { redirectTo: () => elsewhere })
      expect([status, text, headers.get('location')]).toEqual([500, 'ERR_REDIRECT_REFUSED', null])
    },
  )

  it('goes on when something else consumed the body', async () => {
    const before = (app: ReturnType<ExpressModule>) =>
      app.use((request, _response, next) => {
        request.resume().on('end', next)
      })
    expect(view(await comeBack(express, { before, body: browserReturn('approved') }))).toBe('/orders/order-1?view=paid')
  })

  it('hands on what the merchant throws', async () => {
    const redirectTo = async () => {
      throw new Error('database is away')
    }
    const { status, text } = await comeBack(express, { redirectTo })
    expect([status, text]).toEqual([500, 'Error: database is away'])
  })

  it('says so when its path has no state', async () => {
    const app = express()
    app.all('/return', customerReturn(right()))
    await using served = await serve(app)
    expect(await (await fetch(`${served.origin}/return`)).text()).toContain('"/:state"')
  })
})

const right = (): CustomerReturnOptions => ({
  stateSecrets,
  controlKeys,
  client: stubClient({}),
  redirectTo: () => '/',
})

describe('customerReturn', () => {
  it('makes a handler with a name', () => {
    expect(customerReturn(right()).name).toBe('customerReturnHandler')
  })

  it.each([
    ['"stateSecrets"', { stateSecrets: undefined }],
    ['"stateSecrets"', { controlKeys: [{ label: 'a', key: 'the first secret, 32 bytes long.' }] }],
    ['"controlKeys"', { controlKeys: undefined }],
    ['"profile"', { profile: defineProfile({ browserReturnItems: ['status', 'email'] }) }],
    ['"client"', { client: {} }],
    ['"store"', { store: {} }],
    ['"redirectTo"', { redirectTo: '/orders' }],
    ['"wait"', { wait: 5 }],
    ['"clock"', { clock: now }],
    ['"onRejected"', { onRejected: true }],
  ])('names %s when it is wrong', (name, options) => {
    const build = () => customerReturn({ ...right(), ...options } as unknown as CustomerReturnOptions)
    expect(build).toThrow(TypeError)
    expect(build).toThrow(name)
  })
})
