/**
 * Turns what a test's handler answers into a reply.
 *
 * @module
 */
import type { AcceptedCall } from '../verification/check-request.js'
import type { AnyHandler } from './handlers.js'
import { type ReplyPairs, type ReplyRecord, replyPairs } from './reply-body.js'

/** What a handler answers. */
export type HandlersAnswer = { readonly status: number; readonly pairs: ReplyPairs } | 'hang-up' | undefined

/**
 * Asks the handler of an operation.
 *
 * @returns undefined to leave the request to the gateway, at once where there is no handler.
 */
export function answerByHandler(call: AcceptedCall): Promise<HandlersAnswer> | undefined {
  const handler = call.gateway.handlers.use(call.operation)
  return handler === undefined ? undefined : ask(handler, call)
}

async function ask(handler: AnyHandler, { operation, fields, serialNumber, gateway }: AcceptedCall) {
  const answer = await handler(fields)
  if (answer === undefined || answer === null) return undefined
  if (typeof answer !== 'object') {
    throw new TypeError(
      `The handler of "${operation}" returned a ${typeof answer}; it must return a record, hangUp() or nothing.`,
    )
  }
  if ('hangUp' in answer) return 'hang-up' as const
  const {
    httpStatus = 200,
    extra = {},
    ...record
  } = answer as {
    readonly httpStatus?: number
    readonly extra?: Readonly<Record<string, string>>
  } & ReplyRecord
  const pairs = replyPairs({ serialNumber, ...record }, gateway.settings.profile)
  return { status: httpStatus, pairs: [...pairs, ...Object.entries(extra)] }
}
