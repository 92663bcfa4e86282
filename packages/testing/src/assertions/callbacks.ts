/**
 * Checks of what a gateway told the merchant.
 *
 * @module
 */

import type { FakeGateway } from '../fake/fake-gateway.js'
import { asText, type Check, checkNames } from './check.js'
import { describeCallbacks } from './describe-gateway.js'

/** The callbacks to look for. */
export interface ExpectedCallbacks {
  /** The word of status they told. Default: any. */
  readonly status?: string
  /** How many were taken. Default: at least one. */
  readonly times?: number
}

/** Whether the merchant took callbacks about an order, that is, answered HTTP 200. */
export function checkCalledBack(
  gateway: Pick<FakeGateway, 'callbacks' | 'orders'>,
  { id, expected = {} }: { readonly id: string; readonly expected?: ExpectedCallbacks | undefined },
): Check {
  checkNames(expected, { of: 'A callback', known: ['status', 'times'] })
  const { status, times } = expected
  const orderId = gateway.orders.find(id)?.orderId
  const taken = gateway.callbacks
    .list()
    .filter(each => each.orderId === orderId && each.httpStatus === 200)
    .filter(each => status === undefined || each.status === status)
  const what = `about "${id}"${Object.keys(expected).length === 0 ? '' : ` with ${asText(expected)}`}`
  const shown = `\n\n${describeCallbacks(gateway)}`
  return {
    pass: times === undefined ? taken.length > 0 : taken.length === times,
    message: `${taken.length} callback(s) ${what} were taken with HTTP 200. Await gateway.callbacks.idle() first.${shown}`,
    negated: `A callback ${what} was taken, and was not to be sent.${shown}`,
  }
}
