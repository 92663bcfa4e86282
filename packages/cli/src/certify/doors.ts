import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopbackHost, quote } from '@tillkit/protocol'
import { decodeForm, encodeForm, type Parameter } from '@tillkit/signing'
import { type Dispatcher, request } from 'undici'
import type { MerchantUnderTest, PaidAnswer, PaymentToStart, ReceivedCallback, StartedPayment } from './merchant.js'

/** The merchant's doors as functions, whether it gave functions or addresses. */
export interface Doors {
  startPayment(payment: PaymentToStart): Promise<StartedPayment>
  isPaid(order: string): Promise<PaidAnswer>
  /** The merchant's own address for callbacks, if it gave one. */
  readonly callbackAddress: URL | undefined
  /** Where the merchant's callback function is served, if it gave one. */
  readonly callbackUrl: string | undefined
  close(): Promise<void>
}

/** Nothing answers at an address of the merchant's. That is no "no" to a customer: the merchant is not there. */
export class MerchantDownError extends Error {
  override readonly name = 'MerchantDownError'
}

/** Hears all that the merchant answers: status, headers and body. */
export type Hear = (answer: string) => void

/** The words that a merchant answers with. */
export const paidWords = ['paid', 'not-paid', 'open', 'needs-person'] as const

/**
 * Turns addresses into functions, and serves a callback function so that the gateway can call it.
 *
 * @throws {TypeError} for what is no address, and for an address of another machine.
 */
export async function openDoors(
  { startPayment, isPaid, receiveCallback }: MerchantUnderTest,
  hear?: Hear,
): Promise<Doors> {
  const doors = {
    startPayment:
      typeof startPayment === 'function' ? startPayment : startAt(localAddress('startPayment', startPayment), hear),
    isPaid: typeof isPaid === 'function' ? async (order: string) => isPaid(order) : askAt(isPaid, hear),
    callbackAddress: undefined,
  }
  if (typeof receiveCallback === 'function') return { ...doors, ...(await serveCallbacks(receiveCallback)) }
  const callbackAddress = receiveCallback === undefined ? undefined : localAddress('receiveCallback', receiveCallback)
  return { ...doors, callbackAddress, callbackUrl: undefined, close: async () => undefined }
}

/** @throws {TypeError} when it is no address, or one of another machine: a test must not pay at a real shop. */
export function localAddress(door: string, address: URL | string): URL {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined
  if (url === undefined) throw new TypeError(`"${door}" is ${JSON.stringify(String(address))}, which is no address.`)
  if (isLoopbackHost(url.hostname)) return url
  throw new TypeError(
    `"${door}" leads to ${url.host}. Certify calls this machine only, such as http://127.0.0.1:3000/.`,
  )
}

const startAt =
  (url: URL, hear: Hear | undefined): Doors['startPayment'] =>
  async ({ card, ...payment }) => {
    const fields = Object.entries({ ...payment, ...card }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    )
    const answer = await reach(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: encodeForm(fields as readonly Parameter[]),
    })
    const { statusCode, headers } = answer
    const text = await readAnswer(answer, hear)
    if (statusCode >= 400) throw new Error(`POST ${url.pathname} answered HTTP ${statusCode}: ${quote(text)}`)
    const said = readJson(text)
    const order = said.order === undefined ? {} : { order: String(said.order) }
    const redirect = said.redirect ?? headers.location
    return { ...order, ...(redirect === undefined ? {} : { redirectUrl: new URL(String(redirect), url) }) }
  }

const askAt = (address: URL | string, hear: Hear | undefined): Doors['isPaid'] => {
  localAddress('isPaid', address)
  const text = decodeURI(String(address))
  return async order => {
    const url = new URL(text.replaceAll('{order}', encodeURIComponent(order)))
    if (!text.includes('{order}')) url.searchParams.set('order', order)
    const answer = await reach(url, { headers: { accept: 'application/json' } })
    const { statusCode } = answer
    const said = (await readAnswer(answer, hear)).trim()
    if (statusCode !== 200) throw new Error(`GET ${url.pathname} answered HTTP ${statusCode}: ${quote(said)}`)
    const { paid = said } = readJson(said)
    if (typeof paid === 'boolean') return paid
    const word = paidWords.find(each => each === paid)
    if (word !== undefined) return word
    throw new Error(`GET ${url.pathname} answered ${quote(said)}, none of: true, false, ${paidWords.join(', ')}.`)
  }
}

/** Reads an answer of the merchant's to its end. */
export async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  hear: Hear | undefined,
): Promise<string> {
  const text = await body.text()
  hear?.(
    `HTTP ${statusCode}\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join('')}\n${text}\n`,
  )
  return text
}

/** A connection that a hung merchant holds open is closed after this many milliseconds. */
const mostPatience = 60_000

/** @throws {@link MerchantDownError} when the connection fails. */
async function reach(
  url: URL,
  options: Omit<Dispatcher.RequestOptions<null>, 'origin' | 'path' | 'method'> & { readonly method?: 'POST' },
) {
  try {
    return await request(url, { ...options, headersTimeout: mostPatience })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message || cause.name : String(cause)
    throw new MerchantDownError(`Nothing answered at ${url.origin}${url.pathname}: ${why}`, { cause })
  }
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'boolean' || typeof value === 'string') return { paid: value }
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Serves a callback function on this machine. A function that throws answers HTTP 500, as a web framework does. */
async function serveCallbacks(receive: (callback: ReceivedCallback) => number | Promise<number>) {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      void (async () => {
        const url = new URL(`http://127.0.0.1${incoming.url ?? '/'}`)
        const body = Buffer.concat(chunks).toString('utf8')
        const parameters = [...decodeForm(url.search.slice(1)), ...decodeForm(body)]
        response.statusCode = await receive({ method: incoming.method ?? 'GET', url, parameters })
      })()
        .catch(() => {
          response.statusCode = 500
        })
        .finally(() => response.end())
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    callbackUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
