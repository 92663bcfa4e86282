import { type Dispatcher, errors } from 'undici'
import type { WrittenAnswer } from './message.js'

/** One handler of undici, whichever of its two styles it is written in. */
export interface Handler {
  /** @returns Whether the request may go on. */
  start(): boolean
  aborted(): boolean
  respond(answer: WrittenAnswer): Promise<void>
  fail(error: Error): void
}

/** Adapts a handler, and reports no more than one ending to it. */
export function handlerOf(handler: Dispatcher.DispatchHandler): Handler {
  const controller = new Controller(handler)
  const write = handler.onRequestStart === undefined ? oldStyle(handler, controller) : newStyle(handler, controller)
  return {
    start() {
      write.start()
      return !controller.aborted
    },
    aborted: () => controller.aborted,
    async respond(answer) {
      write.head(answer)
      if (controller.paused) await controller.flowing()
      if (controller.aborted) return
      const bytes = Buffer.from(answer.body, 'utf8')
      const { cut = false, wait } = answer
      const half = cut || wait !== undefined ? Math.ceil(bytes.byteLength / 2) : bytes.byteLength
      write.body(bytes.subarray(0, half))
      if (wait !== undefined) await wait()
      // undici throws this for a socket that ends before the announced length.
      if (cut) throw new errors.ResponseContentLengthMismatchError()
      if (controller.paused) await controller.flowing()
      if (controller.aborted) return
      if (half < bytes.byteLength) write.body(bytes.subarray(half))
      if (controller.paused) await controller.flowing()
      if (controller.aborted) return
      controller.ended = true
      write.end()
    },
    fail: error => controller.fail(error),
  }
}

/**
 * A class, because a request needs one each: accessors made anew for each object would cost more than the rest of a request.
 */
class Controller implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler
  #failure: Error | undefined
  #wake: (() => void) | undefined
  #paused = false
  ended = false

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  get aborted(): boolean {
    return this.#failure !== undefined
  }

  get paused(): boolean {
    return this.#paused
  }

  get reason(): Error | null {
    return this.#failure ?? null
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#wake?.()
  }

  abort(reason?: Error | null): void {
    this.#failure = reason ?? new errors.RequestAbortedError()
    this.fail(this.#failure)
    this.#wake?.()
  }

  fail(error: Error): void {
    if (this.ended) return
    this.ended = true
    if (this.#handler.onRequestStart === undefined) this.#handler.onError?.(error)
    else this.#handler.onResponseError?.(this, error)
  }

  /** Waits until the reader goes on, or gives up. */
  async flowing(): Promise<void> {
    while (this.#paused && !this.aborted) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}

interface Writer {
  start(): void
  head(answer: WrittenAnswer): void
  body(bytes: Buffer): void
  end(): void
}

function newStyle(handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController): Writer {
  return {
    start: () => handler.onRequestStart?.(controller, {}),
    head: ({ status, headers }) => handler.onResponseStart?.(controller, status, { ...headers }, statusText(status)),
    body: bytes => handler.onResponseData?.(controller, bytes),
    end: () => handler.onResponseEnd?.(controller, {}),
  }
}

function oldStyle(handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController): Writer {
  const pauseOn = (goOn: boolean | undefined): void => {
    if (goOn === false) controller.pause()
  }
  return {
    start: () => handler.onConnect?.(reason => controller.abort(reason ?? new errors.RequestAbortedError())),
    head({ status, headers }) {
      const raw = Object.entries(headers).flatMap(pair => pair.map(text => Buffer.from(text, 'latin1')))
      pauseOn(handler.onHeaders?.(status, raw, () => controller.resume(), statusText(status)))
    },
    body: bytes => pauseOn(handler.onData?.(bytes)),
    end: () => handler.onComplete?.([]),
  }
}

const statusText = (status: number): string => (status === 200 ? 'OK' : '')
