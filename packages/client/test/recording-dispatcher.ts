/** A dispatcher that passes requests on, and keeps both sides unredacted, which the gateway's own log does not. */
import { type Dispatcher, request } from 'undici'
import type { RequestDispatcher } from '../src/index.js'
import type { Exchange } from './openapi-document.js'

const noController = { abort: () => {} } as unknown as Dispatcher.DispatchController

export function recording(to: Dispatcher) {
  const exchanges: Exchange[] = []

  async function send(origin: string, sent: Pick<Exchange, 'path' | 'headers' | 'body'>): Promise<Exchange> {
    const { path, headers, body } = sent
    const answer = await request(`${origin}${path}`, { method: 'POST', dispatcher: to, headers, body })
    const { statusCode: status } = answer
    const contentType = String(answer.headers['content-type'])
    const exchange = { path, headers, body, status, contentType, reply: await answer.body.text() }
    exchanges.push(exchange)
    return exchange
  }

  const dispatcher: RequestDispatcher = {
    dispatch({ origin, path, headers, body }, handler) {
      handler.onRequestStart?.(noController, {})
      const sent = { path, headers: headers as Exchange['headers'], body: String(body) }
      send(String(origin), sent).then(
        ({ status, contentType, reply }) => {
          handler.onResponseStart?.(noController, status, { 'content-type': contentType }, '')
          handler.onResponseData?.(noController, Buffer.from(reply))
          handler.onResponseEnd?.(noController, {})
        },
        (error: Error) => handler.onResponseError?.(noController, error),
      )
      return true
    },
  }
  return { dispatcher, exchanges, send }
}
