/**
 * Callbacks: a query, or a body with a line before it that says its Content-Type.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { encodeForm } from '@tillkit/signing'
import fc from 'fast-check'
import { checkCallback } from '../../../../packages/express-middleware/src/callbacks/check.js'
import {
  type AnyRequest,
  type NodeRequest,
  type ReadParameters,
  readParameters,
} from '../../../../packages/express-middleware/src/http/parameters.js'
import { repeated } from '../inputs.js'
import { cardNumber, type Parser, promise, promiseQuiet, promiseSame, secret } from '../parser.js'

const digest = (text: string): string => createHash('sha1').update(text).digest('hex')

const word = fc.constantFrom('approved', 'declined', '77', 'o-1', 'o-1.2r', 'null', '', 'é', 'a b', cardNumber)
const name = fc.constantFrom('type', 'amount', 'status', 'merchant_order', 'client_orderid', 'error_message', 'a[b]')

/** Callbacks with a right control value, and what others add to them. */
const pairs = fc
  .record({ status: word, orderid: word, order: word, more: fc.array(fc.tuple(name, word), { maxLength: 4 }) })
  .map(({ status, orderid, order, more }) => [
    ['status', status],
    ['orderid', orderid],
    ['merchant_order', order],
    ['control', digest(`${status}${orderid}${order}${secret}`)],
    ...more,
  ])
const written = pairs.map(all => Buffer.from(all.map(pair => pair.map(encodeURIComponent).join('=')).join('&')))

/** As a server that speaks HTTP/1 hands it over. */
const nodeRequest = (fields: object, chunks: readonly Buffer[] = []): NodeRequest =>
  Object.assign(Readable.from(chunks), { httpVersionMajor: 1, headers: {}, ...fields }) as unknown as NodeRequest

function judge(read: ReadParameters): void {
  if (read.kind === 'refused') {
    promiseQuiet(read)
    return
  }
  const { parameters } = read
  for (const kind of ['callback', 'browser-return'] as const) {
    const verdict = checkCallback({ parameters, controlKeys: [secret], kind })
    if (verdict.kind === 'refused') {
      promiseQuiet(verdict.explanation)
      continue
    }
    const { status, orderId, clientOrderId } = verdict.callback.signed
    const right = digest(`${status}${orderId}${clientOrderId}${secret}`)
    const control = parameters.find(([each]) => each === 'control')?.[1] ?? ''
    promise(control.toLowerCase() === right, 'verifies a callback that was not signed', verdict)
  }
}

/** A callback that was read can be written as a query, and is read as the same again. */
async function readsItsOwn(read: ReadParameters): Promise<void> {
  if (read.kind === 'refused') return
  const pairsOnce = read.parameters
  const again = await readParameters(nodeRequest({ method: 'GET', url: `/?${encodeForm(pairsOnce)}` }), {
    maxBytes: 1_000_000,
  })
  promiseSame(again, read, 'reads other parameters than it wrote')
}

async function examineQuery(input: Buffer): Promise<void> {
  const url = `/callback?${input.toString('latin1')}`
  const read = await readParameters(nodeRequest({ method: 'GET', url }), {})
  judge(read)
  await readsItsOwn(read)
}

async function examineBody(input: Buffer): Promise<void> {
  const border = input.indexOf('\n')
  const type = input.subarray(0, Math.max(border, 0)).toString('latin1').trim()
  const body = input.subarray(border + 1)
  const headers = { 'content-type': type, 'content-length': String(body.length) }
  const [one, two] = [body.subarray(0, body.length / 2), body.subarray(body.length / 2)]
  const read = await readParameters(nodeRequest({ method: 'POST', url: '/', headers }, [one, two]), {})
  judge(read)
  await readsItsOwn(read)
  const web = webRequest(headers, body)
  if (web !== undefined) promiseSame(await readParameters(web, {}), read, 'reads a request of the Web differently')
}

/** @returns undefined where no request can have such headers. */
function webRequest(headers: Record<string, string>, body: Buffer): AnyRequest | undefined {
  try {
    const request = new Request('https://shop.example/', { method: 'POST', headers, body: new Uint8Array(body) })
    // Some spaces at its ends are taken off.
    return request.headers.get('content-type') === headers['content-type'] && body.length > 0 ? request : undefined
  } catch {
    return undefined
  }
}

const tokens = ['&', '=', '+', '?', '#', '%3D', '%26', '%00', '[]', '[a]', 'status=approved', 'merchant_order=o-1', ';']
const formType = 'application/x-www-form-urlencoded'
const types = fc.constantFrom(formType, formType, `${formType}; charset=utf-8`, 'application/json', '')

const growths = (before: string): Parser['growing'] => ({
  'many names': length =>
    Buffer.from(before + Array.from({ length: Math.ceil(length / 8) }, (_, at) => `n${at}=x`).join('&')),
  'one name, often': repeated('status=a&', { before }),
  'a long value': repeated('x', { before: `${before}status=` }),
  escapes: repeated('%C3%A9', { before: `${before}status=` }),
  'escapes that are cut off': repeated('%C3', { before: `${before}status=` }),
  'nothing but borders': repeated('&', { before }),
  brackets: repeated('[', { before }),
})

/** The query of a callback, as the control value comes with it. */
export const callbackQuery: Parser = {
  name: 'callback-query',
  written,
  tokens,
  examine: examineQuery,
  growing: growths(''),
}

/** A callback as a form. */
export const callbackBody: Parser = {
  name: 'callback-body',
  written: fc.tuple(types, written).map(([type, body]) => Buffer.concat([Buffer.from(`${type}\n`), body])),
  tokens,
  examine: examineBody,
  growing: growths(`${formType}\n`),
}
