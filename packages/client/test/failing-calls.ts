/** A server and a client for tests of what a call comes to when the answer is not the one that was hoped for. */

import type { AttemptEnd } from '@tillkit/protocol'
import { afterEach, beforeEach, expect } from 'vitest'
import { type AnyGatewayError, type Client, type ClientOptions, createClient } from '../src/index.js'
import { type Behaviour, type GatewayServer, reply, startServer } from './gateway-server.js'
import { recordAttempts } from './recorded-attempts.js'
import { acceptedBody, captureRequest, controlKey, saleRequest } from './sample-requests.js'

/** Starts a server and a client anew for each test of a file. */
export function failingCalls() {
  const now = {} as { server: GatewayServer; client: Client; ends: (AttemptEnd | undefined)[] }
  const open = (options: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: now.server.baseUrl, endpointId: 39, login: 'merchant', controlKey, retries: 0, ...options })

  beforeEach(async () => {
    now.server = await startServer(reply({ body: acceptedBody }))
    now.client = open()
    now.ends = []
  })

  afterEach(async () => {
    await now.server.close()
    await now.client.close()
  })

  /** How often each operation arrived. */
  function arrivals(): Readonly<Record<string, number>> {
    const names = now.server.arrived.map(({ head }) => /api\/v\d\/([a-z-]+)/.exec(head)?.[1] ?? '')
    return Object.fromEntries([...new Set(names)].map(name => [name, names.filter(each => each === name).length]))
  }

  /** Sends a sale, a capture and a status to a server that behaves so. */
  async function failures(behaviour: Behaviour, options: Partial<ClientOptions> = {}) {
    now.server.behave(behaviour)
    const { observer, attempts } = recordAttempts()
    const own = open({ ...options, observer })
    const failed = (call: Promise<unknown>): Promise<AnyGatewayError> =>
      call.then(
        () => Promise.reject(new Error('the call succeeded')),
        (error: AnyGatewayError) => error,
      )
    const sale = await failed(own.sale(saleRequest))
    const capture = await failed(own.capture(captureRequest))
    const status = await failed(own.status({ clientOrderId: 'o-1' }))
    now.ends = attempts().map(attempt => attempt.end)
    await own.close()
    return { sale, capture, status, arrived: arrivals() }
  }

  /** Expects what every unclear answer must come to: unknown where money may have moved, sent once, told as it is. */
  async function expectUnknown(behaviour: Behaviour, cause: AnyGatewayError['code'], options?: Partial<ClientOptions>) {
    const { sale, capture, status } = await failures(behaviour, options)
    for (const error of [sale, capture]) {
      expect(error).toMatchObject({
        code: 'ERR_OUTCOME_UNKNOWN',
        moneyMayHaveMoved: true,
        clientOrderId: 'o-1',
        cause: { code: cause },
      })
      expect(error.message).toContain('Do not send it again. Ask status with clientOrderId "o-1"')
    }
    expect(status).toMatchObject({ code: cause, moneyMayHaveMoved: false })
    expect(arrivals()).toEqual({ sale: 1, capture: 1, status: 1 })
    expect(now.ends.map(end => end?.kind)).toEqual(['unknown', 'unknown'])
    return { sale, capture, status }
  }

  return { now, open, failures, expectUnknown }
}
