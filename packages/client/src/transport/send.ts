import { RequestTry } from './request-try.js'
import type { Transmission, TransmitInput, TransmitOver } from './types.js'

/** What is sent, and over which connections. */
export interface SendInput extends TransmitInput {
  /** Whether it gets a connection of its own from the start. */
  readonly freshConnection: boolean
}

/** Sends a request: once, and a second time only what the dispatcher never started; nothing once the client is closed. */
export async function send(input: SendInput): Promise<Transmission> {
  const { connections, deadline, freshConnection } = input
  if (connections.isClosed()) return { kind: 'closed' }
  const over = { dispatcher: connections.dispatcher, reset: false }
  const first = await (freshConnection ? sendAfresh(input) : transmit(input, over))
  const neverStarted = first.kind === 'failed' && first.phase === 'waiting'
  return neverStarted && !deadline.isOver() && !connections.isClosed() ? sendAfresh(input) : first
}

/** Sends a request on a connection that no request has used, where that is ours to decide. */
function sendAfresh(input: SendInput): Promise<Transmission> {
  const { connections, freshConnection } = input
  return connections.afresh(dispatcher => transmit(input, { dispatcher, reset: freshConnection && !connections.isOwn }))
}

/**
 * Sends a request once. Never rejects.
 *
 * The phase comes from the dispatcher's own reports, never from error codes: a request is `waiting` only as long as a
 * dispatcher that reports each start has not said that it starts. A start that comes after the try is over, or a second one, is aborted before
 * undici writes a byte of it.
 */
function transmit(input: TransmitInput, over: TransmitOver): Promise<Transmission> {
  return new Promise(resolve => new RequestTry(input, resolve).start(over))
}
