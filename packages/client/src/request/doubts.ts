import { isLoopbackHost } from '@tillkit/protocol'
import type { Settings } from '../config/settings.js'
import type { FieldProblem } from '../errors/messages.js'
import type { Form } from './types.js'

/**
 * What is odd about the customer's data of a request. The specification gives these fields no format, so the request is sent all
 * the same.
 *
 * @param known Fields that were spoken of before: they are not looked at.
 */
export function doubtsAbout(
  values: Form,
  { baseUrl, environment }: Settings,
  known: ReadonlySet<string> = new Set(),
): readonly FieldProblem[] {
  const doubts: FieldProblem[] = []
  for (const { field, value } of values) {
    const judge = field === undefined || known.has(field) ? undefined : judges.get(field)
    const problem = value === '' ? undefined : judge?.(value)
    if (field === undefined || problem === undefined) continue
    const isOfTest = problem === local && (environment === 'test' || isLoopbackHost(new URL(baseUrl.origin).hostname))
    if (!isOfTest) doubts.push({ field, problem: `"${field}" ${problem}` })
  }
  return doubts
}

const judges: ReadonlyMap<string, (value: string) => string | undefined> = new Map([
  ['ipAddress', aboutIp],
  ['browserIp', aboutIp],
  ['customerIp', aboutIp],
  ['country', aboutCountry],
])

const rightIp =
  'Give the customer’s own address, such as customerBrowser(request).ipAddress of @tillkit/express-middleware, with "trust proxy" ' +
  'of Express set to the proxies that are yours.'

const local = `is an address of this machine or of a private network, so it is your proxy’s and every customer has the same. ${rightIp}`

/** Loopback, private, shared, link-local. @see RFC 1122, 1918, 3927, 4193, 4291 and 6598 */
const localIps = [
  /^::1$/,
  /^(?:::ffff:)?(?:0|10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/i,
  /^f[cd][\da-f]{2}:.*$/i,
  /^fe[89ab][\da-f]:.*$/i,
]

function aboutIp(address: string): string | undefined {
  if (process.getBuiltinModule('node:net').isIP(address) !== 0)
    return localIps.some(each => each.test(address)) ? local : undefined
  return address.includes(',')
    ? `has more than one address, as the header X-Forwarded-For has: a customer may write anything before the last. ${rightIp}`
    : `is no IPv4 or IPv6 address. Write it without port, brackets or host name. ${rightIp}`
}

/** Two letters of ISO 3166-1 are what every public document asks for. */
function aboutCountry(country: string): string | undefined {
  if (/^[A-Za-z]{2}$/.test(country)) return undefined
  const code = codeOf(country)
  const right = code === undefined ? 'two letters of ISO 3166-1, such as "DE"' : `"${code}"`
  return `is ${JSON.stringify(country.slice(0, 60))}, and gateways take the code of a country. Write ${right}.`
}

/** The code of a country by its English name. */
function codeOf(country: string): string | undefined {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap(first => letters.map(second => first + second))
  const code = codes.find(each => names.of(each)?.toLowerCase() === country.toLowerCase())
  // "DD" has the name Germany too, and is "DE" by now.
  return code === undefined ? undefined : new Intl.Locale(`und-${code}`).region
}
