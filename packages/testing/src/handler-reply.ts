/**
 * Turns what a test's handler answers into a reply.
 *
 * @module
 */
import type { AcceptedCall } from './check-request.js'
import { type ReplyPairs, type ReplyRecord, replyPairs } from './reply-body.js'

/** Asks the handler of an operation, if there is one. @returns undefined to leave the request to the gateway. */
export async function answerByHandler({
  operation,
  fields,
  serialNumber,
  gateway,
}: AcceptedCall): Promise<{ readonly status: number; readonly pairs: ReplyPairs } | 'hang-up' | undefined> {
  const answer = await gateway.handlers.use(operation)?.(fields)
  if (answer === undefined || answer === null) return undefined
  if (typeof answer !== 'object') {
    throw new TypeError(
      `The handler of "${operation}" returned a ${typeof answer}; it must return a record, hangUp() or nothing.`,
    )
  }
  if ('hangUp' in answer) return 'hang-up'
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
