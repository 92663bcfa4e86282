import { createFakeClock, createFakeGateway, type FakeGateway, type FakeGatewayOptions, hangUp } from '@tillkit/testing'
import { Agent } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type AnyGatewayError,
  type Client,
  type ClientOptions,
  createClient,
  defineProfile,
  memoryAttempts,
  type OutcomeUnknownError,
  type RememberedAttempt,
  type ResolvePosition,
} from '../src/index.js'
import { saleRequest } from './sample-requests.js'

const minute = 60_000
const sale = { ...saleRequest, cvv2: '123' }
const never = defineProfile({ orderNeverSeen: '4711' })
const part = { amount: '3.00', currency: 'EUR' }
const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

interface Shop {
  readonly gateway: FakeGateway
  readonly attempts: ReturnType<typeof memoryAttempts>
  readonly client: Client
  /** Another client of the same shop. */
  another(options: Partial<ClientOptions>): Client
}

async function openShop(options: FakeGatewayOptions = {}, own: Partial<ClientOptions> = {}): Promise<Shop> {
  const clock = createFakeClock({ base: () => Date.UTC(2026, 0, 5) })
  const gateway = createFakeGateway({ profile: never, ...options, clock })
  await gateway.listen()
  const attempts = memoryAttempts()
  const another = (others: Partial<ClientOptions>) => {
    const made = createClient({ ...gateway.clientOptions, attempts, retries: 0, ...own, ...others })
    opened.push(made)
    return made
  }
  opened.push(gateway)
  return { gateway, attempts, client: another({}), another }
}

/** The attempt of a call whose outcome is unknown. */
async function unknown(call: Promise<unknown>): Promise<RememberedAttempt> {
  const error = await call.then(
    () => undefined,
    (thrown: AnyGatewayError) => thrown,
  )
  expect(error).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
  // What is stored comes back from JSON.
  return JSON.parse(JSON.stringify((error as OutcomeUnknownError).attempt)) as RememberedAttempt
}

async function preauthorized(shop: Shop) {
  const { orderId } = await shop.client.preauth(sale)
  return { clientOrderId: 'o-1', orderId }
}

async function sold(shop: Shop) {
  const { orderId } = await shop.client.sale(sale)
  return { clientOrderId: 'o-1', orderId }
}

