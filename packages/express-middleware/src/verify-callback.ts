/**
 * Middleware that lets through verified callbacks only.
 *
 * @module
 */
import type { WireProfile } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Request, RequestHandler } from 'express'
import { checkCallback, type VerifiedCallback } from './callback.js'
import {
  checkCall,
  checkControlKeys,
  checkOptionalCount,
  checkOptionalFunction,
  checkOptionalProfile,
  type OptionNames,
} from './check-options.js'
import { defaultMaxBodyBytes } from './defaults.js'
import { CallbackRejectedError } from './errors.js'
import { readParameters } from './read-parameters.js'
import type { Rejection } from './rejection.js'
import { endUnreadBody } from './unread-body.js'

/** Options of {@link verifyCallback}. */
export interface VerifyCallbackOptions {
  /** Merchant control key, or several while one is being replaced; the callback names the one that matched. */
  readonly controlKeys: ControlKeys
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /** Most bytes of a query or a form body. Default: 65536. */
  readonly maxBodyBytes?: number
  /** Told why a callback was refused, and which request it was. The sender is not told. */
  readonly onRejected?: (rejection: Rejection, request: Request) => void
}

const optionNames: OptionNames<VerifyCallbackOptions> = {
  controlKeys: true,
  profile: true,
  maxBodyBytes: true,
  onRejected: true,
}

/** What {@link verifyCallback} puts into `response.locals`. */
export interface CallbackLocals {
  readonly callback: VerifiedCallback
}

/**
 * Verifies callbacks. What verifies is in `response.locals.callback`, see {@link CallbackLocals}.
 *
 * Takes GET with a query and POST with a form, before or after any body parser. Mount it with `app.all`.
 * A verified callback is a hint: ask status before you deliver anything, its amount is not signed.
 *
 * @example
 * ```ts
 * app.all('/callback', verifyCallback({ controlKeys: 'merchant control key' }), (_request, response) => {
 *   console.log(response.locals.callback.signed.clientOrderId)
 *   response.sendStatus(200)
 * })
 * ```
 *
 * @returns A handler that calls `next` with {@link CallbackRejectedError} (403) or {@link BodyConsumedError} (500).
 * @throws {TypeError} when an option is wrong.
 */
export function verifyCallback(options: VerifyCallbackOptions): RequestHandler {
  checkCall('verifyCallback', options, optionNames)
  const { controlKeys, profile, maxBodyBytes = defaultMaxBodyBytes, onRejected } = options
  checkControlKeys(controlKeys)
  checkOptionalProfile(profile, 'callbackItems')
  checkOptionalCount('maxBodyBytes', maxBodyBytes)
  checkOptionalFunction('onRejected', onRejected)

  return async function verifyCallbackHandler(request, response, next) {
    try {
      const read = await readParameters(request, { maxBytes: maxBodyBytes })
      const verdict = read.read
        ? checkCallback({ parameters: read.parameters, controlKeys, profile })
        : { verified: false as const, reason: read.reason, explanation: read.explanation }
      if (!verdict.verified) {
        endUnreadBody(response, verdict)
        onRejected?.({ reason: verdict.reason, explanation: verdict.explanation }, request)
        return next(new CallbackRejectedError())
      }
      response.locals.callback = verdict.callback
    } catch (error) {
      return next(error)
    }
    next()
  }
}
