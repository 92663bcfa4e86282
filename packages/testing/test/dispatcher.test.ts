import { Readable } from 'node:stream'
import { encodeForm } from '@tillkit/signing'
import { type Dispatcher, fetch, RetryAgent, request } from 'undici'
import { describe, expect, it } from 'vitest'
import { createFakeGateway, hangUp } from '../src/index.js'
import { call, card, customer, prepare, send } from './signed-request.js'

const sale = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', ...customer, ...card }

async function prepared() {
  const gateway = createFakeGateway()
  const { url, headers, parameters } = await prepare(gateway, 'sale', sale)
  return { gateway, url, headers, body: encodeForm(parameters), dispatcher: gateway.dispatcher }
}

describe('the dispatcher', () => {
  it('answers undici.request', async () => {
    const { url, headers, body, dispatcher } = await prepared()
    const answer = await request(url, { method: 'POST', headers, body, dispatcher })
    expect(answer.statusCode).toBe(200)
    expect(await answer.body.json()).toMatchObject({ 'merchant-order-id': 'o-1' })
  })

  it('answers undici.fetch', async () => {
    const { url, headers, body, dispatcher } = await prepared()
    const answer = await fetch(url, { method: 'POST', headers, body, dispatcher })
    expect(answer.ok).toBe(true)
    expect(answer.headers.get('content-type')).toBe('application/vnd.pay+json')
    expect(await answer.json()).toMatchObject({ type: 'async-response' })
  })

  it('takes a body of bytes and one that streams', async () => {
    for (const make of [
      (text: string) => Buffer.from(text),
      (text: string) => Readable.from([text.slice(0, 9), text.slice(9)]),
    ]) {
      const { url, headers, body, dispatcher } = await prepared()
      const answer = await request(url, { method: 'POST', headers, body: make(body), dispatcher })
      expect(answer.statusCode).toBe(200)
      await answer.body.dump()
    }
  })

  it('takes headers as a flat list and as pairs', async () => {
    for (const make of [
      (headers: Record<string, string>) => Object.entries(headers).flat(),
      (headers: Record<string, string>) => Object.entries(headers)[Symbol.iterator](),
    ]) {
      const { url, headers, body, dispatcher } = await prepared()
      const answer = await request(url, { method: 'POST', headers: make(headers), body, dispatcher })
      expect(answer.statusCode).toBe(200)
      await answer.body.dump()
    }
  })

  it('speaks to handlers of the new style in order', async () => {
    const { url, headers, body, dispatcher } = await prepared()
    const seen: string[] = []
    let text = ''
    await new Promise<void>((resolve, reject) => {
      dispatcher.dispatch(
        { origin: url.origin, path: url.pathname, method: 'POST', headers, body },
        {
          onRequestStart: () => void seen.push('start'),
          onResponseStart: (_controller, status, answered) => {
            seen.push(`response ${status} ${String(answered['content-type'])}`)
          },
          onResponseData: (_controller, chunk) => {
            text += chunk.toString()
          },
          onResponseEnd: () => {
            seen.push('end')
            resolve()
          },
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
    expect(seen).toEqual(['start', 'response 200 application/vnd.pay+json', 'end'])
    expect(text).toContain('"type":"async-response"')
  })

  it('waits while a handler of either style has paused', async () => {
    const { gateway, url, headers, body } = await prepared()
    const answer = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher: gateway.dispatcher,
      highWaterMark: 1,
    })
    expect(await answer.body.text()).toContain('"type":"async-response"')
    const status = await prepare(gateway, 'status', { clientOrderId: 'o-1' })
    const chunks: Buffer[] = []
    await new Promise<void>((resolve, reject) => {
      gateway.dispatcher.dispatch(
        {
          origin: url.origin,
          path: status.url.pathname,
          method: 'POST',
          headers: status.headers,
          body: encodeForm(status.parameters),
        },
        {
          onRequestStart: () => undefined,
          onResponseStart(controller) {
            controller.pause()
            setImmediate(() => {
              expect(chunks).toEqual([])
              controller.resume()
            })
          },
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => resolve(),
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
    expect(Buffer.concat(chunks).toString()).toContain('"status":"approved"')
  })

  it('stops when it is aborted before the start, and nothing happens', async () => {
    const { gateway, url, headers, body, dispatcher } = await prepared()
    const error = await new Promise<Error>(resolve => {
      dispatcher.dispatch(
        { origin: url.origin, path: url.pathname, method: 'POST', headers, body },
        {
          onRequestStart: controller => controller.abort(new Error('changed my mind')),
          onResponseError: (_controller, reason) => resolve(reason),
        },
      )
    })
    expect(error.message).toBe('changed my mind')
    expect(gateway.calls()).toEqual([])
  })

  it('refuses any other origin before anything starts', async () => {
    const { gateway, headers, body, dispatcher } = await prepared()
    const seen: string[] = []
    const error = await new Promise<Error>(resolve => {
      dispatcher.dispatch(
        { origin: 'https://gate.example', path: '/paynet/api/v2/sale/39', method: 'POST', headers, body },
        {
          onRequestStart: () => void seen.push('start'),
          onResponseError: (_controller, reason) => resolve(reason),
        },
      )
    })
    expect(seen).toEqual([])
    expect(error.message).toContain('answers https://gateway.test only. A request to https://gate.example was refused')
    await expect(request('https://gate.example/x', { dispatcher })).rejects.toThrow('refused and not sent')
    expect(gateway.calls()).toEqual([])
  })

  it('works below interceptors and agents of undici', async () => {
    const { url, headers, body, dispatcher } = await prepared()
    const composed: Dispatcher = dispatcher.compose(next => (options, handler) => next(options, handler))
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: new RetryAgent(composed) })
    expect(answer.statusCode).toBe(200)
    await answer.body.dump()
  })

  it('stays usable after a client closed it', async () => {
    const { gateway, url, headers, body, dispatcher } = await prepared()
    await dispatcher.close()
    await dispatcher.destroy()
    const answer = await request(url, { method: 'POST', headers, body, dispatcher })
    expect(answer.statusCode).toBe(200)
    await answer.body.dump()
    expect(gateway.calls('sale')).toHaveLength(1)
  })
})

describe('faults', () => {
  it('drop breaks the connection and nothing has happened', async () => {
    const gateway = createFakeGateway()
    gateway.faults.arm('drop')
    await expect(call(gateway, 'sale', sale)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
    expect((await call(gateway, 'status', { clientOrderId: 'o-1' })).status).toBe(400)
  })

  it('commit-then-drop breaks the connection after the sale was taken', async () => {
    for (const listening of [false, true]) {
      const gateway = createFakeGateway()
      try {
        if (listening) await gateway.listen()
        gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
        const status = () => call(gateway, 'status', { clientOrderId: 'o-1' })
        expect((await status()).status).toBe(400)
        await expect(call(gateway, 'sale', sale)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
        expect((await status()).reply.status).toBe('approved')
        const [dropped] = gateway.calls('sale')
        expect(dropped).toMatchObject({ verdict: 'accepted' })
        expect(dropped).not.toHaveProperty('httpStatus')
      } finally {
        await gateway.close()
      }
    }
  })

  it('server-error-after-commit answers 500 without an order id', async () => {
    const gateway = createFakeGateway()
    gateway.faults.arm('server-error-after-commit')
    const answer = await call(gateway, 'sale', sale)
    expect(answer.status).toBe(500)
    expect(answer.headers['content-type']).toBe('application/vnd.pay+json')
    expect(answer.reply).toMatchObject({ type: 'error', 'error-code': '500' })
    expect(answer.reply).not.toHaveProperty('paynet-order-id')
    expect((await call(gateway, 'status', { clientOrderId: 'o-1' })).reply.status).toBe('approved')
  })

  it('strikes as often as it was armed, and only requests that are good', async () => {
    const gateway = createFakeGateway()
    gateway.faults.arm({ fault: 'server-error-after-commit', times: 2 })
    const good = await prepare(gateway, 'sale', sale)
    const bad = { ...good, headers: { ...good.headers, accept: '*/*' } }
    expect((await send(gateway, bad)).status).toBe(406)
    expect((await send(gateway, good)).status).toBe(500)
    expect(() => gateway.assertAllHandled()).toThrow('The fault "server-error-after-commit" is armed 1 more time(s)')
    expect((await call(gateway, 'sale', { ...sale, clientOrderId: 'o-2' })).status).toBe(500)
    expect((await call(gateway, 'sale', { ...sale, clientOrderId: 'o-3' })).status).toBe(200)
    gateway.assertAllHandled()
  })

  it('strikes what only reads when that is named, and not otherwise', async () => {
    const gateway = createFakeGateway()
    await call(gateway, 'sale', sale)
    gateway.faults.arm({ fault: 'server-error-after-commit', operation: 'status' })
    expect((await call(gateway, 'status', { clientOrderId: 'o-1' })).status).toBe(500)
    gateway.faults.arm('server-error-after-commit')
    expect((await call(gateway, 'status', { clientOrderId: 'o-1' })).status).toBe(200)
    expect((await call(gateway, 'sale', { ...sale, clientOrderId: 'o-2' })).status).toBe(500)
  })

  it('refuses a fault it does not know', () => {
    const { faults } = createFakeGateway()
    expect(() => faults.arm('explode' as never)).toThrow('"fault" is "explode"')
    expect(() => faults.arm({ fault: 'drop', times: 0 })).toThrow('"times" is 0')
  })
})

describe('handlers', () => {
  it("answer in the gateway's place, typed by the table, or leave the request to it", async () => {
    const gateway = createFakeGateway()
    gateway.handle({
      sale: request =>
        request.amount === '10.00' ? undefined : { httpStatus: 400, type: 'validation-error', errorMessage: 'No.' },
      status: () => ({ type: 'status-response', status: 'filtered', extra: { 'filter-name': 'night' } }),
    })
    expect((await call(gateway, 'sale', sale)).status).toBe(200)
    const refused = await call(gateway, 'sale', { ...sale, amount: '20.00', clientOrderId: 'o-2' })
    expect(refused.status).toBe(400)
    expect(refused.reply).toMatchObject({ type: 'validation-error', 'error-message': 'No.' })
    const { reply } = await call(gateway, 'status', { clientOrderId: 'o-1' })
    expect(reply).toMatchObject({ status: 'filtered', 'filter-name': 'night' })
    gateway.assertAllHandled()
  })

  it('may hang up', async () => {
    const gateway = createFakeGateway()
    gateway.handle({ sale: () => hangUp() })
    await expect(call(gateway, 'sale', sale)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
  })

  it('that throw end in a 500 whose reason is in the call log only', async () => {
    const gateway = createFakeGateway()
    gateway.handle({
      sale: () => {
        throw new Error('a mistake in the test')
      },
    })
    const answer = await call(gateway, 'sale', sale)
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('a mistake in the test')
    expect(gateway.calls()[0]?.explanation).toContain('a mistake in the test')
  })

  it('are refused for an operation nobody knows, and named when never asked', () => {
    const gateway = createFakeGateway()
    expect(() => gateway.handle({ sell: () => undefined } as never)).toThrow('There is no operation "sell" to handle')
    gateway.handle({ capture: () => undefined })
    expect(() => gateway.assertAllHandled()).toThrow('The handler of "capture" was never asked.')
    gateway.reset()
    gateway.assertAllHandled()
  })
})
