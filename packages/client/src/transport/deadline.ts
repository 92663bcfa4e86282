/** Something that is told when the deadline comes. */
export interface DeadlineListener {
  deadlineCame(): void
}

/** What a deadline goes by. */
export interface DeadlineOptions {
  /** Milliseconds. */
  readonly timeout: number
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly signal?: AbortSignal | undefined
  /** Within how many milliseconds the first byte must leave. Default: `timeout`. */
  readonly startWithin?: number | undefined
}

/**
 * The end of a call's time: it comes after `timeout` milliseconds, or when the caller's signal fires. A class, since closures
 * would be made anew for each call: adr/0033.
 */
export class Deadline {
  private readonly timeout: number
  private readonly startWithin: number
  private readonly clock: () => number
  private readonly startedAtByClock: number
  private readonly callersSignal: AbortSignal | undefined
  private readonly timer: NodeJS.Timeout
  private readonly startedAt = performance.now()
  private listeners: DeadlineListener[] = []
  private over: { readonly reason: unknown } | undefined = undefined
  private ownSignal: AbortSignal | undefined = undefined

  constructor({ timeout, clock, signal: callersSignal, startWithin = timeout }: DeadlineOptions) {
    this.timeout = timeout
    this.startWithin = Math.min(timeout, startWithin)
    this.clock = clock
    this.startedAtByClock = clock()
    this.callersSignal = callersSignal
    this.timer = setTimeout(timeIsUp, timeout, this)
    if (callersSignal?.aborted === true) this.handleEvent()
    callersSignal?.addEventListener('abort', this, { once: true })
  }

  /** Whether it has come. */
  isOver(): boolean {
    return this.over !== undefined
  }

  /**
   * Milliseconds until it comes, by the monotonic clock, which stands still while a machine is suspended. 0 or less: it should have
   * come, even if no timer has said so. What waits for an answer goes by it: no clock that is set shortens that wait.
   */
  left(): number {
    return this.timeout - (performance.now() - this.startedAt)
  }

  /**
   * Whether a first byte may still leave. Besides the monotonic clock it asks the one that goes on while a machine is suspended, and
   * the one that says "over" counts: adr/0047. A clock that fails says so too, since nothing was sent.
   */
  mayStart(): boolean {
    const left = this.left() - (this.timeout - this.startWithin)
    return !this.isOver() && left > 0 && this.startWithin > this.passedByClock()
  }

  private passedByClock(): number {
    try {
      return this.clock() - this.startedAtByClock
    } catch {
      return this.timeout
    }
  }

  /** Why it has come. */
  reason(): unknown {
    return this.over?.reason
  }

  /** Tells `listener` once, when it comes; not where it has come already. */
  addListener(listener: DeadlineListener): void {
    this.listeners.push(listener)
  }

  removeListener(listener: DeadlineListener): void {
    const at = this.listeners.indexOf(listener)
    if (at >= 0) this.listeners.splice(at, 1)
  }

  /** A signal that fires when it comes, for code that takes one. Few calls get that far, and signals are costly. */
  signal(): AbortSignal {
    if (this.ownSignal !== undefined) return this.ownSignal
    const controller = new AbortController()
    if (this.over === undefined) this.addListener({ deadlineCame: () => controller.abort(this.reason()) })
    else controller.abort(this.reason())
    this.ownSignal = controller.signal
    return controller.signal
  }

  /** Stops the timer and lets go of the caller's signal, which may live as long as the process. */
  clear(): void {
    clearTimeout(this.timer)
    this.callersSignal?.removeEventListener('abort', this)
  }

  /** The caller's signal fires. */
  handleEvent(): void {
    this.end(this.callersSignal?.reason)
  }

  timeIsUp(): void {
    this.end(new Error(`no answer within ${this.timeout} ms`))
  }

  private end(reason: unknown): void {
    if (this.over !== undefined) return
    this.over = { reason }
    const told = this.listeners
    this.listeners = []
    for (const listener of told) listener.deadlineCame()
  }
}

const timeIsUp = (deadline: Deadline): void => deadline.timeIsUp()
