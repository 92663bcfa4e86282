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
export async function send(input: SendInput): Promise<Transmission> {
  const { connections, freshConnection, deadline } = input
  if (connections.isClosed()) return { kind: 'closed' }
  const first = await (freshConnection
    ? sendAfresh(input)
    : sendOver(input, { dispatcher: connections.dispatcher, reset: false }))
  const neverStarted = first.kind === 'failed' && first.phase === 'waiting'
  const mayTryAgain = neverStarted && !deadline.isOver() && !connections.isClosed()
  return mayTryAgain ? sendAfresh(input) : first
}

function sendAfresh(input: SendInput): Promise<Transmission> {
  const { connections, freshConnection } = input
  return connections.afresh(dispatcher => sendOver(input, { dispatcher, reset: freshConnection && !connections.isOwn }))
}

function sendOver(input: SendInput, { dispatcher, reset }: Pick<TransmitInput, 'dispatcher' | 'reset'>) {
  const { request, connections, maxReplyBytes, deadline } = input
  return transmit({ request, dispatcher, maxReplyBytes, deadline, reset, isOwn: connections.isOwn })
}
