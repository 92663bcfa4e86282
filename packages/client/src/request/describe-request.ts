import { type Attempt, recipientOf, type StageName } from '@tillkit/protocol'
import { lazy } from '../config/lazy.js'
import type { RequestDescription } from '../errors/errors.js'
import { recordOf, requestFingerprint, textOf } from './form.js'
import type { CallContext, CheckedCall } from './types.js'

/** Describes a request. */
export function describeRequest({ subject, built, request, options, settings }: CheckedCall): RequestDescription {
  const { row, name, clientOrderId, orderId } = subject
  const { endpoint, attemptId, person } = options
  const { values } = request
  // With several amounts to try, none of them is the one that is waited for.
  const amount = textOf(values, 'enumerateAmounts') === undefined ? textOf(values, 'amount') : undefined
  const currency = textOf(values, 'currency')
  // Every description has these fields and may have those below. A store in memory keeps many of them, and one copied from a literal
  // of all would be twice as large.
  const described: { -readonly [Field in keyof RequestDescription]: RequestDescription[Field] } = {
    attemptId: attemptId ?? settings.attemptId(),
    operation: name,
    effect: row.effect === 'creates' ? 'creates' : 'changes',
    stages: row.stages,
    login: settings.login,
    baseUrl: settings.baseUrl.address,
    fingerprint: requestFingerprint(built, settings),
  }
  described[endpoint.isGroup ? 'endpointGroupId' : 'endpointId'] = endpoint.id
  if (clientOrderId !== undefined) described.clientOrderId = clientOrderId
  if (orderId !== undefined) described.orderId = orderId
  if (amount !== undefined) described.amount = amount
  if (currency !== undefined) described.currency = currency
  const recipient = row.stages.some(isPayout) ? recipientOf(recordOf(values)) : undefined
  if (recipient !== undefined) described.recipient = recipient
  if (person !== undefined) described.person = person
  return described
}

const isPayout = (stage: StageName): boolean => stage === 'payout' || stage === 'payout-check'

/**
 * The attempt of a request that creates or changes, worked out when it is asked for: few calls show theirs.
 *
 * @param reservedAt Milliseconds since the epoch.
 * @returns undefined for a request that reads, which is no attempt.
 */
export function attemptOf(context: CallContext, reservedAt: number): (() => Attempt) | undefined {
  if (context.subject.row.effect === 'reads') return undefined
  return lazy(() => context.kept ?? Object.freeze({ ...describeRequest(context), reservedAt }))
}
