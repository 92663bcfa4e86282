/**
 * Publishing on the diagnostics channels, where somebody listens.
 *
 * @module
 */
import type { Channel } from 'node:diagnostics_channel'
import { notify } from '@tillkit/protocol'
import { nodeChannels } from '../config/lazy.js'
import { type AnyGatewayError, isGatewayError } from '../errors/errors.js'
import type { CallResult } from '../reply/conclude.js'
import {
  type AttemptMessage,
  channels,
  type PollMessage,
  type RequestEndMessage,
  type RequestMessage,
} from './channels.js'

/** Where somebody may listen. */
interface Outlet {
  readonly hasSubscribers: boolean
  publish(message: object): void
}

/**
 * The outlet of a channel.
 *
 * Node.js holds a channel weakly while it has no listener. When one is collected, Node.js 20 deletes the entry under its name,
 * which may be a newer channel by then. Later listeners would get another object than the one that the client publishes on.
 * So the client holds every object that the registry ever had, and publishes on each.
 */
function outletOf(name: string): Outlet {
  const held = new Set<Channel>()
  const all = () => held.add(nodeChannels().channel(name))
  return {
    get hasSubscribers() {
      return [...all()].some(each => each.hasSubscribers)
    },
    publish(message) {
      for (const each of [...all()]) each.publish(message)
    },
  }
}

const requestStart = outletOf(channels.requestStart)
const requestError = outletOf(channels.requestError)
const requestEnd = outletOf(channels.requestEnd)
const attemptChannel = outletOf(channels.attempt)
const pollChannel = outletOf(channels.poll)

/** A request that may be announced. */
export interface Announced {
  /** Describes the request; asked only where somebody listens. */
  readonly describe: () => RequestMessage
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Reserves, sends and concludes. It rejects only where nothing was sent. */
  readonly run: () => Promise<CallResult>
}

/** Whether anybody wants to be told of requests. */
export const isListenedTo = (): boolean =>
  requestStart.hasSubscribers || requestError.hasSubscribers || requestEnd.hasSubscribers

/** Whether anybody wants to be told of attempts. */
export const areAttemptsListenedTo = (): boolean => attemptChannel.hasSubscribers

/**
 * Runs a request and tells of its start, its failure if it fails, and its end: one object, filled in as it goes.
 *
 * @throws What `run` rejects with.
 */
export async function announceRequest({ describe, clock, run }: Announced): Promise<CallResult> {
  if (!isListenedTo()) return run()
  const message = describe()
  requestStart.publish(message)
  // A clock that fails here must not hide the outcome.
  const end = (seen: Pick<RequestEndMessage, 'ending' | 'httpStatus'>, error?: AnyGatewayError) =>
    notify(() => {
      Object.assign(message, seen, { duration: clock() - message.startedAt }, error === undefined ? {} : { error })
      if (error !== undefined) requestError.publish(message)
      requestEnd.publish(message)
    })
  try {
    const conclusion = await run()
    const { ending, httpStatus } = conclusion
    end(
      { ending, ...(httpStatus === undefined ? {} : { httpStatus }) },
      'error' in conclusion ? conclusion.error : undefined,
    )
    return conclusion
  } catch (error) {
    end({ ending: 'not-sent' }, isGatewayError(error) ? error : undefined)
    throw error
  }
}

/** Tells of an attempt that was reserved, or has ended. `describe` is asked only where somebody listens. */
export function announceAttempt(describe: () => AttemptMessage): void {
  if (attemptChannel.hasSubscribers) attemptChannel.publish(describe())
}

/** Tells that status was asked while waiting for an outcome. `describe` is asked only where somebody listens. */
export function announcePoll(describe: () => PollMessage): void {
  if (pollChannel.hasSubscribers) pollChannel.publish(describe())
}
