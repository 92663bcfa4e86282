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
 * ever sent twice.
 */
export async function send({ connections, ...input }: SendInput): Promise<Transmission> {
  const first = await transmit({ ...input, dispatcher: connections.dispatcher })
  const mayTryAgain = first.kind === 'failed' && first.phase === 'waiting' && !input.signal.aborted
  return mayTryAgain ? connections.afresh(dispatcher => transmit({ ...input, dispatcher })) : first
}
