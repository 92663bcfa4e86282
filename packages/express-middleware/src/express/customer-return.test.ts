import { createHash } from 'node:crypto'
import { defineProfile, emptyOrder, type StatusRequest, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import { handmadeToken } from '../../test/handmade-token.js'
import { type ExpressModule, serve, versions } from '../../test/serve.js'
import type { Rejection } from '../config/errors.js'
import { signState } from '../state/token.js'
import { type CustomerReturnOptions, customerReturn } from './customers.js'

const now = 1_800_000_000_000
const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const controlKeys = 'test-merchant-control'
const expected = { stages: ['sale'], amount: '10.00', currency: 'EUR' } as const

/** What status says, one reply a question, the last one again and again. */
function stubClient(...replies: (Partial<StatusResponse> | Error)[]) {
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
    }
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

/** Comes back once. */
async function comeBack(
  express: ExpressModule,
  {
    token,
    body,
    before = () => undefined,
    at = now,
    ...options
  }: Partial<CustomerReturnOptions> & {
    readonly token?: string
    readonly body?: URLSearchParams
    readonly before?: (app: ReturnType<ExpressModule>) => void
    readonly at?: number
  },
) {
  const rejections: Rejection[] = []
  const onSettlement = vi.fn()
  const app = express()
  before(app)
  app.all(
    '/return/:state',
    customerReturn({
      stateSecrets,
      controlKeys,
      client: stubClient({ status: 'approved' }),
      order: ({ clientOrderId }) => ({ order: emptyOrder({ clientOrderId, orderId: '77' }), expected }),
      onSettlement,
      redirectTo: ({ clientOrderId, view }) => `/orders/${clientOrderId}?view=${view}`,
      polling: { wait: async () => undefined },
      clock: () => at,
      onRejected: rejection => void rejections.push(rejection),
      ...options,
    }),
  )
  await using served = await serve(app)
  const state =
    token ??
    (await signState({ clientOrderId: 'order-1', purpose: 'hosted-form', secrets: stateSecrets, lifetime: 60, now }))
  const response = await fetch(`${served.origin}/return/${state}`, {
    redirect: 'manual',
    ...(body === undefined ? {} : { method: 'POST', body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, rejections, onSettlement }
}

const view = ({ headers }: { readonly headers: Headers }) => headers.get('location')

describe.each(versions)('customerReturn under %s', (_version, express) => {
  it('settles by status and sends the customer on with 303, not to be stored', async () => {
    const { status, headers, onSettlement } = await comeBack(express, { body: browserReturn('approved') })
    expect([status, headers.get('location')]).toEqual([303, '/orders/order-1?view=paid'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(onSettlement).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ kind: 'approved', evidence: 'status-reply' }),
      { clientOrderId: 'order-1' },
    )
  })

  it('settles and ends the connection when the browser brings more than is read', async () => {
    const body = new URLSearchParams({ comment: 'x'.repeat(70_000) })
    const { status, headers, rejections, onSettlement } = await comeBack(express, { body })
    expect([status, headers.get('connection')]).toEqual([303, 'close'])
    expect(rejections.map(({ reason }) => reason)).toEqual(['too-large'])
    expect(onSettlement).toHaveBeenCalledOnce()
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
    const returned = await comeBack(express, { body, client, polling: { attempts: 3, interval: 250, wait } })
    expect(view(returned)).toBe('/orders/order-1?view=checking')
    expect(client.status).toHaveBeenCalledTimes(3)
    expect(wait.mock.calls).toEqual([[250], [250]])
    expect(returned.onSettlement).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ kind: 'not-final' }),
      expect.anything(),
    )
  })

  it('asks again after no answer and after a word that is not final', async () => {
    const client = stubClient(new Error('timeout'), { status: 'processing' }, { status: 'approved' })
    expect(view(await comeBack(express, { client }))).toBe('/orders/order-1?view=paid')
    expect(client.status).toHaveBeenCalledTimes(3)
  })

  it('keeps what each answer said of other stages', async () => {
    const client = stubClient({ status: 'approved', transactionType: 'preauth' }, { status: 'approved' })
    const { onSettlement } = await comeBack(express, { client })
    expect(onSettlement.mock.calls[0]?.[0].order.stages).toMatchObject([{ stage: 'preauth' }, { stage: 'sale' }])
  })

  it("reads the browser's parameters by the names that the profile has for them", async () => {
    const names = { status: 'state', orderId: 'id', clientOrderId: ['ref'], control: 'sum' }
    const profile = defineProfile({ browserReturnParameters: names })
    const [state = '', id = '', ref = '', , sum = ''] = [...browserReturn('approved').values()]
    const { rejections } = await comeBack(express, { profile, body: new URLSearchParams({ state, id, ref, sum }) })
    expect(rejections).toEqual([])
  })

  it.each([
    ['held', { status: 'approved', transactionType: 'preauth' }, { ...expected, stages: ['preauth'] as const }],
    [
      'verified',
      { status: 'approved', transactionType: 'account-verification' },
      { stages: ['verification'] as const },
    ],
    ['sent', { status: 'approved', transactionType: 'payout' }, { ...expected, stages: ['payout'] as const }],
    ['declined', { status: 'filtered' }, expected],
    ['declined', { status: 'error' }, expected],
    ['checking', { status: 'unknown' }, expected],
    ['checking', { status: 'approved', amount: '1.00' }, expected],
    ['checking', { status: 'approved', currency: 'USD' }, expected],
    ['checking', { status: 'approved', orderId: '78' }, expected],
    ['checking', { status: 'approved', clientOrderId: 'order-2' }, expected],
    ['checking', { status: 'approved', transactionType: 'preauth' }, expected],
    ['checking', { status: 'approved', transactionType: 'reversal' }, { ...expected, stages: ['reversal'] as const }],
  ])('shows %s for %j', async (shown, reply, expectation) => {
    const order = ({ clientOrderId }: { readonly clientOrderId: string }) => ({
      order: emptyOrder({ clientOrderId, orderId: '77' }),
      expected: expectation,
    })
    const returned = await comeBack(express, { client: stubClient(reply), order })
    expect(view(returned)).toBe(`/orders/order-1?view=${shown}`)
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
    const { status, text, rejections, onSettlement } = await comeBack(express, { token, client })
    expect([status, text]).toEqual([403, 'ERR_STATE_REJECTED'])
    expect(rejections.map(({ reason }) => reason)).toEqual(['forged-state'])
    expect(client.status).not.toHaveBeenCalled()
    expect(onSettlement).not.toHaveBeenCalled()
  })

  it('settles with an expired state too, asks once and says no more than that it is being checked', async () => {
    const client = stubClient({ status: 'processing' }, { status: 'approved' })
    const first = await comeBack(express, { client, at: now + 86_400_000 })
    expect(client.status).toHaveBeenCalledTimes(1)
    const second = await comeBack(express, { client, at: now + 86_400_000 })
    for (const returned of [first, second]) {
      expect([returned.status, view(returned)]).toEqual([303, '/orders/order-1?view=checking'])
    }
    expect(second.onSettlement).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: 'approved' }), {
      clientOrderId: 'order-1',
    })
  })

  it('reports a return that verifies and speaks of another order, and asks about the one in the state', async () => {
    const client = stubClient({ status: 'declined' })
    const returned = await comeBack(express, { client, body: browserReturn('approved', 'order-2') })
    expect(returned.rejections.map(({ reason }) => reason)).toEqual(['other-order'])
    expect(client.status.mock.calls[0]?.[0]).toMatchObject({ clientOrderId: 'order-1', orderId: '77' })
    expect(view(returned)).toBe('/orders/order-1?view=declined')
  })

  it('asks nobody when the merchant has nothing to ask', async () => {
    const client = stubClient({ status: 'approved' })
    const returned = await comeBack(express, { client, order: () => undefined })
    expect(view(returned)).toBe('/orders/order-1?view=checking')
    expect(client.status).not.toHaveBeenCalled()
    expect(returned.onSettlement).not.toHaveBeenCalled()
  })

  it('shows what made the order, whatever else is waited for', async () => {
    const returned = { ...expected, stages: ['cancel', 'reversal'] as const, serialNumber: 'a-2' }
    const order = ({ clientOrderId }: { readonly clientOrderId: string }) => ({
      order: emptyOrder({ clientOrderId, orderId: '77' }),
      expected: [returned, expected],
    })
    expect(view(await comeBack(express, { order }))).toBe('/orders/order-1?view=paid')
    const client = stubClient({ status: 'approved' })
    const known = { order: emptyOrder({ clientOrderId: 'order-1' }), expected: [] }
    expect(view(await comeBack(express, { client, order: () => known }))).toBe('/orders/order-1?view=checking')
    expect(client.status).not.toHaveBeenCalled()
  })

  it.each([
    ['an order alone', emptyOrder({ clientOrderId: 'order-1' }), 'Option "order" must return { order, expected }'],
    ['nothing to wait for', { order: emptyOrder({ clientOrderId: 'order-1' }) }, '"expected.stages" must list'],
  ])('says what is wrong with %s', async (_case, found, problem) => {
    const client = stubClient({ status: 'approved' })
    const { status, text } = await comeBack(express, { client, order: () => found as never })
    expect(status).toBe(500)
    expect(text).toContain(problem)
    expect(client.status).not.toHaveBeenCalled()
  })

  it('does not ask about another order than the one in the state', async () => {
    const client = stubClient({ status: 'approved' })
    const order = () => ({ order: emptyOrder({ clientOrderId: 'order-2' }), expected })
    const { status, text } = await comeBack(express, { client, order })
    expect([status, text]).toEqual([500, 'ERR_ORDER_MISMATCH'])
    expect(client.status).not.toHaveBeenCalled()
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
    const onSettlement = async () => {
      throw new Error('database is away')
    }
    const { status, text } = await comeBack(express, { onSettlement })
    expect([status, text]).toEqual([500, 'Error: database is away'])
  })

  it('says so when its path has no state', async () => {
    const app = express()
    const { onSettlement, redirectTo, order } = {
      onSettlement: () => undefined,
      redirectTo: () => '/',
      order: () => undefined,
    }
    const client = stubClient({})
    app.all('/return', customerReturn({ stateSecrets, controlKeys, client, order, onSettlement, redirectTo }))
    await using served = await serve(app)
    expect(await (await fetch(`${served.origin}/return`)).text()).toContain('"/:state"')
  })
})

