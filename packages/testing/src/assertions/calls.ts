/**
 * Checks of what a gateway was asked.
 *
 * @module
 */

import type { FakeGateway } from '../fake/fake-gateway.js'
import type { Call } from '../log/call-log.js'
import { couldBe } from '../log/masked-value.js'
import { asText, type Check, checkNames } from './check.js'
import { describeCalls } from './describe-calls.js'

/** The calls to look for. */
export interface ExpectedCalls {
  /** How many there are. Default: at least one. */
  readonly times?: number
  /** Default: either. */
  readonly verdict?: Call['verdict']
  /**
   * Fields of the request, in camel case or by wire name, as they were sent. A card number is compared by its first six and
   * last four digits; what the log does not keep, such as a CVV, cannot be asked for.
   */
  readonly fields?: Readonly<Record<string, string>>
}

/** Whether a gateway was asked for an operation. */
export function checkReceived(
  gateway: Pick<FakeGateway, 'calls'>,
  { operation, expected = {} }: { readonly operation: string; readonly expected?: ExpectedCalls | undefined },
): Check {
  checkNames(expected, { of: 'A call', known: ['times', 'verdict', 'fields'] })
  const { times, verdict, fields = {} } = expected
  const all = gateway.calls(operation)
  const found = all.filter(call => (verdict === undefined || call.verdict === verdict) && hasSent(call, fields))
  const what = `"${operation}"${Object.keys(expected).length === 0 ? '' : ` with ${asText(expected)}`}`
  const log = `\n\n${describeCalls(gateway.calls())}`
  return {
    pass: times === undefined ? found.length > 0 : found.length === times,
    message: `The gateway was asked for ${what} ${often(found.length)}.${log}`,
    negated: `The gateway was asked for ${what}, and was not to be.${log}`,
  }
}

const often = (times: number): string => (times === 0 ? 'never' : times === 1 ? 'once' : `${times} times`)

function hasSent({ fields }: Call, expected: Readonly<Record<string, string>>): boolean {
  return Object.entries(expected).every(([name, value]) => {
    const sent = fields.find(([wireName]) => bare(wireName) === bare(name))?.[1]
    if (sent !== undefined && /^<.*>$/s.test(sent) && sent !== value) {
      throw new TypeError(`"${name}" is not kept in the call log (it shows ${sent}), so it cannot be compared.`)
    }
    return sent !== undefined && couldBe(sent, value)
  })
}

/** `clientOrderId`, `client_orderid` and `client-order-id` are one name. */
const bare = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()

/** Whether no request was refused. */
export function checkRefusedNothing(gateway: Pick<FakeGateway, 'calls'>): Check {
  const refused = gateway.calls().filter(({ verdict }) => verdict === 'refused')
  return {
    pass: refused.length === 0,
    message: `The gateway refused ${refused.length} request(s).\n\n${describeCalls(refused)}`,
    negated: `The gateway refused nothing, and was to refuse something.\n\n${describeCalls(gateway.calls())}`,
  }
}
