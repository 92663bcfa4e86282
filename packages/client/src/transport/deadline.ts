/**
 * The deadline of a call: one timer, and the caller's own signal.
 *
 * @module
 */

/** Whoever wants to be told when the deadline comes. */
export interface DeadlineListener {
  deadlineCame(): void
}

/** The end of a call's time: it comes at the deadline, or when the caller's signal fires. */
export interface Deadline {
  /** Whether it has come. */
  isOver(): boolean
  /** Why it has come. */
  reason(): unknown
  /** Tells `listener` once, when it comes; not where it has come already. */
  addListener(listener: DeadlineListener): void
  removeListener(listener: DeadlineListener): void
  /** A signal that fires when it comes, for code that takes one. Few calls get that far, and signals are costly. */
  signal(): AbortSignal
  /** Stops the timer and lets go of the caller's signal, which may live as long as the process. */
  clear(): void
}

/** Starts a deadline `timeout` milliseconds from now. */
export function startDeadline(timeout: number, callersSignal: AbortSignal | undefined): Deadline {
  return new RunningDeadline(timeout, callersSignal)
}

const none: readonly DeadlineListener[] = []

/** A class, since closures would be made anew for each call: adr/0033. */
class RunningDeadline implements Deadline {
  private readonly timeout: number
  private readonly callersSignal: AbortSignal | undefined
  private readonly timer: NodeJS.Timeout
  private listeners = none
  private over: { readonly reason: unknown } | undefined = undefined
  private ownSignal: AbortSignal | undefined = undefined

  constructor(timeout: number, callersSignal: AbortSignal | undefined) {
    this.timeout = timeout
    this.callersSignal = callersSignal
    this.timer = setTimeout(timeIsUp, timeout, this)
    if (callersSignal === undefined) return
    if (callersSignal.aborted) this.handleEvent()
    callersSignal.addEventListener('abort', this, { once: true })
  }

  isOver(): boolean {
    return this.over !== undefined
  }

  reason(): unknown {
    return this.over?.reason
  }

  addListener(listener: DeadlineListener): void {
    this.listeners = this.listeners.length === 0 ? [listener] : [...this.listeners, listener]
  }

  removeListener(listener: DeadlineListener): void {
    const { listeners } = this
    const isOnly = listeners.length === 1 && listeners[0] === listener
    this.listeners = isOnly ? none : listeners.filter(each => each !== listener)
  }

  signal(): AbortSignal {
    if (this.ownSignal !== undefined) return this.ownSignal
    const controller = new AbortController()
    if (this.over === undefined) this.addListener({ deadlineCame: () => controller.abort(this.reason()) })
    else controller.abort(this.reason())
    this.ownSignal = controller.signal
    return controller.signal
  }

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
    this.listeners = none
    for (const listener of told) listener.deadlineCame()
  }
}

const timeIsUp = (deadline: RunningDeadline): void => deadline.timeIsUp()
