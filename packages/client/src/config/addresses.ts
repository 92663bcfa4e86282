import { describeValue, isLoopbackHost } from '@tillkit/protocol'
import { type FieldProblem, unsetVariable } from '../errors/messages.js'
import type { EndpointOptions } from './options.js'
import type { BaseUrl, Endpoint } from './settings.js'

/** Checks and takes apart a base address. No message repeats a password. */
export function readBaseUrl(value: URL | string, allowPlainHttp: boolean): BaseUrl {
  const url = parse(value)
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('"baseUrl" carries a user name or a password. Requests are signed instead; remove them.')
  }
  const isPlainHttp = url.protocol === 'http:' && !isLoopbackHost(url.hostname)
  if (isPlainHttp ? !allowPlainHttp : !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `"baseUrl" is a ${url.protocol} address of ${url.hostname || 'no host'}; card data need https. ` +
        'Only loopback hosts (localhost, 127.0.0.1, [::1]) may use http.' +
        (isPlainHttp
          ? ' For a test gateway on another host, such as a container, set "allowPlainHttp" to true; production refuses it.'
          : ''),
    )
  }
  if (url.search !== '' || url.hash !== '') {
    throw new TypeError('"baseUrl" has a query or a fragment. Give scheme, host and path prefix only.')
  }
  const ofOperation = /\/api\/(?:v\d+(?:\/[a-z-]+(?:\/(?:group\/)?\d+)?)?|3ds\/v\d+\/.*)\/*$/.exec(url.pathname)
  if (ofOperation !== null) {
    throw new TypeError(
      `"baseUrl" ends in "${ofOperation[0].slice(0, 60)}", which operations bring along. Leave it out, as in https://gate.example/paynet.`,
    )
  }
  const { origin } = url
  const prefix = url.pathname.replace(/\/+$/, '')
  return { origin, prefix, address: `${origin}${prefix}`, isPlainHttp }
}

function parse(value: URL | string | undefined): URL {
  if (value instanceof URL) return value
  if (value === undefined || value === '') {
    throw new TypeError(
      `"baseUrl" is ${value === '' ? 'empty' : 'missing'}. Write it like https://gate.example/paynet. ${unsetVariable}`,
    )
  }
  if (typeof value === 'string' && URL.canParse(value)) return new URL(value)
  throw new TypeError('"baseUrl" is no absolute address. Write it like https://gate.example/paynet.')
}

const largestId = 9_223_372_036_854_775_807n

/** Reads which endpoint is meant. @see Interface specification, section 8: `endpointId` is a 64-bit integer */
export function readEndpoint({ endpointId, endpointGroupId }: EndpointOptions): Endpoint | FieldProblem {
  if ((endpointId === undefined) === (endpointGroupId === undefined)) {
    const found = endpointId === undefined ? `neither was given. ${unsetVariable}` : 'both were given.'
    const problem = `Exactly one of "endpointId" and "endpointGroupId" is needed and ${found}`
    return { field: 'endpointId', problem }
  }
  const option = endpointId === undefined ? 'endpointGroupId' : 'endpointId'
  const value: unknown = endpointId === undefined ? endpointGroupId : endpointId
  const problem = idProblem(value)
  if (problem !== undefined) return { field: option, problem: `"${option}" is ${problem}` }
  return { id: String(value), isGroup: option === 'endpointGroupId' }
}

/** What is wrong with the id of an endpoint; it completes "… is". */
function idProblem(value: unknown): string | undefined {
  if (Number.isNaN(value)) return `NaN, which is what Number() makes of no number. ${unsetVariable}`
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    return `the number ${value}, which has lost digits or is no whole number. Write it as a string or a bigint.`
  }
  const id = typeof value === 'number' || typeof value === 'bigint' ? value.toString() : value
  if (typeof id === 'string' && /^(0|[1-9]\d{0,18})$/.test(id) && BigInt(id) <= largestId) return undefined
  return `${describeValue(id)}; it must be a whole number from 0 to ${largestId}, without signs, spaces or leading zeros.`
}

/**
 * What is wrong with an address, and the cure; `undefined` for an absolute http or https address without credentials. It never
 * quotes the address, which may hold a token.
 *
 * The gateway takes a path without a complaint, and then neither the outcome nor the customer comes back.
 * `http:shop.example` and `https:/shop.example` are refused although browsers repair them: gateways may not.
 */
export function addressProblem(address: string): string | undefined {
  if (plainAddress.test(address)) return undefined
  const cure = 'Write it like https://shop.example/payments.'
  if (address === '') return `is empty. Leave it out, or write it like https://shop.example/payments.`
  if (address.startsWith('/') && !address.startsWith('//'))
    return `is a path, and the gateway cannot know its host. ${cure}`
  if (!/^https?:\/\/[^/?#]/i.test(address) || !URL.canParse(address)) {
    return `is no absolute http or https address. ${cure}`
  }
  if (/[\s\\\p{Cc}]/u.test(address)) return `has white space or a backslash in it. Percent-encode it.`
  // Only what stands before an @ can be one of the two.
  if (!address.includes('@')) return undefined
  const { username, password } = new URL(address)
  if (username === '' && password === '') return undefined
  return 'carries a user name or a password, which the customer’s browser or the gateway would get to see. Remove them.'
}

/**
 * What most addresses look like: a host of lower-case ASCII labels that ends in letters and has no port, and nothing that
 * would be encoded or means credentials. Parsing what looks like this never fails and takes twenty times as long.
 */
const plainAddress = /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,63}(?:[/?#][\w.~!$&'()*+,;=:/?#%[\]-]*)?$/
