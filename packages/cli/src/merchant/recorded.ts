import { describeValue, isLoopbackHost } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { withoutUser } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'

/** A callback that somebody wrote down: a request, an address, or a form. */
interface Recorded {
  /** Where it went; undefined where only its parameters were written down. */
  readonly url: URL | undefined
  /** Undefined where that was not written down. */
  readonly method: 'GET' | 'POST' | undefined
  /** Of its query, or of its body. */
  readonly parameters: readonly Parameter[]
}

/** A line that begins a request, such as `GET /callback?status=approved HTTP/1.1`, wherever it stands in a line of a log. */
const requestLine = /\b(GET|POST)\s+(\S+)(?:\s+HTTP\/[\d.]+)?/

/**
 * Reads a recorded callback: an address with its query, a query or form alone, a line of an access log, or a whole request with its
 * body.
 *
 * @throws {@link UsageError} that does not quote it: it holds a control value.
 */
export function readRecorded(text: string): Recorded {
  const trimmed = text.replace(/\r\n/g, '\n').trim()
  if (trimmed === '') throw new UsageError('There is no callback to send: the file or the standard input is empty.')
  const [, method, target] = requestLine.exec(trimmed) ?? []
  if (target !== undefined) {
    const [, body = ''] = trimmed.split('\n\n', 2)
    const host = /^host:\s*(\S+)$/im.exec(trimmed)?.[1]
    return recorded(target, { method: method as 'GET', host, body: method === 'POST' ? body.trim() : '' })
  }
  if (/\s/.test(trimmed)) {
    throw new UsageError(
      'This is no recorded callback. It must be an address with its query, a form such as status=approved&orderid=…, or a whole request.',
    )
  }
  const isForm = !/^[a-z]+:\/\//i.test(trimmed) && !trimmed.startsWith('/') && !trimmed.startsWith('?')
  return isForm
    ? recorded('', { method: undefined, host: undefined, body: trimmed })
    : recorded(trimmed, { method: 'GET', host: undefined, body: '' })
}

function recorded(
  target: string,
  {
    method,
    host,
    body,
  }: { readonly method: Recorded['method']; readonly host: string | undefined; readonly body: string },
): Recorded {
  const isWhole = /^https?:\/\//i.test(target)
  const address = URL.canParse(target, 'http://unknown.invalid') ? new URL(target, 'http://unknown.invalid') : undefined
  if (address === undefined) throw new UsageError('The recorded callback has no address that can be read.')
  const query = [...address.searchParams]
  const parameters = body === '' ? query : [...new URLSearchParams(body)]
  if (parameters.length === 0)
    throw new UsageError('The recorded callback has no parameters: it says nothing about any order.')
  if (body === '') address.search = ''
  const url = isWhole
    ? address
    : host === undefined || !isOwnHost(host)
      ? undefined
      : new URL(address.href.replace('unknown.invalid', host))
  return { url, method, parameters }
}

/** A request does not say whether it came over TLS, so only a host of this machine is taken from it. */
function isOwnHost(host: string): boolean {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined
  return url !== undefined && url.host === host.toLowerCase() && isLoopbackHost(url.hostname)
}

/** Reads the address of a shop. @throws {@link UsageError} */
export function readShop(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(
    `--to is ${describeValue(withoutUser(text))}; it must be an http or https address, such as http://127.0.0.1:3000/callback.`,
  )
}
