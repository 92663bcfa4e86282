/**
 * Resolving: asks status what became of an attempt, and says what follows from the answer, and no more.
 *
 * @module
 */
import { type AttemptEnd, operations, type RememberedAttempt } from '@tillkit/protocol'
import { readCallOptions } from '../../call/call-options.js'
import type { CallOptions } from '../../config/options.js'
import type { Settings } from '../../config/settings.js'
import { noteEnd } from '../attempt-steps.js'
import type { AskStatus } from '../baseline.js'
import { checkedAttempt, checkOwner, readResolveOptions } from './check-attempt.js'
import type { Resolution, ResolveOptions } from './resolution.js'
import { resolveChange } from './resolve-change.js'
import { resolveCreation } from './resolve-creation.js'

/** What resolving needs of its client. */
export interface ResolveInput {
  readonly options: ResolveOptions
  readonly settings: Settings
  readonly askStatus: AskStatus
}

/**
 * Asks what became of an attempt, and tells the attempts port once that is known.
 *
 * @throws {@link InvalidRequestError} when what is handed over is no attempt of this client's, or an option is wrong.
 */
export async function resolveAttempt(
  given: RememberedAttempt,
  { options, settings: ours, askStatus }: ResolveInput,
): Promise<Resolution> {
  const attempt = checkedAttempt(given)
  const times = readResolveOptions(options, attempt)
  const { clientOrderId, orderId } = attempt
  const { position, connectionClosed, quietPeriod: _quiet, apart: _apart, ...rest } = options
  const callOptions = { ...rest, ...endpointOf(attempt) }
  const subject = { name: 'status', row: operations.status, clientOrderId, orderId }
  const { settings } = readCallOptions(callOptions, { subject, settings: ours })
  checkOwner(attempt, settings)
  if (clientOrderId === undefined || !isShownByStatus(attempt, settings)) return notShownByStatus(attempt)
  const input = { attempt, clientOrderId, callOptions, settings, askStatus }
  const resolution =
    attempt.effect === 'creates'
      ? await resolveCreation(input, { ...times, position, connectionClosed })
      : await resolveChange(input)
  const end = endAfter(resolution, { attempt, at: settings.clock() })
  if (end !== undefined) await noteEnd(() => attempt, { end: () => end, settings })
  // An answer that says nothing does not undo what was learned before.
  const isSilent = resolution.resolution === 'cannot-tell-yet' && position !== undefined
  return isSilent ? { position, ...resolution } : resolution
}

const endpointOf = ({ endpointId, endpointGroupId }: RememberedAttempt): CallOptions =>
  endpointGroupId === undefined ? { endpointId } : { endpointGroupId }

function isShownByStatus({ operation, stages }: RememberedAttempt, { profile }: Settings): boolean {
  return stages.length > 0 || (operation === 'createRecurringPayment' && profile.statusFindsRecurringPayments.value)
}

/** What is left to do where status does not show an operation. It is not even asked. */
function notShownByStatus({ operation }: RememberedAttempt): Resolution {
  const advice = operation.startsWith('createCardRef')
    ? 'It moves no money and made at most a card reference that nobody knows: send it again if you need one.'
    : operation.startsWith('upload')
      ? 'It moves no money by itself: wait for the outcome of the order; only while status still shows the same 3DS step was it not taken.'
      : 'A person must look it up at the gateway, and close the attempt.'
  return {
    resolution: 'cannot-tell-yet',
    reason: 'no-status',
    explanation: `Status does not show what a ${operation} request did. ${advice}`,
    evidence: {},
    needsPerson: true,
  }
}

/** What the port is told, if anything. */
function endAfter(
  resolution: Resolution,
  { attempt, at }: { readonly attempt: RememberedAttempt; readonly at: number },
): AttemptEnd | undefined {
  if (resolution.resolution === 'cannot-tell-yet' || attempt.end?.ending === 'accepted') return undefined
  if (resolution.resolution === 'no-trace') return { ending: 'no-trace', basis: 'status', at }
  const { orderId } = resolution.order
  const serialNumber = attempt.end?.serialNumber
  return {
    ending: 'accepted',
    basis: 'status',
    ...(orderId === undefined ? {} : { orderId }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    at,
  }
}
