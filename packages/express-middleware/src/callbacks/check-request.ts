import type { WireProfile } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import { CallbackUnsettledError } from '../config/errors.js'
import { checkProfile } from '../config/options.js'
import { atEndOfTurn, systemWait, withDeadline } from '../config/time.js'
import { type AnyRequest, readParameters } from '../http/parameters.js'
import { type CallbackVerdict, checkCallbackFor, type UnverifiedIds } from './check.js'

type KeyLookup = (ids: UnverifiedIds) => ControlKeys | undefined | Promise<ControlKeys | undefined>

/** How {@link checkCallbackRequest} checks. */
export interface CheckCallbackRequestOptions {
  /**
   * Merchant control key, or several while one is being replaced, or a function: what it is given is not verified yet, so look
   * keys up by it and do nothing else. Undefined refuses the callback.
   */
  readonly controlKeys: ControlKeys | KeyLookup
  /** The form as a body parser of the framework left it, if one ran. Default: `request.body` of Node.js. */
  readonly body?: unknown
  /** Most bytes of a query or a form body. Default: 65536. */
  readonly maxBodyBytes?: number | undefined
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile | undefined
}

/**
 * Checks whether a request is a callback that the gateway has signed: GET with a query or POST with a form. Answer what is
 * not verified with 403 and nothing else; the explanation is for your log.
 *
 * A verified callback is a hint: ask status before you deliver anything. `callbackReceiver` does.
 *
 * @throws {@link BodyConsumedError} when another middleware has read the body and `body` was not handed in.
 * @throws {@link InvalidKeyError} when your own control keys are missing or empty.
 * @throws {TypeError} when the profile leaves out the status or an order id: `signed` would hold what is not signed.
 * @throws {@link CallbackUnsettledError} when looking them up takes longer than five seconds.
 */
export async function checkCallbackRequest(
  request: AnyRequest,
  { controlKeys, body, maxBodyBytes, profile }: CheckCallbackRequestOptions,
): Promise<CallbackVerdict> {
  checkProfile(profile, 'callbackItems')
  const read = await readParameters(request, { maxBytes: maxBodyBytes, body })
  await atEndOfTurn()
  if (read.kind === 'refused') return read
  const find = typeof controlKeys === 'function' ? holderBy(controlKeys) : () => ({ controlKeys })
  const verdict = await checkCallbackFor({ parameters: read.parameters, profile, find })
  return verdict.kind === 'refused' ? verdict : { kind: 'verified', callback: verdict.callback }
}

/** Longest time that looking up keys may take, in milliseconds: a request must not hang on a database that never answers. */
const longestLookup = 5_000

const holderBy = (lookUp: KeyLookup) => async (ids: UnverifiedIds) => {
  const late = () => {
    throw new CallbackUnsettledError(`Option "controlKeys" found no keys within ${longestLookup} ms.`)
  }
  const looking = Promise.resolve(lookUp(ids))
  const controlKeys = await withDeadline(looking, { milliseconds: longestLookup, wait: systemWait, late })
  return controlKeys === undefined ? undefined : { controlKeys }
}
