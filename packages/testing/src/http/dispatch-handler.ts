import { type Dispatcher, errors } from 'undici'
import type { WrittenAnswer } from './message.js'

/**
 * One request as its handler sees it, and no more than one ending of it. A class, because a request needs one each: accessors
 * made anew for each object would cost more than the rest of a request.
 */
export class Exchange implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler
  #failure: Error | undefined
  #wake: (() => void) | undefined
  #paused = false
  #ended = false

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler.onRequestStart === undefined ? newStyle(handler) : handler
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

  /** @returns Whether the request may go on. */
  start(): boolean {
    this.#handler.onRequestStart?.(this, {})
    return !this.aborted
  }

  async respond(answer: WrittenAnswer): Promise<void> {
    const { status, headers } = answer
    this.#handler.onResponseStart?.(this, status, { ...headers }, status === 200 ? 'OK' : '')
    if (!(await this.#flows())) return
    for await (const piece of piecesOf(answer)) {
      if (!(await this.#flows())) return
      this.#handler.onResponseData?.(this, piece)
    }
    if (!(await this.#flows())) return
    this.#ended = true
    this.#handler.onResponseEnd?.(this, {})
  }

  fail(error: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#handler.onResponseError?.(this, error)
  }

  /** Waits until the reader goes on. @returns False where it gave up. */
  async #flows(): Promise<boolean> {
    while (this.#paused && !this.aborted) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    return !this.aborted
  }
}

/** A handler in undici's old style, called in the new one. */
function newStyle(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: controller =>
      handler.onConnect?.(reason => controller.abort(reason ?? new errors.RequestAbortedError())),
    onResponseStart(controller, status, headers, text = '') {
      const raw = Object.entries(headers).flatMap(pair => pair.map(part => Buffer.from(String(part), 'latin1')))
      if (handler.onHeaders?.(status, raw, () => controller.resume(), text) === false) controller.pause()
    },
    onResponseData(controller, bytes) {
      if (handler.onData?.(bytes as Buffer) === false) controller.pause()
    },
    onResponseEnd: () => handler.onComplete?.([]),
    onResponseError: (_controller, error) => handler.onError?.(error),
  }
}

/**
 * The body of an answer, piece by piece.
 *
 * @throws What undici throws for a socket that ends before the announced length, where the connection breaks.
 */
export async function* piecesOf({ body, cut = false, wait }: WrittenAnswer): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body, 'utf8')
  const half = cut || wait !== undefined ? Math.ceil(bytes.byteLength / 2) : bytes.byteLength
  yield bytes.subarray(0, half)
  await wait?.()
  if (cut) throw new errors.ResponseContentLengthMismatchError()
  if (half < bytes.byteLength) yield bytes.subarray(half)
}
