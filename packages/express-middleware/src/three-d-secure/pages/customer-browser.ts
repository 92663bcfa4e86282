import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type BrowserFields, type CustomerFields, wireNames } from '@tillkit/protocol'
import { decodeForm } from '@tillkit/signing'

/** Fields of a sale, preauth, verification or form request; spread them into it. */
export type CustomerBrowser = Pick<CustomerFields, 'ipAddress'> & BrowserFields

/** A request as Node.js makes it, with what Express adds. */
export type BrowserRequest = IncomingMessage & { readonly ip?: string | undefined; readonly body?: unknown }

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
 * that behind a proxy, or every customer has the proxy's address.
 *
 * @see Interface specification, section 2; the names come from the wire profile's sources
 */
export function customerBrowser(request: BrowserRequest): CustomerBrowser {
  const { headers } = request
  const fields = formFields(request)
  const posted = (field: keyof BrowserFields, form: RegExp): string | undefined => {
    const value = fields[wireNames[field]]
    return typeof value === 'string' && form.test(value) ? value : undefined
  }
  const depth = posted('customerBrowserColorDepth', /^\d{1,2}$/)
  return withoutUndefined({
    ipAddress: ipAddress(request),
    customerBrowserInfo: true,
    customerBrowserAcceptHeader: (headers.accept ?? '*/*').slice(0, 2048),
    customerBrowserUserAgent: headers['user-agent']?.slice(0, 2048),
    customerBrowserJavascriptEnabled: posted('customerBrowserJavascriptEnabled', /^true$/) !== undefined,
    customerBrowserJavaEnabled: posted('customerBrowserJavaEnabled', /^true$/) !== undefined,
    customerBrowserAcceptLanguage: posted('customerBrowserAcceptLanguage', language) ?? firstLanguage(headers),
    customerBrowserColorDepth: depth === undefined ? undefined : colorDepth(depth),
    customerBrowserScreenWidth: posted('customerBrowserScreenWidth', /^\d{1,6}$/),
    customerBrowserScreenHeight: posted('customerBrowserScreenHeight', /^\d{1,6}$/),
    customerBrowserTimeZone: posted('customerBrowserTimeZone', /^[+-]?\d{1,4}$/),
  })
}

/** The form, as a body parser left it. */
function formFields({ body }: BrowserRequest): Readonly<Record<string, unknown>> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    try {
      return Object.fromEntries(decodeForm(body.toString()))
    } catch {
      return {}
    }
  }
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
}

/** A BCP 47 tag of at most eight characters, as 3DS takes it. */
const language = /^(?=.{2,8}$)[A-Za-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/

function firstLanguage({ 'accept-language': accepted = '' }: IncomingMessage['headers']): string | undefined {
  const [first = ''] = accepted.split(/[,;]/, 1)
  return language.test(first.trim()) ? first.trim() : undefined
}

/** Depths that 3DS knows. @see EMV 3-D Secure protocol specification, browserColorDepth */
const depths = [48, 32, 24, 16, 15, 8, 4, 1]

/** A screen of 30 bits has at least the 24 that 3DS knows. */
const colorDepth = (depth: string): string | undefined => depths.find(known => known <= Number(depth))?.toString()

/**
 * An IPv4 address in IPv6 clothes is written as what it is, and a port that a proxy has added goes. What a customer wrote into
 * `X-Forwarded-For` and is no address is left out.
 */
function ipAddress({ ip, socket }: BrowserRequest): string | undefined {
  const address = (ip ?? socket.remoteAddress ?? '')
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
