import { baseStringUri } from '../../index.js'
import { decodeOnce } from '../control/text-mistakes.js'
import type { BaseStringMistakeRow, BaseStringVariant, SignedRequest } from './request.js'

/** Mistakes in the method and the address, RFC 5849 sections 3.4.1.1 and 3.4.1.2. To add one, add a row. */
export const addressMistakes: readonly BaseStringMistakeRow[] = [
  {
    mistake: 'method',
    text: (variant, { method }) => `method: the other side covers ${variant.method}; this request says ${method}`,
    variants: ({ method }) =>
      [method.toLowerCase(), 'POST', 'GET', 'PUT', 'PATCH', 'DELETE']
        .filter(other => other !== method)
        .map(other => ({ method: other })),
  },
  {
    mistake: 'default-port',
    text: 'address: the other side kept the default port; it is left out',
    variants: request =>
      addresses(request, (url, isSecure) =>
        url.port === '' ? [`${url.protocol}//${url.hostname}:${isSecure ? 443 : 80}${url.pathname}`] : [],
      ),
  },
  {
    mistake: 'port-left-out',
    text: 'address: the other side left out the port; only a default port is left out',
    variants: request =>
      addresses(request, url => (url.port === '' ? [] : [`${url.protocol}//${url.hostname}${url.pathname}`])),
  },
  {
    mistake: 'scheme',
    text: 'address: the other side has http where this one has https, or the reverse; look for a proxy that ends TLS',
    variants: request =>
      addresses(request, (url, isSecure) =>
        [url.host, url.hostname, `${url.hostname}:443`].map(
          host => `${isSecure ? 'http' : 'https'}://${host}${url.pathname}`,
        ),
      ),
  },
  {
    mistake: 'host-in-capitals',
    text: 'address: the other side has capitals in the host; it must be in lower case',
    variants: request =>
      addresses(request, url => capitals(url.host).map(host => `${url.protocol}//${host}${url.pathname}`)),
  },
  {
    mistake: 'scheme-in-capitals',
    text: 'address: the other side has the scheme in capitals; it must be in lower case',
    variants: request => addresses(request, url => [`${url.protocol.toUpperCase()}//${url.host}${url.pathname}`]),
  },
  {
    mistake: 'trailing-slash',
    text: 'address: the two sides differ in a slash at the end of the path',
    variants: request => paths(request, path => [path.endsWith('/') ? path.slice(0, -1) : `${path}/`]),
  },
  {
    mistake: 'path-prefix',
    text: 'address: the other side left out the beginning of the path; a path prefix is covered',
    variants: request => paths(request, shorterPaths),
  },
  {
    mistake: 'path-end',
    text: 'address: the other side left out the end of the path',
    variants: request => paths(request, path => [path.replace(/\/[^/]*$/, ''), '/', '']),
  },
  {
    mistake: 'path-letter-case',
    text: 'address: the other side put the path in lower case; it is covered as it stands',
    variants: request => paths(request, path => [path.toLowerCase()]),
  },
  {
    mistake: 'path-encoding',
    text: 'address: the other side decoded or encoded the path once more; it is covered as it is sent',
    variants: request =>
      paths(request, path => [
        decodeOnce(path),
        encodeURI(path),
        path.replace(/%[0-9a-f]{2}/gi, code => code.toLowerCase()),
        path.replace(/%[0-9a-f]{2}/gi, code => code.toUpperCase()),
      ]),
  },
  {
    mistake: 'query-in-address',
    text: 'address: the other side kept the query in it; the query is covered among the parameters',
    variants: ({ url }) => [{ address: baseStringUri(url) + url.search }],
  },
  {
    mistake: 'query-in-address',
    text: 'address: the other side kept the query in it, and not among the parameters, where it belongs',
    variants: ({ url, body, protocol }) => [
      { address: baseStringUri(url) + url.search, parameters: [...body, ...protocol] },
    ],
  },
]

const addresses = (
  { url }: SignedRequest,
  make: (url: URL, isSecure: boolean) => readonly string[],
): BaseStringVariant[] => make(url, url.protocol === 'https:').map(address => ({ address }))

const paths = ({ url }: SignedRequest, make: (path: string) => readonly string[]): BaseStringVariant[] =>
  make(url.pathname).map(path => ({ address: `${url.origin}${path}` }))

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
