import { type CallResult, clientClosed } from '../reply/conclude.js'
import { signRequest } from '../request/sign-request.js'
import { wireRequest } from '../request/wire-request.js'
import { type CallContext, exchange } from './exchange.js'

/** The longest wait before the first repetition, in milliseconds. It doubles with each. */
const firstWait = 250

/** The longest wait before any repetition, in milliseconds. */
const longestWait = 8_000

/**
 * Sends a request that only reads, and again while its answer does not come, is HTTP 5xx or cannot be read; never after a
 * refusal. Each try is signed anew.
 *
 * @returns How the last try ended.
 * @throws An {@link AnyGatewayError} where nothing was sent.
 */
export async function read(prepared: CallContext): Promise<CallResult> {
  const { options, settings, connections, deadline } = prepared
  for (let tries = 0; ; tries += 1) {
    const conclusion = await askOnce(prepared)
    const isLast = tries >= options.retries || deadline.isOver() || connections.isClosed()
    if (isLast || !mayBeRepeated(conclusion)) return conclusion
    // Up to the limit and evenly spread: many clients that failed together do not come back together.
    await settings.wait(
      Math.floor(settings.random() * Math.min(longestWait, firstWait * 2 ** tries)),
      deadline.signal(),
    )
    if (deadline.isOver() || connections.isClosed()) return conclusion
  }
}

async function askOnce(prepared: CallContext): Promise<CallResult> {
  const { subject, built, settings, connections } = prepared
  const authenticated = await signRequest(prepared)
  const wire = wireRequest({ subject, address: built.address, authenticated })
  if (connections.isClosed()) throw clientClosed(subject)
  return exchange(prepared, { startedAt: settings.clock(), authenticated, wire, attempt: undefined })
}

const mayBeRepeated = ({ ending }: CallResult): boolean => ending === 'no-answer' || ending === 'not-sent'