describe('customerReturn', () => {
  const right = {
    stateSecrets,
    controlKeys,
    client: stubClient({}),
    order: () => undefined,
    onSettlement: () => undefined,
    redirectTo: () => '/',
  }

  it('makes a handler with a name', () => {
    expect(customerReturn(right).name).toBe('customerReturnHandler')
  })

  it.each([
    ['"stateSecrets"', { stateSecrets: undefined }],
    ['"stateSecrets"', { controlKeys: [{ label: 'a', key: 'the first secret, 32 bytes long.' }] }],
    ['"controlKeys"', { controlKeys: undefined }],
    ['"profile"', { profile: defineProfile({ browserReturnItems: ['status', 'email'] }) }],
    ['"client"', { client: {} }],
    ['"order"', { order: undefined }],
    ['"onSettlement"', { onSettlement: undefined }],
    ['"redirectTo"', { redirectTo: '/orders' }],
    ['"polling.attempts"', { polling: { attempts: 0 } }],
    ['"polling.interval"', { polling: { interval: -1 } }],
    ['"polling.wait"', { polling: { wait: 5 } }],
    ['"clock"', { clock: now }],
    ['"onRejected"', { onRejected: true }],
  ])('names %s when it is wrong', (name, options) => {
    const build = () => customerReturn({ ...right, ...options } as unknown as CustomerReturnOptions)
    expect(build).toThrow(TypeError)
    expect(build).toThrow(name)
  })
})
