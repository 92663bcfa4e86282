/**
 * Checks of what callbacks are received with.
 *
 * @module
 */
import { checkSchedule } from '@tillkit/protocol'
import {
  checkCall,
  checkControlKeys,
  checkFunction,
  checkOptionalCount,
  checkOptionalFunction,
  checkOptionalProfile,
  type OptionNames,
} from '../config/options.js'
import type { CallbackReceiverOptions } from './receiver.js'
import type { CallbackMerchant } from './settle.js'

const optionNames: OptionNames<CallbackReceiverOptions> = {
  merchant: true,
  order: true,
  onOutcome: true,
  inbox: true,
  acknowledge: true,
  budget: true,
  lease: true,
  interval: true,
  concurrency: true,
  retry: true,
  onReport: true,
  onRejected: true,
  maxBodyBytes: true,
  profile: true,
  clock: true,
  wait: true,
}

/** @throws {TypeError} naming the option that is wrong. */
export function checkReceiverOptions<Context>(factory: string, options: CallbackReceiverOptions<Context>): void {
  checkCall(factory, options, optionNames)
  if (typeof options.merchant !== 'function') checkMerchant(options.merchant)
  checkFunction('order', options.order)
  checkFunction('onOutcome', options.onOutcome)
  checkInbox(options)
  checkOptionalCount('budget', options.budget)
  checkOptionalCount('lease', options.lease)
  checkOptionalCount('interval', options.interval, 0)
  checkOptionalCount('concurrency', options.concurrency)
  if (options.retry !== undefined) checkSchedule(options.retry)
  checkOptionalFunction('onReport', options.onReport)
  checkOptionalFunction('onRejected', options.onRejected)
  checkOptionalCount('maxBodyBytes', options.maxBodyBytes)
  checkOptionalProfile(options.profile, 'callbackItems')
  checkOptionalFunction('clock', options.clock)
  checkOptionalFunction('wait', options.wait)
}

function checkMerchant(merchant: CallbackMerchant): void {
  if (typeof merchant?.login !== 'string' || merchant.login === '') {
    throw new TypeError('Option "merchant" must be { login, controlKeys, client } or a function. "login" is missing.')
  }
  if (merchant.controlKeys === undefined && 'controlKey' in merchant) {
    throw new TypeError('"merchant" has a "controlKey". Write "controlKeys": it takes one key, or several.')
  }
  checkControlKeys(merchant.controlKeys)
  if (typeof merchant.client?.status === 'function') return
  throw new TypeError('"merchant.client" must have a method "status", as createClient of @tillkit/client makes it.')
}

const inboxMethods = ['put', 'claim', 'complete', 'release', 'waiting'] as const

function checkInbox({
  inbox,
  acknowledge = 'after-handler',
}: Pick<CallbackReceiverOptions, 'inbox' | 'acknowledge'>): void {
  const missing = inboxMethods.find(method => typeof inbox?.[method] !== 'function')
  if (missing !== undefined) {
    throw new TypeError(`Option "inbox" has no method "${missing}". Use memoryInbox(), or an inbox in your database.`)
  }
  if (acknowledge !== 'after-handler' && acknowledge !== 'after-stored') {
    throw new TypeError('Option "acknowledge" must be "after-handler" or "after-stored".')
  }
  if (acknowledge === 'after-handler' || inbox.durable === true) return
  throw new TypeError(
    'Option "acknowledge" is "after-stored", and the inbox is not durable: what it stored would be lost when the process ' +
      'stops, and the gateway would not send it again. Use an inbox in your database, or "after-handler".',
  )
}
