/** The table of hostile and odd callbacks: each with its answer, the reason for the log, and what the handler was told. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { emptyOrder } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { callbackDesk, controlKey, price, statusReply } from './callback-desk.js'
import { serve, versions } from './serve.js'

interface HostileCallback {
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

const table: { readonly controlKey: string; readonly callbacks: readonly HostileCallback[] } = JSON.parse(readTable())

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

/** Sends it as it is written: no client would. @returns The status of the answer and what followed its head. */
function send(origin: string, { method, query = '', target, headers = {}, body = '' }: HostileCallback) {
  const isChunked = headers['Transfer-Encoding'] === 'chunked'
  const lines = [
    `${method ?? 'GET'} ${target ?? `/callback?${query}`} HTTP/1.1`,
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

describe.each(versions)('a callback under %s', (_version, express) => {
  it.each(table.callbacks.map(callback => [callback.name, callback] as const))('%s', async (_name, callback) => {
    const desk = callbackDesk({
      order: ({ clientOrderId }) =>
        Object.hasOwn(orders, clientOrderId)
          ? { order: emptyOrder({ clientOrderId }), expected: { stages: ['sale'], ...price } }
          : undefined,
    })
    desk.desk.status = ({ clientOrderId }) => orders[clientOrderId]?.() ?? statusReply()
    const app = express()
    app.all('/callback', desk.handler)
    await using served = await serve(app)
    const { status, text } = await send(served.origin, callback)
    const reasons = [...desk.rejections, ...desk.reports].map(({ reason }) => reason)
    expect({ answer: status, reasons, told: desk.told.map(({ means }) => means) }).toEqual({
      answer: callback.answer,
      reasons: callback.reason === null ? [] : [callback.reason],
      told: callback.told,
    })
    // Whoever is refused learns nothing, and asking status is not theirs to cause.
    if (status === 403) expect([text, desk.asked]).toEqual(['', []])
    expect(({} as Record<string, unknown>).status).toBeUndefined()
  })
})

describe('the table of hostile callbacks', () => {
  it('is signed with the key of the tests, has sixty entries and no two of a name', () => {
    expect(table.controlKey).toBe(controlKey)
    expect(new Set(table.callbacks.map(({ name }) => name)).size).toBe(table.callbacks.length)
    expect(table.callbacks.length).toBeGreaterThanOrEqual(60)
  })
})
