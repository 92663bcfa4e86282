import type { AwaitedOutcome, Client, OutcomeQuestion } from '../../src/index.js'

export interface WaitingJobOptions {
  readonly client: Client
  /** Reads a table of yours: a key, such as order id and serial number, and what is waited for, which is plain JSON. */
  readonly open: () => Promise<Iterable<readonly [key: string, question: OutcomeQuestion]>>
  /** Writes into the table how it ended. It is told once more where the process stops before that. */
  readonly onOutcome: (key: string, ended: AwaitedOutcome) => Promise<void>
  readonly onFailed: (error: unknown) => void
}

export function waitingJob({ client, open, onOutcome, onFailed }: WaitingJobOptions) {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()

  async function follow(key: string, question: OutcomeQuestion, shownSteps: readonly string[] = []): Promise<void> {
    const ended = await client.awaitOutcome(question, { shownSteps, signal: stopping.signal })
    // Something else leads the customer through 3DS meanwhile.
    if (ended.kind === 'needs-customer') return follow(key, question, ended.shownSteps)
    if (ended.kind !== 'still-unknown') await onOutcome(key, ended)
  }

  return {
    /** Waits for every row for which no wait is going on here. Call it at the start, after each accepted request, and every hour. */
    async resume(): Promise<void> {
      for (const [key, question] of await open()) {
        if (running.has(key)) continue
        const run = follow(key, question).catch(onFailed)
        running.set(key, run)
        void run.then(() => running.delete(key))
      }
    },
    /** Call it before the process stops. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
