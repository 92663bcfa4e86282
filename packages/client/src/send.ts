/**
 * Sending: once, and a second time only what never started.
 *
 * @module
 */
import type { Connections } from './pool.js'
import { type Transmission, type TransmitInput, transmit } from './transmit.js'

/** What is sent, and over which connections. */
export interface SendInput extends Omit<TransmitInput, 'dispatcher'> {
  readonly connections: Connections
}

/**
 * Sends a request. Where the dispatcher never reported a start, sends it once more on a new connection; nothing else is
 * ever sent twice, and nothing once the client is closed.
 */
export async function send({ connections, ...input }: SendInput): Promise<Transmission> {
  if (connections.isClosed()) return { kind: 'closed' }
  const first = await transmit({ ...input, dispatcher: connections.dispatcher })
  const neverStarted = first.kind === 'failed' && first.phase === 'waiting'
  const mayTryAgain = neverStarted && !input.signal.aborted && !connections.isClosed()
  return mayTryAgain ? connections.afresh(dispatcher => transmit({ ...input, dispatcher })) : first
}
