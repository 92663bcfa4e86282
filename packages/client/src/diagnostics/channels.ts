/**
 * Diagnostics channels: what every client of a process tells whoever subscribes, without being handed to any of them.
 *
 * Nothing is computed for a channel without subscribers. Messages hold no key, signature or card data.
 *
 * @module
 */
import type { ChannelListener } from 'node:diagnostics_channel'
import type {
  AskedSettlement,
  Attempt,
  AttemptEnd,
  AwaitedOutcome,
  Effect,
  FinalOutcome,
  ResolvedSigning,
  StageName,
} from '@tillkit/protocol'
import { nodeChannels } from '../config/lazy.js'
import type { AnyGatewayError } from '../errors/errors.js'
import type { Ending } from './observer.js'

/** Names of the channels, for `subscribe` of `node:diagnostics_channel` or {@link onChannel}. */
export const channels = Object.freeze({
  /** A request is about to be reserved and sent. */
  requestStart: 'tillkit:request:start',
  /** A request failed; `requestEnd` follows. */
  requestError: 'tillkit:request:error',
  /** A request is over, well or not. */
  requestEnd: 'tillkit:request:end',
  /** An attempt at an operation that creates or changes was reserved, or ended. */
  attempt: 'tillkit:attempt',
  /** Status was asked while waiting for an outcome. */
  poll: 'tillkit:poll',
})

/**
 * One request. The three request channels publish the same object, so a `WeakMap` can keep what belongs to it.
 *
 * Every value is one of few, so that it may be a label of a metric: no ids, no amounts.
 */
export interface RequestMessage {
  /** Name of the operation, e.g. `capture`. */
  readonly operation: string
  readonly effect: Effect
  readonly scheme: ResolvedSigning['scheme']
  /** Path with a placeholder for the endpoint, e.g. `/paynet/api/v2/sale/{endpointId}`. */
  readonly path: string
  /** Host of the base address. */
  readonly serverAddress: string
  readonly serverPort: number
  /** Milliseconds since the epoch, by the client's clock. */
  readonly startedAt: number
}

/** One request that is over. */
export interface RequestEndMessage extends RequestMessage {
  readonly ending: Ending
  /** Absent when no answer began. */
  readonly httpStatus?: number
  /** Milliseconds, by the client's clock, from before it was reserved until its ending was noted. */
  readonly duration: number
  /** What the call throws, redacted. Unlike the rest it names the order. */
  readonly error?: AnyGatewayError
}

/** One request that failed. */
export interface RequestErrorMessage extends RequestEndMessage {
  readonly error: AnyGatewayError
}

/** An attempt, once when it was reserved and once when it ended. It carries ids, so it is nothing for metrics. */
export interface AttemptMessage {
  readonly attempt: Attempt
  /** Absent while the attempt is open. */
  readonly end?: AttemptEnd
}

/** One question for status while waiting for an outcome. It names no order. */
export interface PollMessage {
  /** The stages one of which is waited for. */
  readonly stages: readonly StageName[]
  /** How many times this wait has asked, this one included. */
  readonly count: number
  /** Whether status settled it, or why not. */
  readonly answer: 'settled' | Exclude<AskedSettlement['kind'], FinalOutcome>
  /** How the wait ended; absent while it goes on. */
  readonly outcome?: AwaitedOutcome['kind']
  /** Milliseconds until status is asked again at the latest; absent when it will not be. */
  readonly nextIn?: number
}

/** What each channel publishes. */
export interface ChannelMessages {
  readonly 'tillkit:request:start': RequestMessage
  readonly 'tillkit:request:error': RequestErrorMessage
  readonly 'tillkit:request:end': RequestEndMessage
  readonly 'tillkit:attempt': AttemptMessage
  readonly 'tillkit:poll': PollMessage
}

/**
 * Subscribes to a channel, with the type of its messages.
 *
 * A listener runs within the call it tells of. Node.js turns what it throws into an uncaught exception.
 *
 * @example
 * ```ts
 * const stop = onChannel(channels.requestEnd, ({ operation, ending, duration }) => histogram.record(duration, { operation, ending }))
 * ```
 *
 * @returns Ends the subscription.
 */
export function onChannel<Name extends keyof ChannelMessages>(
  name: Name,
  listener: (message: ChannelMessages[Name]) => void,
): () => void {
  // The name decides what is published; Node.js does not know that.
  const untyped: ChannelListener = message => listener(message as ChannelMessages[Name])
  // Not by name at the end: the registry may have another object under it by then, see announce.ts.
  const channel = nodeChannels().channel(name)
  channel.subscribe(untyped)
  return () => void channel.unsubscribe(untyped)
}
