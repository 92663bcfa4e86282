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

/** What was promised, or that it did not come in time. */
export type Sooner<Value> = { readonly isLate: false; readonly value: Value } | { readonly isLate: true }

/**
 * Waits for a promise until a deadline comes, or a limit passes that is started only for a promise that does not keep its
 * word at once.
 *
 * @throws What the promise rejects with, if it does so in time.
 */
export function withDeadline<Value>(
  promise: Promise<Value>,
  limit: Deadline | (() => Promise<void>),
): Promise<Sooner<Value>> {
  return typeof limit === 'function' ? soonerThanLimit(promise, limit) : soonerThanDeadline(promise, limit)
}

function soonerThanDeadline<Value>(promise: Promise<Value>, deadline: Deadline): Promise<Sooner<Value>> {
  return new Promise((resolve, reject) => {
    const listener = { deadlineCame: () => resolve(late) }
    if (deadline.isOver()) listener.deadlineCame()
    else deadline.addListener(listener)
    Promise.resolve(promise).then(
      value => {
        deadline.removeListener(listener)
        resolve({ isLate: false, value })
      },
      (cause: unknown) => {
        deadline.removeListener(listener)
        reject(cause)
      },
    )
  })
}

async function soonerThanLimit<Value>(promise: Promise<Value>, limit: () => Promise<void>): Promise<Sooner<Value>> {
  const kept = watch(promise)
  for (let turn = 0; turn < turns && kept.word === undefined; turn += 1) await undefined
  if (kept.word === undefined) await endOfWaiting(kept, limit)
  const { word } = kept
  if (word === undefined) return late
  if (!word.isKept) throw word.cause
  return { isLate: false, value: word.value }
}

const late = { isLate: true } as const

/** Turns of the queue, within which memory answers: a call need not be made to wait for what comes so soon. */
const turns = 4

/** A promise that is watched. */
interface Watched<Value> {
  word?: { readonly isKept: true; readonly value: Value } | { readonly isKept: false; readonly cause: unknown }
  /** Called when the word is there. */
  told?: () => void
}

function watch<Value>(promise: Promise<Value>): Watched<Value> {
  const watched: Watched<Value> = {}
  Promise.resolve(promise).then(
    value => {
      watched.word = { isKept: true, value }
      watched.told?.()
    },
    (cause: unknown) => {
      watched.word = { isKept: false, cause }
      watched.told?.()
    },
  )
  return watched
}

function endOfWaiting<Value>(watched: Watched<Value>, limit: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    watched.told = resolve
    limit().then(resolve, reject)
  })
}
