/**
 * Sending: once, and a second time only what never started.
 *
 * @module
 */
import { type Transmission, type TransmitInput, transmit } from './transmit.js'

/** What is sent, and over which connections. */
export interface SendInput extends TransmitInput {
  /** Whether it gets a connection of its own from the start. */
  readonly freshConnection: boolean
}

/** Sends a request for the first time; nothing once the client is closed. */
export function send(input: SendInput): Promise<Transmission> {
  const { connections, freshConnection } = input
  if (connections.isClosed()) return Promise.resolve({ kind: 'closed' })
  return freshConnection ? sendAfresh(input) : transmit(input, { dispatcher: connections.dispatcher, reset: false })
}

/** Whether the dispatcher never reported a start: only then is anything sent a second time. */
export function mayBeSentAgain(first: Transmission, { connections, deadline }: SendInput): boolean {
  const neverStarted = first.kind === 'failed' && first.phase === 'waiting'
  return neverStarted && !deadline.isOver() && !connections.isClosed()
}

/** Sends a request on a connection that no request has used, where that is ours to decide. */
export function sendAfresh(input: SendInput): Promise<Transmission> {
  const { connections, freshConnection } = input
  return connections.afresh(dispatcher => transmit(input, { dispatcher, reset: freshConnection && !connections.isOwn }))
}
