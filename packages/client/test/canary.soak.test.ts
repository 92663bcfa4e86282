/** Secrets are planted in requests and echoed by the gateway; then everything that could be logged is searched. */

import { operations } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { echo, piecesIn, setTrap, type Trap } from './canary-trap.js'
import { type ArrivedRequest, reply } from './gateway-server.js'
import { controlKey, saleRequest } from './sample-requests.js'

let trap: Trap

beforeEach(async () => {
  trap = await setTrap()
})

afterEach(() => trap.close())

/** The paths of the operations whose requests arrived. */
const arrivedPaths = () =>
  new Set(trap.server.arrived.map(({ head }) => head.replace(/^POST \/paynet(\S+)\/39 .*/s, '$1')))

const allPaths = new Set(Object.values(operations).map(({ path }) => path))

const record =
  (status: number, type: string, more: object = {}) =>
  (request: ArrivedRequest) =>
    reply({
      status,
      body: JSON.stringify({
        type,
        status: 'processing',
        'error-code': echo(request),
        'error-message': echo(request),
        html: echo(request),
        [`unknown-${saleRequest.creditCardNumber}`]: echo(request),
        ...more,
      }),
    })

describe('no secret of any operation is shown', () => {
  it.each([
    ['an order is accepted', record(200, 'async-response', { 'paynet-order-id': '77' })],
    ['the answer is of another order', record(200, 'async-response', { 'merchant-order-id': 'o-2' })],
    ['the request is refused', record(400, 'validation-error')],
    ['it is refused and yet there is an order', record(400, 'validation-error', { 'paynet-order-id': '77' })],
    ['the gateway fails', record(500, 'error')],
    ['authentication is refused', record(401, 'error')],
  ])('when %s and the answer echoes all of it', async (_when, answer) => {
    trap.behave((socket, request) => answer(request)(socket, request))
    await trap.sendEverything()
    expect(arrivedPaths()).toEqual(allPaths)
    trap.expectClean()
  })

  it.each<[string, (request: ArrivedRequest) => ReturnType<typeof reply>]>([
    ['cannot be read', request => reply({ type: 'text/html', body: echo(request) })],
    [
      'is a redirect',
      request => reply({ status: 307, type: null, headers: [`Location: /${encodeURI(echo(request))}`] }),
    ],
    ['is no HTTP', request => socket => socket.end(echo(request))],
    ['is cut off', request => reply({ body: JSON.stringify({ a: echo(request) }).slice(0, -3) })],
    [
      'ends before its length',
      request => socket => {
        reply({ body: echo(request), length: 100_000 })(socket, request)
        socket.end()
      },
    ],
    [
      'is form-encoded',
      request => reply({ type: 'text/html', body: `type=error&error-message=${encodeURIComponent(echo(request))}` }),
    ],
    ['repeats a key', request => reply({ body: `{"status":"a","status":${JSON.stringify(echo(request))}}` })],
  ])('when an answer that echoes all of it %s', async (_what, answer) => {
    trap.behave((socket, request) => answer(request)(socket, request))
    await trap.sendEverything()
    expect(arrivedPaths()).toEqual(allPaths)
    trap.expectClean()
  })

  it('when no answer comes', async () => {
    trap.behave(() => {})
    await trap.sendEverything({ timeout: 1_500 })
    trap.expectClean()
  })

  it('when the dispatcher quotes the request in its error', async () => {
    const dispatcher = {
      dispatch({ headers, body }: { readonly headers?: unknown; readonly body?: unknown }): never {
        throw Object.assign(new Error(`no mock matches ${body} ${JSON.stringify(headers)}`), { body, headers })
      },
    }
    await trap.sendEverything({ client: trap.open({ dispatcher }) })
    trap.expectClean()
  })

  const known = `${controlKey} ${saleRequest.creditCardNumber} ${saleRequest.cvv2} 11/83`

  it('when whoever aborts a call has it all in the reason', async () => {
    const controller = new AbortController()
    trap.behave(() => controller.abort(Object.assign(new Error(`stop ${known}`), { detail: known })))
    trap.show(await trap.client.sale(saleRequest, { signal: controller.signal }).catch(thrown => thrown))
    trap.expectClean()
  })

  // Whatever is cut is cut somewhere within a secret at one of the distances.
  const distances = Array.from({ length: 44 }, (_, each) => each)
  const secrets = `${controlKey} ${saleRequest.creditCardNumber} ${controlKey}`
  it.each([300, 500, 600, 1000])('when a dispatcher’s error holds a secret at character %i', async cut => {
    for (const distance of distances) {
      const message = `${'x '.repeat(cut / 2).slice(distance)}${secrets}`
      const dispatcher = {
        dispatch(): never {
          throw new Error(message)
        },
      }
      trap.show(
        await trap
          .open({ dispatcher })
          .sale(saleRequest)
          .catch(thrown => thrown),
      )
    }
    trap.expectClean()
  })

  it.each([
    [300, 'error-message'],
    [500, 'error-message'],
    [1000, 'error-message'],
    [1000, 'status'],
    [1000, undefined],
    [4096, undefined],
    [16_384, 'error-message'],
  ])('when an answer holds a secret at character %i of %s', async (cut, field) => {
    for (const distance of distances) {
      const text = `${'x '.repeat(cut / 2).slice(distance)}${secrets}`
      const type = field === undefined ? 'text/html' : 'application/vnd.pay+json'
      const body = field === undefined ? text : JSON.stringify({ type: 'validation-error', [field]: text })
      trap.behave(reply({ status: 400, type, body }))
      trap.show(await trap.client.sale(saleRequest).catch(thrown => thrown))
    }
    trap.expectClean()
  })

  it('and pieces of one would be found', () => {
    expect(piecesIn(`…${controlKey.slice(5, 15)}…`, [controlKey])).toEqual([controlKey.slice(5, 15)])
  })

  it('when a card number stands where another field belongs', async () => {
    const { client } = trap
    const card = saleRequest.creditCardNumber
    const mistakes = [
      client.sale({ ...saleRequest, amount: card }),
      client.sale({ ...saleRequest, currency: card }),
      client.sale({ ...saleRequest, [card]: 'x' }),
      client.sale({ ...saleRequest, extra: { fresh_field: card, [card]: 'x' } }, { timeout: 0 }),
      client.sale(saleRequest, { endpointId: `${card}x` }),
      client.sale(saleRequest, { [card]: card } as object),
    ]
    for (const result of await Promise.allSettled(mistakes)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'ERR_INVALID_REQUEST' } })
      if (result.status === 'rejected') trap.show(result.reason)
    }
    trap.expectClean()
  })
})
