import type { Attempt } from '@tillkit/protocol'

/** Most attempts of which a first answer is remembered. Of those before them the clock of the store counts alone. */
const most = 10_000

interface FirstAnswer {
  /** Its time in the position, by the store's clock. */
  readonly neverSeenAt: number
  /** When it had come, by this client's own clock. */
  readonly heardAt: number
}

/** The first answers of absence that came to this client, by its own clock: that of the store may be set between two of them. */
export class FirstAnswers {
  /** Milliseconds since any moment. */
  readonly now: () => number
  private readonly heard = new Map<string, FirstAnswer>()

  constructor(now: () => number) {
    this.now = now
  }

  /** Remembers that the first answer has just come. */
  remember(attempt: Attempt, neverSeenAt: number): void {
    const key = keyOf(attempt)
    this.heard.delete(key)
    this.heard.set(key, { neverSeenAt, heardAt: this.now() })
    const [oldest] = this.heard.keys()
    if (this.heard.size > most && oldest !== undefined) this.heard.delete(oldest)
  }

  /** How long before `askedOn` the first answer had come, in milliseconds; undefined where this client did not hear it. */
  heardFor(attempt: Attempt, neverSeenAt: number | undefined, askedOn: number): number | undefined {
    const first = this.heard.get(keyOf(attempt))
    return first === undefined || first.neverSeenAt !== neverSeenAt ? undefined : askedOn - first.heardAt
  }
}

const keyOf = ({ login, attemptId, reservation = attemptId }: Attempt): string => JSON.stringify([login, reservation])
