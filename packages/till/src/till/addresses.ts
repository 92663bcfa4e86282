import { sameOriginPath } from '@tillkit/express-middleware/core'
import { errorText, isLoopbackHost, quote } from '@tillkit/protocol'
import type { Payment } from '../rules/pay/payment.js'

/** Makes a function whose paths lead nowhere but to this site. @returns One that throws a `TypeError` for anything else. */
export const ownPath =
  (option: string, pathOf: (payment: Payment) => string) =>
  (payment: Payment): string => {
    const about = `for payment ${JSON.stringify(payment.reference)}, which is ${payment.state}`
    const must =
      `"${option}" of createTill must return a path of this site that begins with one "/", such as "/orders/7"; ` +
      "till.pay and the till's pages send customers there."
    const sent = payment.state === 'new' ? ' Nothing was sent.' : ''
    let given: unknown
    try {
      given = pathOf(payment)
    } catch (cause) {
      throw new TypeError(`${must} It failed ${about}.${sent} It threw: ${errorText(cause)}`, { cause })
    }
    const path = sameOriginPath(given)
    if (path !== undefined) return path
    const found = typeof given === 'string' ? quote(given) : given instanceof Promise ? 'a promise' : String(given)
    throw new TypeError(`${must} It returned ${found} ${about}.${sent}`)
  }

/** The path of an address, without a slash at its end. */
export const basePath = ({ pathname }: URL): string => pathname.replace(/\/+$/, '')

/** An address below another one. */
export const below = (address: URL, segment: string): string => new URL(`${basePath(address)}/${segment}`, address).href

/** The address of a path of the site that the till's routes are on. */
export const onSite = (address: URL, path: string): string => new URL(path, address).href

/** Reads where the till's routes are. @throws {TypeError} for what no gateway and no customer could be sent to. */
export function readAddress(given: unknown): URL {
  const address = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && isLoopbackHost(address.hostname))
  if (address !== undefined && isSafe && address.search === '' && address.hash === '') return address
  throw new TypeError(
    `createTill: "address" must be the public https address where the till's routes are, ` +
      'such as https://shop.example/payments (http on loopback only). ' +
      `Found: ${errorText(String(JSON.stringify(given)))}.`,
  )
}
