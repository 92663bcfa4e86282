/**
 * Sending: once, and a second time only what never started.
 *
 * @module
 */
import type { RequestDispatcher } from './options.js'
import type { Connections } from './pool.js'
import { type Transmission, type TransmitInput, transmit } from './transmit.js'

/** What is sent, and over which connections. */
export interface SendInput extends Omit<TransmitInput, 'dispatcher' | 'reset' | 'isOwn'> {
  readonly connections: Connections
  /** Whether it gets a connection of its own from the start. */
  readonly freshConnection: boolean
}

/**
 * Sends a request. Where the dispatcher never reported a start, sends it once more on a new connection; nothing else is
 * ever sent twice, and nothing once the client is closed.
 */
export async function send(input: SendInput): Promise<Transmission> {
  const { request, connections, freshConnection, maxReplyBytes, deadline } = input
  if (connections.isClosed()) return { kind: 'closed' }
  const { isOwn, dispatcher: usual } = connections
  const over = (dispatcher: RequestDispatcher, reset: boolean) =>
    transmit({ request, dispatcher, maxReplyBytes, deadline, reset, isOwn })
  const afresh = () => connections.afresh(dispatcher => over(dispatcher, freshConnection && !isOwn))
  const first = freshConnection ? await afresh() : await over(usual, false)
  const neverStarted = first.kind === 'failed' && first.phase === 'waiting'
  const mayTryAgain = neverStarted && !deadline.isOver() && !connections.isClosed()
  return mayTryAgain ? afresh() : first
}
