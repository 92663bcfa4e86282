/** The same trap for everything a client has besides its operations. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient, createClientFromEnv } from '../src/index.js'
import { echo, setTrap, type Trap } from './canary-trap.js'
import { type Behaviour, reply } from './gateway-server.js'
import { controlKey, saleRequest } from './sample-requests.js'

const card = saleRequest.creditCardNumber

let trap: Trap

beforeEach(async () => {
  trap = await setTrap()
})

afterEach(() => trap.close())

/**
 * A status reply of a gateway that writes card numbers into its texts. What was returned is the caller's, so it is not
 * shown; what is made of it is.
 */
const status =
  (word: string, more: object = {}): Behaviour =>
  (socket, request) => {
    const form = new URLSearchParams(request.body)
    const fields = {
      type: 'status-response',
      status: word,
      'merchant-order-id': form.get('client_orderid'),
      'paynet-order-id': '77',
      'transaction-type': 'sale',
      amount: '10.42',
      currency: 'EUR',
      'error-message': `HTTP 20 ${card} is stolen`,
      'error-code': '5',
      descriptor: `a shop ${card}`,
      ...more,
    }
    reply({ body: JSON.stringify(fields) })(socket, request)
  }

const refusal =
  (httpStatus: number, type: string): Behaviour =>
  (socket, request) => {
    const fields = { type, 'error-code': `1 ${controlKey}`, 'error-message': echo(request), html: echo(request) }
    reply({ status: httpStatus, body: JSON.stringify(fields) })(socket, request)
  }

const page: Behaviour = (socket, request) => reply({ type: 'text/html', body: echo(request) })(socket, request)

const question = {
  clientOrderId: 'o-1',
  orderId: '77',
  stages: ['sale'],
  amount: '10.42',
  currency: 'EUR',
}

describe('no secret is shown by', () => {
  it.each<[string, Behaviour]>([
    ['refused', refusal(400, 'validation-error')],
    ['not authenticated', refusal(401, 'error')],
    ['answered with a failure', refusal(500, 'error')],
    ['answered with a page', page],
    ['answered with an order', status('approved')],
  ])('a check that is %s', async (_what, behaviour) => {
    trap.behave(behaviour)
    const report = await trap.client.check()
    expect(report.probes.length).toBeGreaterThan(0)
    trap.show(report)
    trap.show(report.text)
    trap.expectClean()
  })

  it.each<[string, Behaviour]>([
    ['approved', status('approved')],
    ['approved over another amount', status('approved', { amount: '1.00' })],
    ['declined', status('declined')],
    ['over in a word that nobody knows', status('odd')],
    ['at a step of 3DS', status('processing', { html: `<b>${card}</b>`, 'redirect-to': 'https://acs.example/' })],
    ['refused', refusal(400, 'validation-error')],
    ['a page', page],
  ])('waiting for an outcome that is %s', async (_what, behaviour) => {
    trap.behave(behaviour)
    const { explanation, order, shownSteps } = await trap.client.awaitOutcome(question, { deadline: Date.now() })
    trap.show([explanation, order, shownSteps])
    expect(trap.server.arrived.length).toBeGreaterThan(0)
    trap.expectClean()
  })

  it('settings that are wrong or in each other’s place', () => {
    const { privateKey } = trap
    const right = { baseUrl: 'https://gate.example/', endpointId: '1', login: 'm', controlKey, privateKey }
    const wrong = [
      { endpointId: controlKey },
      { endpointId: privateKey },
      { controlKey: `${controlKey}\n` },
      { privateKey: privateKey.replaceAll('\n', '') },
      { privateKey: controlKey },
      { privateKey: privateKey.slice(0, 900) },
      { environment: controlKey },
      { environment: privateKey },
      { timeout: controlKey },
      { serverCallbackUrl: controlKey },
      { baseUrl: `https://me:${controlKey}@gate.example/` },
      { baseUrl: controlKey },
      { baseUrl: privateKey },
      { uses: [controlKey] },
    ]
    for (const options of wrong) {
      expect(() => rethrow(() => createClient({ ...right, ...options } as Parameters<typeof createClient>[0]))).toThrow(
        TypeError,
      )
    }
    const names = [
      'BASE_URL',
      'ENDPOINT_ID',
      'LOGIN',
      'CONTROL_KEY',
      'PRIVATE_KEY',
      'PRIVATE_KEY_FILE',
      'ENVIRONMENT',
      'SERVER_CALLBACK_URL',
      'TIMEOUT',
    ]
    for (const value of [controlKey, privateKey, privateKey.slice(0, 900), `"${controlKey}"`, `${controlKey} `]) {
      const env = Object.fromEntries(names.map(name => [`TILLKIT_${name}`, value]))
      expect(() => rethrow(() => createClientFromEnv(env))).toThrow(TypeError)
    }
    trap.expectClean()
  })
})

function rethrow(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    trap.show(error)
    throw error
  }
}
