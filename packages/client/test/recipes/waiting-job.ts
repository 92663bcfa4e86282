import type { AwaitedOutcome, Client, OutcomePosition, OutcomeQuestion } from '../../src/index.js'

/** A table of yours: a key, such as order id and serial number, and what is waited for as JSON. */
export interface Positions {
  all(): Promise<Iterable<readonly [key: string, position: OutcomeQuestion | OutcomePosition]>>
  save(key: string, position: OutcomeQuestion | OutcomePosition): Promise<void>
  remove(key: string): Promise<void>
}

export interface WaitingJobOptions {
  readonly client: Client
  readonly positions: Positions
  /** Told of every outcome, and once more where the process stops before `remove`. */
  readonly onOutcome: (ended: AwaitedOutcome) => Promise<void>
  readonly onFailed: (error: unknown) => void
}

export function waitingJob({ client, positions, onOutcome, onFailed }: WaitingJobOptions) {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()

  async function follow(key: string, from: OutcomeQuestion | OutcomePosition): Promise<void> {
    for await (const { position, outcome } of client.watchOutcome(from, { signal: stopping.signal })) {
      await positions.save(key, position)
      if (outcome === undefined || outcome.outcome === 'still-unknown') continue
      if (outcome.outcome === 'needs-customer') return follow(key, position) // threeDSecure leads the customer meanwhile
      await onOutcome(outcome)
      await positions.remove(key)
    }
  }
  const start = (key: string, from: OutcomeQuestion | OutcomePosition): void => {
    if (running.has(key)) return
    const run = follow(key, from).catch(onFailed)
    running.set(key, run)
    void run.then(() => running.delete(key))
  }

  return {
    /** Begins: with `outcomeOf('sale', { request, reply })`, once the request was accepted. */
    async wait(key: string, question: OutcomeQuestion): Promise<void> {
      await positions.save(key, question)
      start(key, question)
    },
    /** Goes on with what nobody waits for here. Call it at the start, and every hour: by then a wait has ended unknown. */
    async resume(): Promise<void> {
      for (const [key, position] of await positions.all()) start(key, position)
    },
    /** Call it before the process stops. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
