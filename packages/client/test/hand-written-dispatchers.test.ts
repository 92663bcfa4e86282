/** What a dispatcher written by hand may do that undici's do not, and what goes out through it. */
import type { Dispatcher } from 'undici'
import { describe, expect, it } from 'vitest'
import { createClient, type OutcomeUnknownError, type RequestDispatcher } from '../src/index.js'
import { capturing } from './capturing-dispatcher.js'
import { withHeldTime } from './held-time.js'
import { acceptedBody, controlKey, saleRequest } from './sample-requests.js'

const clientWith = (dispatcher: RequestDispatcher) =>
  createClient({ baseUrl: 'http://127.0.0.1:1', endpointId: 39, login: 'merchant', controlKey, dispatcher })

describe('a dispatcher written by hand', () => {
  it('may write the names of headers as it likes', async () => {
    const controller = { abort: () => {} } as unknown as Dispatcher.DispatchController
    const client = clientWith({
      dispatch(_options, handler) {
        handler.onRequestStart?.(controller, {})
        handler.onResponseStart?.(controller, 200, { 'Content-Type': 'application/vnd.pay+json' }, 'OK')
        handler.onResponseData?.(controller, Buffer.from(acceptedBody))
        handler.onResponseEnd?.(controller, {})
        return true
      },
    })
    await expect(client.sale(saleRequest)).resolves.toMatchObject({ orderId: '77' })
  })

  it('may change the headers it is given: no other request has those', async () => {
    const { dispatcher, captured } = capturing(acceptedBody)
    const client = clientWith({
      dispatch(options, handler) {
        Object.assign(options.headers as object, { 'x-trace': String(captured.length) })
        return dispatcher.dispatch(options, handler)
      },
    })
    await client.sale(saleRequest)
    await client.sale(saleRequest)
    expect(captured.map(({ headers }) => headers['x-trace'])).toEqual(['0', '1'])
  })

  it('may copy the handler it is given and change a method of it', async () => {
    const { dispatcher } = capturing(acceptedBody)
    const seen: number[] = []
    const client = clientWith({
      dispatch: (options, handler) =>
        dispatcher.dispatch(options, {
          ...handler,
          onResponseStart(controller, status, headers, text) {
            seen.push(status)
            handler.onResponseStart?.(controller, status, headers, text)
          },
        }),
    })
    await expect(client.sale(saleRequest)).resolves.toMatchObject({ orderId: '77' })
    expect(seen).toEqual([200])
  })

  it('is told to stop an answer that is too long, though it reported no start of the request', async () => {
    const stopped: unknown[] = []
    const controller = { abort: (reason: Error) => stopped.push(reason.message) }
    const client = clientWith({
      dispatch(_options, handler) {
        const given = controller as unknown as Dispatcher.DispatchController
        handler.onResponseStart?.(given, 200, { 'content-type': 'application/vnd.pay+json' }, 'OK')
        handler.onResponseData?.(given, Buffer.alloc(262_145, ' '))
        return true
      },
    })
    await expect(client.sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    expect(stopped).toEqual(['the answer is longer than "maxReplyBytes"'])
  })

  it('is not known to have closed its connection where the answer cannot be read', async () => {
    let isAnswered = false
    const controller = { abort: () => {} } as unknown as Dispatcher.DispatchController
    const dispatcher: RequestDispatcher = {
      dispatch(_options, handler) {
        handler.onRequestStart?.(controller, {})
        const headers = { 'content-type': 'application/vnd.pay+json', date: 'Fri, 02 Jan 2026 03:03:05 GMT' }
        handler.onResponseStart?.(controller, 403, headers, 'Forbidden')
        handler.onResponseData?.(controller, Buffer.from('{"type":"error","error-message":"No access"}'))
        isAnswered = true
        handler.onResponseEnd?.(controller, {})
        return true
      },
    }
    // A refused signature has our clock compared with the answer's date.
    const clock = () => (isAnswered ? JSON.parse('') : Date.UTC(2026, 0, 2))
    const baseUrl = 'http://127.0.0.1:1'
    const client = createClient({ baseUrl, endpointId: 39, login: 'merchant', controlKey, dispatcher, clock })
    const error: OutcomeUnknownError = await client.sale(saleRequest).catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', attempt: { end: { kind: 'unknown' } } })
    expect(error.attempt?.end).not.toHaveProperty('connection')
  })

  it.each([
    ['has nothing to stop it with', undefined],
    ['fails to stop it', { abort: () => JSON.parse('') }],
    ['fails later', { abort: () => Promise.reject(new Error('no such request')) }],
  ])('leaves the outcome of a request unknown whose time is up, also where it %s', async (_, controller) => {
    await withHeldTime(async pass => {
      const client = clientWith({
        dispatch(_options, handler) {
          handler.onRequestStart?.(controller as unknown as Dispatcher.DispatchController, {})
          setImmediate(() => pass(60_000))
          return true
        },
      })
      const call = client.sale(saleRequest, { timeout: 60_000 })
      await expect(call).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { phase: 'sending' } })
    })
  })

  it('gets names and values encoded alike', async () => {
    const { dispatcher, captured } = capturing(acceptedBody)
    await clientWith(dispatcher).sale({ ...saleRequest, extra: { 'größe & so': 'a=b&c' } })
    expect(captured[0]?.body).toContain('&gr%C3%B6%C3%9Fe%20%26%20so=a%3Db%26c&control=')
  })
})
