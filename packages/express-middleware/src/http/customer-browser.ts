import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type BrowserFields, type CustomerFields, wireNames } from '@tillkit/protocol'
import { isWebRequest, readForm } from './parameters.js'

/** Fields of a sale, preauth, verification or form request; spread them into it. */
export type CustomerBrowser = Pick<CustomerFields, 'ipAddress'> & BrowserFields

/** A request as Node.js makes it, with what Express adds. */
export type BrowserRequest = IncomingMessage & { readonly ip?: string | undefined; readonly body?: unknown }

/** Facts about a connection that a `Request` of the Web does not hold. */
export interface RequestOrigin {
  /**
   * IP address that the customer's connection comes from, which the framework knows. Take it from a header only where your own proxy
   * sets that header and overwrites what the customer wrote into it.
   */
  readonly remoteAddress?: string | undefined
}

/** @throws {TypeError} where it is a `Request` of the Web, and the address was not handed in. */
export function checkOrigin(request: BrowserRequest | Request, { remoteAddress }: RequestOrigin): void {
  if (!isWebRequest(request) || remoteAddress !== undefined) return
  throw new TypeError(
    'A Request does not say which address the customer comes from, and 3DS has to tell the bank. ' +
      'Pass it as { remoteAddress }. ' +
      'Hono on Node.js: getConnInfo(context).remote.address, of "@hono/node-server/conninfo". ' +
      'Next.js: no route handler sees the connection, so let your own proxy set a header such as x-real-ip, ' +
      'and pass that. Deno: info.remoteAddr.hostname. Bun: server.requestIP(request)?.address.',
  )
}

/**
 * A script for the page with your card form: it writes what headers do not say into every form with the attribute
 * `data-customer-browser`. Serve it as a file of your own, or inline with a nonce.
 */
export const customerBrowserScript = `for (const form of document.querySelectorAll('form[data-customer-browser]')) {
  const fields = {
    ${wireNames.customerBrowserJavascriptEnabled}: true,
    ${wireNames.customerBrowserJavaEnabled}: navigator.javaEnabled(),
    ${wireNames.customerBrowserAcceptLanguage}: navigator.language,
    ${wireNames.customerBrowserColorDepth}: screen.colorDepth,
    ${wireNames.customerBrowserScreenWidth}: screen.width,
    ${wireNames.customerBrowserScreenHeight}: screen.height,
    ${wireNames.customerBrowserTimeZone}: new Date().getTimezoneOffset(),
  }
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
}`

/**
 * Collects the customer's IP address and browser from a request: headers, and from the form that a body parser has read, what
 * {@link customerBrowserScript} wrote. What is missing or makes no sense is left out; without the script the browser counts
 * as one that runs none.
 *
 * The address is `request.ip`, which Express takes from `X-Forwarded-For` only as far as its setting `trust proxy` says. Set
 * that behind a proxy, or every customer has the proxy's address. A `Request` of the Web has none: hand it in.
 *
 * @param more `remoteAddress`: in place of that of the request. `body`: the form where it is not in `request.body`, as text,
 * `FormData`, `URLSearchParams` or an object.
 * @throws {TypeError} for a `Request` of the Web without `remoteAddress`.
 * @see Interface specification, section 2; the names come from the wire profile's sources
 */
export function customerBrowser(
  request: BrowserRequest | Request,
  more: RequestOrigin & { readonly body?: unknown } = {},
): CustomerBrowser {
  checkOrigin(request, more)
  const header = (name: string): string | undefined =>
    isWebRequest(request) ? (request.headers.get(name) ?? undefined) : request.headers[name]?.toString()
  const fields = formFields(more.body ?? (isWebRequest(request) ? undefined : request.body))
  const posted = (field: keyof BrowserFields, form: RegExp): string | undefined => {
    const value = fields[wireNames[field]]
    return typeof value === 'string' && form.test(value) ? value : undefined
  }
  const depth = posted('customerBrowserColorDepth', /^\d{1,2}$/)
  return withoutUndefined({
    ipAddress: ipAddress(more.remoteAddress ?? connectionOf(request)),
    customerBrowserInfo: true,
    customerBrowserAcceptHeader: (header('accept') ?? '*/*').slice(0, 2048),
    customerBrowserUserAgent: header('user-agent')?.slice(0, 2048),
    customerBrowserJavascriptEnabled: posted('customerBrowserJavascriptEnabled', /^true$/) !== undefined,
    customerBrowserJavaEnabled: posted('customerBrowserJavaEnabled', /^true$/) !== undefined,
    customerBrowserAcceptLanguage:
      posted('customerBrowserAcceptLanguage', language) ?? firstLanguage(header('accept-language')),
    customerBrowserColorDepth: depth === undefined ? undefined : colorDepth(depth),
    customerBrowserScreenWidth: posted('customerBrowserScreenWidth', /^\d{1,6}$/),
    customerBrowserScreenHeight: posted('customerBrowserScreenHeight', /^\d{1,6}$/),
    customerBrowserTimeZone: posted('customerBrowserTimeZone', /^[+-]?\d{1,4}$/),
  })
}

/** The form, as a body parser left it. */
function formFields(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Object.fromEntries(readForm(body.toString()))
  if (body instanceof URLSearchParams || body instanceof FormData) return Object.fromEntries(body)
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
}

/** A BCP 47 tag of at most eight characters, as 3DS takes it. */
const language = /^(?=.{2,8}$)[A-Za-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/

function firstLanguage(accepted = ''): string | undefined {
  const [first = ''] = accepted.split(/[,;]/, 1)
  return language.test(first.trim()) ? first.trim() : undefined
}

/** Depths that 3DS knows. @see EMV 3-D Secure protocol specification, browserColorDepth */
const depths = [48, 32, 24, 16, 15, 8, 4, 1]

/** A screen of 30 bits has at least the 24 that 3DS knows. */
const colorDepth = (depth: string): string | undefined => depths.find(known => known <= Number(depth))?.toString()

const connectionOf = (request: BrowserRequest | Request): string =>
  isWebRequest(request) ? '' : (request.ip ?? request.socket.remoteAddress ?? '')

/**
 * An IPv4 address in IPv6 clothes is written as what it is, and a port that a proxy has added goes. What a customer wrote into
 * `X-Forwarded-For` and is no address is left out.
 */
function ipAddress(written: string): string | undefined {
  const address = written
    .replace(/^\[(.*)\](?::\d{1,5})?$/, '$1')
    .replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, '$1')
    .replace(/^::ffff:(?=\d{1,3}(?:\.\d{1,3}){3}$)/i, '')
    .replace(/%.*$/, '')
  return isIP(address) === 0 ? undefined : address
}

export function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }
}