describe('an attempt that created', () => {
  it('happened when status knows its order, and the port is told', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.sale(sale))
    const resolution = await shop.client.resolve(attempt)
    expect(resolution).toMatchObject({
      resolution: 'happened',
      order: { clientOrderId: 'o-1', stages: [{ stage: 'sale', outcome: 'approved', amount: '10.42' }] },
      evidence: { reply: { status: 'approved', stage: 'sale' } },
    })
    expect(resolution.explanation).toContain('Status knows the order')
    expect(shop.attempts.list()).toMatchObject([
      { end: { ending: 'accepted', basis: 'status', orderId: expect.stringMatching(/^\d+$/) } },
    ])
    expect(shop.gateway.calls('sale')).toHaveLength(1)
  })

  it('left no trace only after a quiet period and two answers apart, also in another process', async () => {
    const shop = await openShop()
    const { clock } = shop.gateway
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    expect(attempt.end).toMatchObject({ ending: 'unknown', connection: 'closed' })

    const tooEarly = await shop.client.resolve(attempt)
    expect(tooEarly).toMatchObject({
      reason: 'quiet-period',
      needsPerson: false,
      askAgainAt: clock.now() + 15 * minute,
    })

    await clock.advance(15 * minute)
    const first = await shop.client.resolve(attempt, positionOf(tooEarly))
    expect(first).toMatchObject({ reason: 'one-answer', askAgainAt: clock.now() + 5 * minute })

    await clock.advance(5 * minute - 1)
    const tooClose = await shop.client.resolve(attempt, positionOf(first))
    expect(tooClose).toMatchObject({ reason: 'one-answer', askAgainAt: clock.now() + 1 })
    expect(shop.attempts.list()).toMatchObject([{ end: { ending: 'unknown' } }])

    await clock.advance(1)
    const second = await shop.another({}).resolve(attempt, positionOf(tooClose))
    expect(second).toMatchObject({
      resolution: 'no-trace',
      evidence: { neverSeenAt: [clock.now() - 5 * minute, clock.now()] },
    })
    expect(second.explanation).toContain('300 s apart, after nothing of the request had been on its way for 900 s')
    expect(shop.attempts.list()).toMatchObject([{ end: { ending: 'no-trace', basis: 'status' } }])
    await shop.client.sale(sale)
    expect(shop.gateway.calls('sale')).toHaveLength(2)
  })

  it('counts no answer from before the quiet period was over', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const { attemptId, end } = attempt
    await shop.gateway.clock.advance(60 * minute)
    const position = { attemptId, quietSince: end?.at ?? 0, neverSeenAt: (end?.at ?? 0) + minute }
    expect(await shop.client.resolve(attempt, { position })).toMatchObject({ reason: 'one-answer' })
  })

  it('has not been left without a trace when it shows up between two answers', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.gateway.clock.advance(15 * minute)
    const first = await shop.client.resolve(attempt)
    await shop.another({ attempts: undefined }).sale(sale)
    await shop.gateway.clock.advance(15 * minute)
    expect(await shop.client.resolve(attempt, positionOf(first))).toMatchObject({ resolution: 'happened' })
  })

  it('cannot be told without the gateway’s word for an order it never saw', async () => {
    const { defaultProfile: profile } = await import('../src/index.js')
    const shop = await openShop({ profile })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.gateway.clock.advance(24 * 60 * minute)
    const resolution = await shop.client.resolve(attempt)
    expect(resolution).toMatchObject({ reason: 'no-word', needsPerson: true })
    expect(resolution.explanation).toContain('defineProfile({ orderNeverSeen })')
  })

  it('cannot be told when status refuses with another word', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const own = shop.another({ profile: defineProfile({ orderNeverSeen: '1' }) })
    await shop.gateway.clock.advance(24 * 60 * minute)
    expect(await own.resolve(attempt)).toMatchObject({ reason: 'no-answer', cause: { errorCode: '4711' } })
  })

  it('cannot be told while its connection may be open, unless somebody says that it is not', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const { end: _end, ...attempt } = await unknown(shop.client.sale(sale))
    await shop.gateway.clock.advance(24 * 60 * minute)
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'connection-open' })
    const said = await shop.client.resolve(attempt, { connectionClosed: true })
    expect(said).toMatchObject({ reason: 'quiet-period', position: { quietSince: shop.gateway.clock.now() } })
    await shop.gateway.clock.advance(15 * minute)
    // It need not be said again, and does not begin anew when it is.
    const first = await shop.client.resolve(attempt, { ...positionOf(said), connectionClosed: true })
    expect(first).toMatchObject({ reason: 'one-answer' })
  })

  it('says nothing of the connection where the dispatcher is the caller’s', async () => {
    const shop = await openShop()
    const dispatcher = new Agent()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.another({ dispatcher }).sale(sale))
    await dispatcher.destroy()
    expect(attempt.end).not.toHaveProperty('connection')
    await shop.gateway.clock.advance(24 * 60 * minute)
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'connection-open' })
  })

  it('cannot be told when status does not answer, and what was learned before is kept', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.gateway.clock.advance(15 * minute)
    const first = await shop.client.resolve(attempt)
    shop.gateway.faults.arm({ fault: 'drop', operation: 'status' })
    shop.gateway.handle({ status: () => hangUp() })
    const silent = await shop.client.resolve(attempt, positionOf(first))
    expect(silent).toMatchObject({ reason: 'no-answer', needsPerson: false, ...positionOf(first) })
  })

  it.each([
    ['is a preauth', 'preauth', {}],
    ['is over another amount', 'sale', { amount: '11.00' }],
  ] as const)('cannot be told when the order that is found %s', async (_, operation, other) => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.another({ attempts: undefined })[operation]({ ...sale, ...other })
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'another-request', needsPerson: true })
  })

  it('cannot be told from a reply that echoes no ids', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    shop.gateway.handle({ status: () => ({ status: 'approved', transactionType: 'sale' }) })
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'other-order' })
  })
})

