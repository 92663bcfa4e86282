/**
 * A desk that receives callbacks without Express.
 *
 * @module
 */
import { type CallbackReceiver, type CallbackReceiverOptions, callbackReceiver, type Rejection } from '../src/core.js'
import { callbackDesk, controlKey } from './callback-desk.js'

/** Media type of a form. */
export const formType = 'application/x-www-form-urlencoded'

/** A receiver, and why it refused what it refused. */
export interface AnyDesk {
  readonly receiver: CallbackReceiver<string>
  readonly rejections: readonly Rejection[]
}

/** Opens one. */
export function anyDesk(own: Partial<CallbackReceiverOptions<string>> = {}): AnyDesk {
  const rejections: Rejection[] = []
  const { options, client } = callbackDesk()
  const { interval, clock, wait } = options
  const receiver = callbackReceiver<string>({
    onStatus: () => undefined,
    interval,
    clock,
    wait,
    merchant: { controlKeys: controlKey, client },
    onRejected: each => void rejections.push(each),
    ...own,
  })
  return { receiver, rejections }
}
