/**
 * The table of mistakes in the method and the address of a base string, RFC 5849 sections 3.4.1.1 and 3.4.1.2.
 *
 * @module
 */
import { baseStringUri } from '../../index.js'
import type { BaseStringMistakeRow, SignedRequest } from './request.js'

/** Every mistake in method and address that is tried. To add one, add a row. */
export const addressMistakes: readonly BaseStringMistakeRow[] = [
  {
    mistake: 'method',
    variants: ({ method }) =>
      [method.toLowerCase(), ...['POST', 'GET', 'PUT', 'PATCH', 'DELETE'].filter(other => other !== method)].map(
        other => ({
          variant: { method: other },
          text: `method: the other side covers ${other}; this request says ${method}`,
        }),
      ),
  },
  {
    mistake: 'default-port',
    variants: request =>
      addresses(request, ({ url, port }) =>
        url.port === '' ? [`${url.protocol}//${url.hostname}:${port}${url.pathname}`] : [],
      ).map(say('address: the other side kept the default port; it is left out')),
  },
  {
    mistake: 'port-left-out',
    variants: request =>
      addresses(request, ({ url }) => (url.port === '' ? [] : [`${url.protocol}//${url.hostname}${url.pathname}`])).map(
        say('address: the other side left out the port; only a default port is left out'),
      ),
  },
  {
    mistake: 'scheme',
    variants: request =>
      addresses(request, ({ url, other }) => [
        `${other}//${url.host}${url.pathname}`,
        `${other}//${url.hostname}${url.pathname}`,
        `${other}//${url.hostname}:443${url.pathname}`,
      ]).map(
        say(
          'address: the other side has http where this one has https, or the reverse; look for a proxy that ends TLS',
        ),
      ),
  },
  {
    mistake: 'host-in-capitals',
    variants: request =>
      addresses(request, ({ url }) => capitals(url.host).map(host => `${url.protocol}//${host}${url.pathname}`)).map(
        say('address: the other side has capitals in the host; it must be in lower case'),
      ),
  },
  {
    mistake: 'scheme-in-capitals',
    variants: request =>
      addresses(request, ({ url }) => [`${url.protocol.toUpperCase()}//${url.host}${url.pathname}`]).map(
        say('address: the other side has the scheme in capitals; it must be in lower case'),
      ),
  },
  {
    mistake: 'trailing-slash',
    variants: request =>
      addresses(request, ({ url }) => {
        const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`
        return [`${url.origin}${path}`]
      }).map(say('address: the two sides differ in a slash at the end of the path')),
  },
  {
    mistake: 'path-prefix',
    variants: request =>
      addresses(request, ({ url }) => shorterPaths(url.pathname).map(path => `${url.origin}${path}`)).map(
        say('address: the other side left out the beginning of the path; a path prefix is covered'),
      ),
  },
  {
    mistake: 'path-end',
    variants: request =>
      addresses(request, ({ url }) => [
        `${url.origin}${url.pathname.replace(/\/[^/]*$/, '')}`,
        `${url.origin}/`,
        url.origin,
      ]).map(say('address: the other side left out the end of the path')),
  },
  {
    mistake: 'path-letter-case',
    variants: request =>
      addresses(request, ({ url }) => [`${url.origin}${url.pathname.toLowerCase()}`]).map(
        say('address: the other side put the path in lower case; it is covered as it stands'),
      ),
  },
  {
    mistake: 'path-encoding',
    variants: request =>
      addresses(request, ({ url }) => [
        `${url.origin}${decoded(url.pathname)}`,
        `${url.origin}${encodeURI(url.pathname)}`,
        `${url.origin}${url.pathname.replace(/%[0-9a-f]{2}/gi, code => code.toLowerCase())}`,
        `${url.origin}${url.pathname.replace(/%[0-9a-f]{2}/gi, code => code.toUpperCase())}`,
      ]).map(say('address: the other side decoded or encoded the path once more; it is covered as it is sent')),
  },
  {
    mistake: 'query-in-address',
    variants: request => [
      {
        variant: { address: baseStringUri(request.url) + request.url.search },
        text: 'address: the other side kept the query in it; the query is covered among the parameters',
      },
      {
        variant: {
          address: baseStringUri(request.url) + request.url.search,
          parameters: [...request.body, ...request.protocol],
        },
        text: 'address: the other side kept the query in it, and not among the parameters, where it belongs',
      },
    ],
  },
]

interface AddressParts {
  readonly url: URL
  /** Default port of its scheme. */
  readonly port: string
  /** The other scheme. */
  readonly other: string
}

function addresses({ url }: SignedRequest, make: (parts: AddressParts) => readonly string[]): readonly string[] {
  const secure = url.protocol === 'https:'
  return make({ url, port: secure ? '443' : '80', other: secure ? 'http:' : 'https:' })
}

const say = (text: string) => (address: string) => ({ variant: { address }, text })

const capitals = (host: string): readonly string[] => [
  host.toUpperCase(),
  host.replace(/(^|\.)[a-z]/g, letter => letter.toUpperCase()),
  host.replace(/^[a-z]/, letter => letter.toUpperCase()),
]

/** Most segments that are taken off the front of a path. */
const mostSegments = 16

function shorterPaths(path: string): readonly string[] {
  const segments = path.split('/').slice(1)
  return segments.slice(1, mostSegments).map((_segment, index) => `/${segments.slice(index + 1).join('/')}`)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
