import type { AwaitedOutcome, OutcomeQuestion, WaitState } from '@tillkit/protocol'
import type { Client } from '../../src/index.js'

/** A table of yours: a key, such as order id and serial number, and what is waited for as JSON. */
export interface Waits {
  all(): Promise<Iterable<readonly [key: string, wait: OutcomeQuestion | WaitState]>>
  save(key: string, wait: OutcomeQuestion | WaitState): Promise<void>
  remove(key: string): Promise<void>
}

export interface WaitingJobOptions {
  readonly client: Client
  readonly waits: Waits
  /** Told of every outcome, and once more where the process stops before `remove`. */
  readonly onOutcome: (ended: AwaitedOutcome) => Promise<void>
  readonly onFailed: (error: unknown) => void
}

export function waitingJob({ client, waits, onOutcome, onFailed }: WaitingJobOptions) {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()

  async function follow(key: string, from: OutcomeQuestion | WaitState): Promise<void> {
    for await (const { wait, outcome } of client.watchOutcome(from, { signal: stopping.signal })) {
      await waits.save(key, wait)
      if (outcome === undefined || outcome.kind === 'still-unknown') continue
      if (outcome.kind === 'needs-customer') return follow(key, wait) // threeDSecure leads the customer meanwhile
      await onOutcome(outcome)
      await waits.remove(key)
    }
  }
  const start = (key: string, from: OutcomeQuestion | WaitState): void => {
    if (running.has(key)) return
    const run = follow(key, from).catch(onFailed)
    running.set(key, run)
    void run.then(() => running.delete(key))
  }

  return {
    /** Begins: with `outcomeOf('sale', { request, reply })`, once the request was accepted. */
    async wait(key: string, question: OutcomeQuestion): Promise<void> {
      await waits.save(key, question)
      start(key, question)
    },
    /** Goes on with what nobody waits for here. Call it at the start, and every hour: by then a wait has ended unknown. */
    async resume(): Promise<void> {
      for (const [key, wait] of await waits.all()) start(key, wait)
    },
    /** Call it before the process stops. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
