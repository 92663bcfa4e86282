import { defineProfile } from '@tillkit/protocol'
import { encodeForm, type Parameter } from '@tillkit/signing'
import { Agent, type Dispatcher, request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  assertNoSecrets,
  createFakeGateway,
  type FakeGateway,
  guardNetwork,
  hangUp,
  type Recording,
  recordRun,
  replayRun,
  testCard,
} from '../src/index.js'
import { card, customer, type Name, prepare } from './signed-request.js'

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway({
    controlKey: 'K-secret',
    largeOrderIds: true,
    profile: defineProfile({ usedClientOrderId: 'refused' }),
  })
})
afterEach(() => gateway.close())

const amount = { amount: '10.00', currency: 'EUR' }
const sale = { clientOrderId: 'o-1', ...amount, ...customer, ...card, cvv2: '7391', firstName: 'Ada' }

/** Signs a request and sends it by a dispatcher. */
async function ask(dispatcher: Dispatcher, name: Name, fields: Record<string, string>, extra: Parameter[] = []) {
  const { url, headers, parameters } = await prepare(gateway, name, fields)
  const answer = await request(url, {
    method: 'POST',
    headers,
    dispatcher,
    body: encodeForm([...parameters, ...extra]),
  })
  return { status: answer.statusCode, type: answer.headers['content-type'], text: await answer.body.text() }
}

/** How a request ended for a handler of the new style, step by step. */
function trace(dispatcher: Dispatcher, fields: Record<string, string>): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const steps: string[] = []
    const end = (step: string) => resolve([...steps, step])
    const dispatch = async () => {
      const { url, headers, parameters } = await prepare(gateway, 'sale', fields)
      const options = {
        origin: url.origin,
        path: url.pathname,
        method: 'POST',
        headers,
        body: encodeForm(parameters),
      } as const
      dispatcher.dispatch(options, {
        onRequestStart: () => void steps.push('started'),
        onResponseStart: (_controller, status) => void steps.push(`HTTP ${status}`),
        onResponseData: () => undefined,
        onResponseEnd: () => end('ended'),
        onResponseError: (_controller, error) => end((error as { code?: string }).code ?? error.message),
      })
    }
    dispatch().catch(reject)
  })
}

const copyOf = (recording: Recording): Recording => JSON.parse(JSON.stringify(recording)) as Recording

/** A recorder over a gateway that listens, and over its dispatcher. */
const carriers = ['sockets', 'no sockets'] as const

describe.each(carriers)('a run recorded over %s', kind => {
  it('is replayed: replies with every digit, refusals, payouts', async () => {
    if (kind === 'sockets') await gateway.listen()
    const dispatcher = kind === 'sockets' ? new Agent() : gateway.dispatcher
    const recorder = recordRun({ dispatcher, controlKeys: ['K-secret'] })
    const run = async (by: Dispatcher) => {
      const taken = await ask(by, 'sale', sale)
      const again = await ask(by, 'sale', sale)
      const status = { clientOrderId: 'o-1', orderId: /"paynet-order-id":(\d+)/.exec(taken.text)?.[1] ?? '?' }
      const seen = [await ask(by, 'status', status), await ask(by, 'status', status)]
      return [
        taken,
        again,
        ...seen,
        await ask(by, 'payout', { clientOrderId: 'p-1', ...amount, accountNumber: '12345' }),
      ]
    }
    const first = await run(recorder.dispatcher)
    expect(first.map(({ status }) => status)).toEqual([200, 400, 200, 200, 200])
    expect(first[0]?.text).toMatch(/"paynet-order-id":9007199\d{9}[,}]/)
    const recording = copyOf(recorder.recording())
    await gateway.close()

    const guard = guardNetwork()
    const replay = replayRun(recording)
    expect(replay.remaining()).toHaveLength(5)
    // What tells who the customer is stays out, and so does the expiry of the card.
    const kept = first.map(({ text, ...rest }) => ({ ...rest, text: hiddenIn(text) }))
    expect(await run(replay.dispatcher)).toEqual(kept)
    replay.assertAllReplayed()
    guard.assertNothingLeft()
    guard.close()
    await dispatcher.close()
  })
})

const hiddenIn = (text: string): string =>
  text.replace(/"(email|phone|cardholder-name|name|card-exp-month|card-exp-year)":"[^"]+"/g, '"$1":"<hidden>"')

