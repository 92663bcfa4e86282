/** A dispatcher that keeps what it is given and answers at once, without sockets. */
import type { Dispatcher } from 'undici'
import type { RequestDispatcher } from '../src/index.js'

export interface Captured {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const noController = { abort: () => {} } as unknown as Dispatcher.DispatchController

/** Answers every request with this body, or with what it makes of the path. */
export function capturing(body: string | ((path: string) => string)): {
  readonly dispatcher: RequestDispatcher
  readonly captured: Captured[]
} {
  const captured: Captured[] = []
  const dispatcher: RequestDispatcher = {
    dispatch(options, handler) {
      captured.push({
        origin: String(options.origin),
        path: options.path,
        headers: options.headers as Captured['headers'],
        body: String(options.body),
      })
      handler.onRequestStart?.(noController, {})
      handler.onResponseStart?.(noController, 200, { 'content-type': 'application/vnd.pay+json' }, 'OK')
      handler.onResponseData?.(noController, Buffer.from(typeof body === 'string' ? body : body(options.path)))
      handler.onResponseEnd?.(noController, {})
      return true
    },
  }
  return { dispatcher, captured }
}

/** Has every field that some record requires. */
export const anyReply = JSON.stringify({
  'paynet-order-id': '77',
  'redirect-url': 'https://gate.example/form/1',
  'card-ref-id': '31',
  'recurring-payment-id': '5',
  bin: '444444',
  'last-four-digits': '4448',
  status: 'processing',
})
