/**
 * The matchers, and their types for vitest. Nothing of vitest is loaded.
 *
 * @example
 * ```ts
 * import { gatewayMatchers } from '@tillkit/testing/vitest'
 *
 * expect.extend(gatewayMatchers)
 * ```
 *
 * @module
 */
import type {} from 'vitest'
import type { GatewayMatchers } from './assertions/gateway-assertions.js'

export { gatewayMatchers } from './assertions/gateway-assertions.js'

declare module 'vitest' {
  interface Matchers<T> extends GatewayMatchers {}
}