describe('a recording', () => {
  it('holds no secret and nothing that tells who the customer is', async () => {
    const recorder = recordRun({ dispatcher: gateway.dispatcher, controlKeys: ['K-secret'] })
    await ask(recorder.dispatcher, 'sale', { ...sale, orderDesc: `paid by K-secret with ${testCard}` }, [
      ['pan', testCard],
    ])
    const order = { clientOrderId: 'o-2', ...amount, ...customer, ...card }
    await ask(recorder.dispatcher, 'sale', { ...order, accountNumber: 'DE89-3704' })
    await ask(recorder.dispatcher, 'status', { clientOrderId: 'o-2' })
    const signed = await prepare(gateway, 'sale', sale)
    const control = new Map(signed.parameters).get('control') ?? '?'
    assertNoSecrets(JSON.stringify(recorder.recording()), {
      ...{ key: 'K-secret', control, card: testCard, cvv: '7391', expiry: '2099', account: 'DE89' },
      ...{ holder: 'LOVELACE', 'first name': 'Ada"', email: customer.email, address: customer.ipAddress },
    })
    const [first] = recorder.recording().exchanges
    expect(first?.fields).toContainEqual(['client_orderid', 'o-1'])
    expect(first?.fields).toContainEqual(['credit_card_number', '444444******4448'])
    expect(first?.fields).toContainEqual(['pan', '<16 characters>'])
  })

  it('keeps of a page that is no reply, and of one that is too large, its length only', async () => {
    gateway.faults.arm('maintenance-page')
    const recorder = recordRun({ dispatcher: gateway.dispatcher, controlKeys: [] })
    const page = await ask(recorder.dispatcher, 'sale', sale)
    gateway.handle({ sale: () => ({ extra: { html: 'x'.repeat(1_048_576) } }) })
    await ask(recorder.dispatcher, 'sale', sale)
    const recording = copyOf(recorder.recording())
    expect(recording.exchanges.map(({ answer }) => answer)).toMatchObject([
      { kind: 'page', status: 503, length: Buffer.byteLength(page.text) },
      { kind: 'page', status: 200 },
    ])
    const replayed = await ask(replayRun(recording).dispatcher, 'sale', sale)
    expect(replayed).toMatchObject({ status: 503, type: page.type })
    expect(replayed.text).not.toBe(page.text)
  })

  it.each([
    ['refuse-connection', ['ECONNREFUSED']],
    ['commit-then-drop', ['started', 'UND_ERR_SOCKET']],
    ['half-answer', ['started', 'HTTP 200', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']],
  ] as const)('replays a failure where it struck: %s', async (fault, steps) => {
    const recorder = recordRun({ dispatcher: gateway.dispatcher, controlKeys: [] })
    gateway.faults.arm({ fault, operation: fault === 'refuse-connection' ? undefined : 'sale' } as never)
    expect(await trace(recorder.dispatcher, sale)).toEqual(steps)
    const recording = copyOf(recorder.recording())
    expect(await trace(replayRun(recording).dispatcher, sale)).toEqual(steps)
    // undici's own functions hand over handlers of the old style.
    await expect(ask(replayRun(recording).dispatcher, 'sale', sale)).rejects.toMatchObject({ code: steps.at(-1) })
  })

  it('is of requests that were answered, those under way left out', async () => {
    const recorder = recordRun({ dispatcher: gateway.dispatcher, controlKeys: [] })
    let answer = () => {}
    gateway.handle({
      sale: () =>
        new Promise(resolve => {
          answer = () => resolve(hangUp())
        }),
    })
    const first = ask(recorder.dispatcher, 'sale', sale).catch(() => undefined)
    await ask(recorder.dispatcher, 'status', { clientOrderId: 'o-1' })
    expect(recorder.recording().exchanges.map(({ path }) => path)).toEqual(['/paynet/api/v2/status/39'])
    answer()
    await first
    expect(recorder.recording().exchanges.map(({ path }) => path)[0]).toBe('/paynet/api/v2/sale/39')
  })
})

describe('replayRun', () => {
  const record = async () => {
    const recorder = recordRun({ dispatcher: gateway.dispatcher, controlKeys: ['K-secret'] })
    await ask(recorder.dispatcher, 'sale', sale)
    await ask(recorder.dispatcher, 'status', { clientOrderId: 'o-1' })
    return copyOf(recorder.recording())
  }

  it.each<[what: string, name: Name, fields: Record<string, string>, message: string]>([
    ['another amount', 'sale', { ...sale, amount: '10.01' }, '"amount" was 10.00, and now is 5 characters long'],
    [
      'another card',
      'sale',
      { ...sale, creditCardNumber: '5555555555554444' },
      '"credit_card_number" was 444444******4448',
    ],
    ['a field more', 'sale', { ...sale, orderDesc: 'x' }, '"order_desc" was not there'],
    ['a field less', 'status', {}, '"client_orderid" was o-1, and now is not there'],
    ['another path', 'void', { clientOrderId: 'o-1', orderId: '1' }, 'No request to that path is left in it.'],
  ])('fails a request that was not recorded before it starts: %s', async (_, name, fields, message) => {
    const replay = replayRun(await record())
    const failure = ask(replay.dispatcher, name, fields)
    await expect(failure).rejects.toMatchObject({ code: 'ERR_REPLAY_MISMATCH' })
    await expect(failure).rejects.toThrow(message)
    await expect(failure).rejects.not.toThrow('5555555555554444')
    expect(replay.remaining()).toHaveLength(2)
  })

  it('answers what was hidden whatever it is now: a CVV, a name, a signature', async () => {
    const replay = replayRun(await record())
    const other = { ...sale, cvv2: '999', firstName: 'Grace', expireYear: '2098', creditCardNumber: '4444441234564448' }
    expect((await ask(replay.dispatcher, 'sale', other)).status).toBe(200)
  })

  it('names what repeats, and what was not made', async () => {
    const replay = replayRun(await record())
    await ask(replay.dispatcher, 'sale', sale)
    await expect(ask(replay.dispatcher, 'sale', sale)).rejects.toThrow('was made more often than in the recording')
    expect(() => replay.assertAllReplayed()).toThrow(
      '1 request(s) of the recording were not made:\nPOST /paynet/api/v2/status/39',
    )
  })

  it('refuses what is no recording', () => {
    for (const other of [undefined, {}, { version: 2, exchanges: [] }]) {
      expect(() => replayRun(other as never)).toThrow('This is no recording')
    }
  })
})