describe('an attempt that changed', () => {
  it('happened when status shows its stage, and before it did not', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.capture({ ...ids, ...part }))
    expect(attempt).toMatchObject({
      baseline: { stage: 'preauth', status: 'approved', amount: '10.42', currency: 'EUR' },
      amount: '3.00',
    })
    expect(await shop.client.resolve(attempt)).toMatchObject({
      resolution: 'happened',
      order: { ...ids, stages: [{ stage: 'capture', outcome: 'approved', amount: '3.00' }] },
    })
    expect(shop.attempts.list().at(-1)).toMatchObject({ end: { ending: 'accepted', basis: 'status' } })
    expect(shop.gateway.calls('capture')).toHaveLength(1)
  })

  it('a capture is never settled by the `approved` of its preauth', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.capture(ids))
    await lagWith(shop, ids, { status: 'approved', transactionType: 'preauth', amount: '10.42', currency: 'EUR' })
    expect(await shop.client.resolve(attempt)).toMatchObject({
      resolution: 'cannot-tell-yet',
      reason: 'not-shown',
      needsPerson: false,
    })
  })

  it('an unknown return is never called "did not happen", whatever status answers and however often', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }))
    const neverSeen = { type: 'validation-error', errorCode: '4711', httpStatus: 400, status: 'error' }
    const answers = [() => hangUp(), () => neverSeen, () => undefined]
    let position: ResolvePosition | undefined
    for (const answer of [...answers, ...answers, ...answers]) {
      shop.gateway.handle({ status: answer })
      const resolution = await shop.client.resolve(attempt, { position, connectionClosed: true })
      expect(resolution.resolution).toBe('cannot-tell-yet')
      position = 'position' in resolution ? resolution.position : position
      await shop.gateway.clock.advance(24 * 60 * minute)
    }
    // Not even when the gateway has never seen the order at all.
    const elsewhere = await openShop()
    const stranger = elsewhere.another({})
    const moved = { ...attempt, baseUrl: elsewhere.gateway.clientOptions.baseUrl.href }
    for (let asked = 0; asked < 3; asked += 1) {
      expect(await stranger.resolve(moved, { connectionClosed: true })).toMatchObject({ reason: 'no-answer' })
      await elsewhere.gateway.clock.advance(24 * 60 * minute)
    }
  })

  it('two equal partial returns are two: neither is inferred from the other', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }))
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'same-as-before', needsPerson: true })
    expect(shop.gateway.calls('return')).toHaveLength(2)
  })

  it('two equal partial returns are two, also when status had not shown the first one before the second was sent', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await lagWith(shop, ids, { status: 'approved', transactionType: 'sale', amount: '10.42', currency: 'EUR' })
    await shop.client.return({ ...ids, ...part })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }))
    expect(attempt.baseline).toMatchObject({ stage: 'sale' })
    shop.gateway.handle({ status: () => undefined })
    const resolution = await shop.another({}).resolve(attempt)
    expect(resolution).toMatchObject({
      reason: 'equal-change',
      needsPerson: true,
      evidence: { reply: { stage: 'reversal' } },
    })
  })

  it('a return over another amount than the one before it is told apart', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part })
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.return({ ...ids, amount: '5.00', currency: 'EUR' }))
    expect(await shop.client.resolve(attempt)).toMatchObject({ resolution: 'happened' })
  })

  it.each([
    ['over another amount than its own', part, { amount: '5.00', currency: 'EUR' }],
    ['in another currency', part, { amount: '3.00', currency: 'USD' }],
    ['without an amount', part, {}],
    ['over a part where it was about the whole', {}, { amount: '3.00', currency: 'EUR' }],
  ])('is not a change that status shows %s', async (_, own, shown) => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.capture({ ...ids, ...own } as typeof ids))
    await lagWith(shop, ids, { status: 'approved', transactionType: 'capture', ...shown })
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'other-amount', needsPerson: true })
  })

  it('cannot be told without a baseline', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.handle({ status: () => hangUp() })
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.capture(ids))
    expect(attempt).not.toHaveProperty('baseline')
    shop.gateway.handle({ status: () => undefined })
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'no-baseline', needsPerson: true })
  })

  it('is told without a baseline by the serial number of its request', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part })
    const { serialNumber = '' } = await shop.client.return({ ...ids, ...part })
    const { baseline: _baseline, ...attempt } = shop.attempts.list().at(-1) as RememberedAttempt
    const open = { ...attempt, end: { ending: 'unknown', serialNumber, at: 0 } } as const
    expect(await shop.another({ attempts: undefined }).resolve(open)).toMatchObject({
      resolution: 'happened',
      order: { stages: [{ stage: 'reversal', serialNumber }] },
    })
  })

  it('is not told by a serial number that the gateway passes over', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part })
    const { serialNumber = '' } = await shop.client.return({ ...ids, ...part })
    const attempt = shop.attempts.list().at(-1) as RememberedAttempt
    await lagWith(shop, ids, { status: 'approved', transactionType: 'reversal', amount: '3.00', currency: 'EUR' })
    const open = { ...attempt, end: { ending: 'unknown', serialNumber, at: 0 } } as const
    expect(await shop.client.resolve(open)).toMatchObject({ reason: 'same-as-before' })
  })

  it('cannot be told by a client that does not know the other changes', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.capture(ids))
    expect(await shop.another({ attempts: undefined }).resolve(attempt)).toMatchObject({ reason: 'no-port' })
    const broken = { ...shop.attempts, changesOf: () => Promise.reject(new Error('the database is down')) }
    expect(await shop.another({ attempts: broken }).resolve(attempt)).toMatchObject({ reason: 'no-port' })
    const hanging = { ...shop.attempts, changesOf: () => new Promise<never>(() => {}) }
    const patient = shop.another({ attempts: hanging, wait: async () => {} })
    expect(await patient.resolve(attempt)).toMatchObject({ reason: 'no-port' })
  })
})

