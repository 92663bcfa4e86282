/**
 * The base address: what every path is appended to.
 *
 * @module
 */
import { isLoopbackHost } from '@tillkit/protocol'
import { unsetVariable } from '../words/wording.js'

/** A checked base address. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path prefix such as `/paynet`, without a trailing slash; may be empty. It is part of the signed address. */
  readonly prefix: string
  /** The two as one text, without a trailing slash. */
  readonly address: string
  /** Whether the host is this machine. */
  readonly isLoopback: boolean
  /** Whether requests leave this machine without TLS, which the option `allowPlainHttp` permits in tests. */
  readonly isPlainHttp: boolean
}

/**
 * Checks a base address: https unless its host is loopback or plain http is allowed; no query, fragment, user name or
 * password.
 *
 * @throws {TypeError} when it is none of that. The message never repeats a password.
 */
export function readBaseUrl(value: URL | string, { allowPlainHttp }: { readonly allowPlainHttp: boolean }): BaseUrl {
  const url = parse(value)
  const isLoopback = isLoopbackHost(url.hostname)
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('"baseUrl" carries a user name or a password. Requests are signed instead; remove them.')
  }
  const isPlainHttp = url.protocol === 'http:' && !isLoopback
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
  return { origin, prefix, address: `${origin}${prefix}`, isLoopback, isPlainHttp }
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
