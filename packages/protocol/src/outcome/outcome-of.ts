/**
 * From an accepted request to the question how it ended.
 *
 * Pure: the operation's name, what was sent and what came back go in, what `awaitOutcome` takes comes out.
 *
 * @module
 */
import type { RequestOf } from '../operations/operation.js'
import { type OperationName, type Operations, operations } from '../operations/operations.js'
import type { Reply } from '../operations/records/replies.js'
import { emptyOrder } from '../order/order.js'
import type { Expectation } from '../order/settle.js'
import { type AwaitedStage, awaitedStages, mayRepeat } from '../order/stage.js'
import type { OutcomeQuestion } from './wait-state.js'

/** Operations about an order. */
export type OrderOperationName = {
  readonly [Name in OperationName]: RequestOf<Operations[Name]> extends { readonly clientOrderId: string }
    ? Name
    : never
}[OperationName]

/** A request and the reply that accepted it. */
export interface AcceptedRequest<Name extends OrderOperationName> {
  readonly request: RequestOf<Operations[Name]>
  readonly reply: Pick<Reply, 'orderId' | 'serialNumber'>
}

/**
 * The question how an accepted request ended, for `awaitOutcome`.
 *
 * Stages come from the table, ids and serial number from request and reply, the amount from the request. A request about
 * the whole names no amount, and neither does the question: then nothing is compared.
 *
 * @example
 * ```ts
 * const request = { clientOrderId: 'o-1', orderId: '77', amount: '3.00', currency: 'EUR' }
 * const question = outcomeOf('return', { request, reply: { orderId: '77', serialNumber: 'a-1' } })
 * // { order: { clientOrderId: 'o-1', orderId: '77' },
 * //   expected: { stages: ['cancel', 'reversal'], serialNumber: 'a-1', amount: '3.00', currency: 'EUR' } }
 * ```
 *
 * @throws {TypeError} for an operation whose outcome status does not show, without request or reply, and where a capture, a return or a void was
 * answered without a serial number.
 */
export function outcomeOf<Name extends OrderOperationName>(
  name: Name,
  accepted: AcceptedRequest<Name>,
): OutcomeQuestion {
  const stages = stagesOf(name)
  const { request, reply } = checked(name, accepted)
  const given: Given = request
  const { serialNumber } = reply
  const isRepeatable = stages.some(mayRepeat)
  if (isRepeatable && serialNumber === undefined) {
    throw new TypeError(
      `The reply to the ${name} has no "serialNumber", so status cannot tell it from another one. Only if you know that no ` +
        'other was sent: write the question yourself, with "onlyOneOfItsKind".',
    )
  }
  const { stages: _, ...order } = emptyOrder(idsOf(given, reply))
  return { order, expected: { stages, ...(isRepeatable ? { serialNumber } : {}), ...moneyOf(given) } }
}

/** Without types, a reply that nobody waited for has no ids and no serial number, and would be asked about all the same. */
function checked<Accepted extends AcceptedRequest<never>>(name: string, accepted: Accepted): Accepted {
  const { request, reply }: { readonly request?: unknown; readonly reply?: unknown } = accepted ?? {}
  for (const [part, value] of Object.entries({ request, reply })) {
    if (typeof value === 'object' && value !== null && !('then' in value)) continue
    const found = typeof value === 'object' && value !== null ? 'a promise: await the call first' : 'missing'
    throw new TypeError(
      `outcomeOf('${name}', { request, reply }) takes what was sent and what came back; "${part}" is ${found}.`,
    )
  }
  return accepted
}

/** Fields of whatever record it is. */
interface Given {
  readonly clientOrderId?: string
  readonly orderId?: string
  readonly amount?: string
  readonly currency?: string
  readonly enumerateAmounts?: string
}

function stagesOf(name: OperationName): readonly AwaitedStage[] {
  const row = Object.hasOwn(operations, name) ? operations[name] : undefined
  const stages = awaitedStages.filter(stage => row?.stages.includes(stage))
  if (stages.length > 0) return stages
  throw new TypeError(
    `${JSON.stringify(name)} is no operation whose outcome status shows. Such are sale, preauth, capture, return and void.`,
  )
}

function idsOf({ clientOrderId = '', orderId: asked }: Given, { orderId = asked }: Pick<Reply, 'orderId'>) {
  return { clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
}

/** With several amounts to try, none of them is the one that is waited for. */
function moneyOf({ amount, currency, enumerateAmounts }: Given): Pick<Expectation, 'amount' | 'currency'> {
  if (amount === undefined || currency === undefined || enumerateAmounts !== undefined) return {}
  return { amount, currency: currency.trim() }
}
