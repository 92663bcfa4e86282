import { describe, expect, it } from 'vitest'
import { type ClientOptions, createClient } from '../src/index.js'
import { failingCalls } from './failing-calls.js'
import { type Behaviour, reply } from './gateway-server.js'
import { captureRequest, controlKey, saleRequest } from './sample-requests.js'

const { now } = failingCalls()
const statusBody = '{"type":"status-response","status":"approved","merchant-order-id":"o-1","paynet-order-id":"77"}'
const question = { clientOrderId: 'o-1' }

/** A client whose waits take no time, and what they were. */
function open(options: Partial<ClientOptions> = {}) {
  const waits: number[] = []
  const client = createClient({
    baseUrl: now.server.baseUrl,
    endpointId: 39,
    login: 'merchant',
    controlKey,
    random: () => 0.5,
    wait: async milliseconds => void waits.push(milliseconds),
    ...options,
  })
  return { client, waits }
}

/** Behaves like each of these in turn, then answers. */
function inTurn(...behaviours: Behaviour[]): void {
  const rest = [...behaviours]
  now.server.behave((socket, request) => (rest.shift() ?? reply({ body: statusBody }))(socket, request))
}

describe('an operation that reads', () => {
  it.each<[string, Behaviour]>([
    ['hangs up', socket => socket.destroy()],
    ['answers 500', reply({ status: 500, body: '{"type":"error"}' })],
    ['answers 503 with a page', reply({ status: 503, type: 'text/html', body: '<h1>Later</h1>' })],
    ['answers what cannot be read', reply({ body: '{"status":' })],
    ['answers about another order', reply({ body: statusBody.replace('o-1', 'o-2') })],
  ])('is repeated when the gateway %s', async (_, behaviour) => {
    inTurn(behaviour, behaviour)
    const { client, waits } = open()
    expect(await client.status(question)).toMatchObject({ status: 'approved' })
    expect(now.server.arrived).toHaveLength(3)
    expect(waits).toEqual([125, 250])
    await client.close()
  })

  it('waits at most a quarter of a second, doubling up to eight seconds, and as much of that as chance says', async () => {
    now.server.behave(socket => socket.destroy())
    const { client, waits } = open({ retries: 7, random: () => 0.999 })
    await expect(client.status(question)).rejects.toMatchObject({ code: 'ERR_TRANSPORT' })
    expect(waits).toEqual([249, 499, 999, 1998, 3996, 7992, 7992])
    expect(now.server.arrived).toHaveLength(8)
    await client.close()
  })

  it.each([
    ['a refusal', 400, '{"type":"validation-error","error-code":"1"}', 'ERR_REQUEST_REFUSED'],
    ['a refused authentication', 401, '{"type":"error"}', 'ERR_AUTHENTICATION_REFUSED'],
  ])('is not repeated after %s', async (_, status, body, code) => {
    now.server.behave(reply({ status, body }))
    const { client, waits } = open()
    await expect(client.status(question)).rejects.toMatchObject({ code })
    expect([now.server.arrived.length, waits]).toEqual([1, []])
    await client.close()
  })

  it('is repeated when it could not be sent', async () => {
    await now.server.close()
    const { client, waits } = open()
    await expect(client.status(question)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    expect(waits).toHaveLength(2)
    await client.close()
  })

  it('is not repeated beyond the deadline, which all tries share', async () => {
    now.server.behave(socket => socket.destroy())
    const controller = new AbortController()
    const wait = async () => controller.abort(new Error('the deadline'))
    const { client } = open({ wait, retries: 9 })
    await expect(client.status(question, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ERR_TRANSPORT',
    })
    expect(now.server.arrived).toHaveLength(1)
    await client.close()
  })

  it('is not repeated by a client that was closed meanwhile', async () => {
    now.server.behave(socket => socket.destroy())
    const { client } = open({ wait: async () => client.close() })
    await expect(client.status(question)).rejects.toMatchObject({ code: 'ERR_TRANSPORT' })
    expect(now.server.arrived).toHaveLength(1)
  })

  it('is repeated as often as the call says', async () => {
    now.server.behave(socket => socket.destroy())
    const { client } = open()
    await expect(client.status(question, { retries: 0 })).rejects.toMatchObject({ code: 'ERR_TRANSPORT' })
    expect(now.server.arrived).toHaveLength(1)
    await client.close()
  })
})

describe('an operation that creates or changes', () => {
  it('is never repeated, whatever "retries" says', async () => {
    now.server.behave(socket => socket.destroy())
    const { client, waits } = open({ retries: 9 })
    await expect(client.sale(saleRequest, { retries: 9 })).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    await expect(client.capture(captureRequest)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    expect(now.server.arrived).toHaveLength(2)
    expect(waits).toEqual([])
    await client.close()
  })
})
