/**
 * The matchers, and their types for jest: for `expect` of `@jest/globals`, and for the global one of `@types/jest`. Nothing
 * of jest is loaded.
 *
 * @example
 * ```ts
 * import { gatewayMatchers } from '@tillkit/testing/jest'
 *
 * expect.extend(gatewayMatchers)
 * ```
 *
 * @module
 */
import type {} from 'expect'
import type { GatewayMatchers } from './assertions/gateway-assertions.js'

export { gatewayMatchers } from './assertions/gateway-assertions.js'

declare module 'expect' {
  interface Matchers<R> extends GatewayMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R> extends GatewayMatchers<R> {}
  }
}
