import type { TillOptions } from '../payment/options.js'
import { openTill } from './open-till.js'
import type { Till } from './till.js'

/**
 * Makes a till: takes payments through the gateway, and tells you of each outcome once.
 *
 * @example
 * ```ts
 * const till = createTill({
 *   account: { baseUrl, endpointId, login, controlKey },
 *   store: sqliteStore('shop.db'),
 *   address: 'https://shop.example/payments',
 *   returnTo: ({ reference }) => `/orders/${reference}`,
 *   onOutcome: async ({ payment: { reference, state } }, { transaction }) => {
 *     await transaction.run`update orders set state = ${state} where id = ${reference}`
 *   },
 * })
 * app.use('/payments', till.express())
 * await till.start()
 * ```
 *
 * @throws {TypeError} when an option is wrong.
 */
export const createTill = <Transaction = never>(options: TillOptions<Transaction>): Till => openTill(options)
