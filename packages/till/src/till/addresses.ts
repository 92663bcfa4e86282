import { sameOriginPath } from '@tillkit/express-middleware/core'
import { isLoopbackHost, type Payment } from '@tillkit/protocol'

/** Makes a function whose paths lead nowhere but to this site. */
export const ownPath =
  (option: string, pathOf: (payment: Payment) => string) =>
  (payment: Payment): string => {
    const path = sameOriginPath(pathOf(payment))
    if (path !== undefined) return path
    throw new TypeError(
      `createTill: "${option}" must return a path of this site, starting with one "/". It returned something else for payment ${JSON.stringify(payment.reference)}.`,
    )
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
    `createTill: "address" must be the public https address where the till's routes are, such as https://shop.example/payments (http on loopback only). Found: ${JSON.stringify(given)}.`,
  )
}
