/**
 * The table of hostile and odd callbacks, the merchant they come to, and a sender that sends them as they are written.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { StatusRequest } from '@tillkit/protocol'
import type { OrderStatus } from '../src/core.js'
import { price, statusReply } from './callback-desk.js'
import { oneOfEachKind, rows } from './soak.js'

/** One of them. */
export interface HostileCallback {
  readonly name: string
  readonly method?: string
  readonly query?: string
  /** The whole request target, where it is not the path and the query. */
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly answer: number
  /** Of the rejection or the report; null where the request never reaches us. */
  readonly reason: string | null
  readonly told: readonly string[]
}

/** `{x*70000}` stands for that many of the letter. */
const readTable = () =>
  readFileSync(new URL('hostile-callbacks.json', import.meta.url), 'utf8').replaceAll(/\{x\*(\d+)\}/g, (_all, count) =>
    'x'.repeat(Number(count)),
  )

/** All of them. */
export const table: { readonly controlKey: string; readonly callbacks: readonly HostileCallback[] } = JSON.parse(
  readTable(),
)

/** With their names: daily the first of each kind, which is its answer, its reason and whether it has a body. */
export const callbacks = rows({
  daily: oneOfEachKind(table.callbacks, ({ answer, reason, told, target, body }) =>
    JSON.stringify([answer, reason, told, target !== undefined, body !== undefined]),
  ),
  soak: table.callbacks,
}).map(callback => [callback.name, callback] as const)

/** Orders of the merchant by its own id, and what status says of each. */
const orders: Readonly<Record<string, () => ReturnType<typeof statusReply>>> = {
  'o-1': () => statusReply(),
  '7o-1': () => statusReply({ clientOrderId: '7o-1', orderId: '7', status: 'processing' }),
  'o-cheap': () => statusReply({ clientOrderId: 'o-cheap', orderId: '81', amount: '1.00' }),
  'o-dollar': () => statusReply({ clientOrderId: 'o-dollar', orderId: '82', currency: 'USD' }),
  'o-silent': () => {
    throw new Error('Nobody answered.')
  },
  'o-swapped': () => statusReply({ clientOrderId: 'o-1' }),
}

/** The answer of status about an order; about an order that it does not know, as about `o-1`. */
export const statusOf = ({ clientOrderId = '' }: StatusRequest): ReturnType<typeof statusReply> =>
  (Object.hasOwn(orders, clientOrderId) ? orders[clientOrderId] : undefined)?.() ?? statusReply()

/** Sends it as it is written: no client would. @returns The status of the answer and what followed its head. */
export function send(origin: string, { method, query = '', target, headers = {}, body = '' }: HostileCallback) {
  const isChunked = headers['Transfer-Encoding'] === 'chunked'
  const lines = [
    `${method ?? 'GET'} ${target ?? `/payments/callback?${query}`} HTTP/1.1`,
    'Host: shop.example',
    'Connection: close',
    ...Object.entries(headers).map(header => header.join(': ')),
    ...(body === '' || isChunked ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  const sent = isChunked ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
  return new Promise<{ readonly status: number; readonly text: string }>(resolve => {
    let received = ''
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.on('data', chunk => {
      received += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const [head = '', ...rest] = received.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), text: rest.join('\r\n\r\n') })
    })
    socket.write(`${lines.join('\r\n')}\r\n\r\n${sent}`)
  })
}

/** Says what the merchant's function was called with, and whether that is the price of the order. */
export const inWords = ({ kind, isOver }: OrderStatus): string => (isOver(price) ? kind : `${kind} over another price`)