describe('an order with an open change', () => {
  it('takes no second one until the first is resolved', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    await unknown(shop.client.capture(ids))
    const second = shop.client.void(ids)
    await expect(second).rejects.toMatchObject({
      code: 'ERR_OPEN_CHANGE',
      moneyMayHaveMoved: true,
      openAttempt: { operation: 'capture', end: { ending: 'unknown' } },
    })
    await expect(second).rejects.toThrow('Resolve it first: client.resolve(error.openAttempt)')
    expect(shop.gateway.calls('void')).toHaveLength(0)
    const [, open] = shop.attempts.list()
    await shop.client.resolve(open as RememberedAttempt)
    await shop.client.return({ ...ids, ...part })
    expect(shop.gateway.calls('return')).toHaveLength(1)
  })

  it('takes one again once a person has closed what could not be told', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }))
    await expect(shop.client.return({ ...ids, ...part })).rejects.toMatchObject({ code: 'ERR_OPEN_CHANGE' })
    await shop.attempts.settled(attempt, { ending: 'no-trace', basis: 'person', note: 'ticket 4711', at: 1 })
    await shop.client.return({ ...ids, ...part })
    expect(shop.gateway.calls('return')).toHaveLength(3)
  })

  it('still takes what moves no money', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('drop')
    await unknown(shop.client.return({ ...ids, ...part }))
    expect(await shop.client.createCardRef(ids)).toMatchObject({ cardRefId: expect.any(String) })
  })
})

