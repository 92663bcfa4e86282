/**
 * Sending: once, and a second time only what never started.
 *
 * @module
 */
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
export async function send({ connections, freshConnection, ...input }: SendInput): Promise<Transmission> {
  if (connections.isClosed()) return { kind: 'closed' }
  const { isOwn } = connections
  const afresh = () =>
    connections.afresh(dispatcher => transmit({ ...input, dispatcher, isOwn, reset: freshConnection && !isOwn }))
  const first = freshConnection
    ? await afresh()
    : await transmit({ ...input, dispatcher: connections.dispatcher, isOwn })
  const neverStarted = first.kind === 'failed' && first.phase === 'waiting'
  const mayTryAgain = neverStarted && !input.deadline.isOver() && !connections.isClosed()
  return mayTryAgain ? afresh() : first
}