describe('an attempt that status does not show', () => {
  const recurring = {
    clientOrderId: 'r-1',
    currency: 'EUR',
    rpCardType: 'SRC',
    creditCardNumber: '4444444444444448',
    cardPrintedName: 'John Smith',
    expireMonth: '11',
    expireYear: '2083',
    amount: '5.00',
  } as const

  it('goes to a person where it may cause charges, without asking', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.createRecurringPayment(recurring))
    const resolution = await shop.client.resolve(attempt)
    expect(resolution).toMatchObject({ reason: 'no-status', needsPerson: true })
    expect(resolution.explanation).toContain('A person must look it up')
    expect(shop.gateway.calls('status')).toHaveLength(0)
  })

  it('is asked for where the profile says that status finds it', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.createRecurringPayment(recurring))
    const profile = defineProfile({ orderNeverSeen: '4711', statusFindsRecurringPayments: true })
    expect(await shop.another({ profile }).resolve(attempt)).toMatchObject({ reason: 'quiet-period' })
  })

  it('may be sent again by hand where it only makes a card reference', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.createCardRef(ids))
    const { explanation } = await shop.client.resolve(attempt)
    expect(explanation).toContain('send it again if you need one')
    await shop.client.createCardRef(ids)
  })
})

describe('client.resolve', () => {
  it('refuses what is no attempt of its own', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const refused = async (other: unknown, field: string, message: string) =>
      expect(shop.client.resolve(other as RememberedAttempt)).rejects.toMatchObject({
        code: 'ERR_INVALID_REQUEST',
        field,
        message: expect.stringContaining(message),
      })
    await refused(undefined, 'attempt', 'is no attempt')
    await refused({ attemptId: 'a' }, 'attempt', 'is no attempt')
    await refused({ ...attempt, baseUrl: 'https://gate.example/paynet' }, 'attempt', 'was sent to https://gate.example')
    await refused({ ...attempt, login: 'other' }, 'attempt', 'Hand over that merchant with "merchant"')
    await refused({ ...attempt, end: { ending: 'refused', at: 0 } }, 'attempt', 'ended refused')
  })

  it.each([
    [{ quietPeriod: 0 }, 'quietPeriod'],
    [{ apart: 1.5 }, 'apart'],
    [{ connectionClosed: 'yes' }, 'connectionClosed'],
    [{ position: { attemptId: 'another', quietSince: 0 } }, 'position'],
    [{ position: 'soon' }, 'position'],
    [{ quitePeriod: 1 }, 'quitePeriod'],
    [null, 'options'],
  ])('refuses the options %j', async (options, field) => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const call = shop.client.resolve(attempt, options as never)
    await expect(call).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field })
    expect(shop.gateway.calls('status')).toHaveLength(0)
  })

  it('asks at the endpoint that the attempt was sent to', async () => {
    const shop = await openShop({ endpointGroupId: 7 })
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.sale(sale, { endpointGroupId: 7 }))
    expect(attempt).toMatchObject({ endpointGroupId: '7' })
    expect(await shop.client.resolve(attempt)).toMatchObject({ resolution: 'happened' })
    expect(shop.gateway.calls('status')[0]).toMatchObject({ path: expect.stringContaining('/group/7') })
  })
})

function positionOf(resolution: object): { readonly position: ResolvePosition } {
  expect(resolution).toHaveProperty('position')
  return JSON.parse(JSON.stringify({ position: (resolution as { readonly position: ResolvePosition }).position }))
}

async function lagWith(
  { gateway }: Shop,
  ids: { readonly clientOrderId: string; readonly orderId: string },
  reply: Readonly<Record<string, string>> & { readonly status: string },
): Promise<void> {
  gateway.handle({ status: () => ({ ...reply, ...ids }) })
}
