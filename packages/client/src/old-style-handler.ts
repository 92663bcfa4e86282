/**
 * Lets dispatchers that only know the handlers of undici 6 and before (`onConnect`, `onHeaders`, …) drive ours.
 *
 * Such a dispatcher may come from the undici inside Node.js 20 and 22. Without this it would refuse our handler, or call
 * nothing and leave the call hanging until its deadline.
 *
 * @module
 */
import type { ReplyHeaders } from './transmit.js'

/** The handler of `transmit`, as far as it is translated. */
interface NewStyleHandler {
  onRequestStart(controller: { abort(reason: Error): void }): void
  onRequestUpgrade(controller: { abort(reason: Error): void }): void
  onResponseStart(controller: unknown, httpStatus: number, headers: ReplyHeaders): void
  onResponseData(controller: { abort(reason: Error): void }, chunk: Buffer): void
  onResponseEnd(): void
  onResponseError(controller: unknown, cause: unknown): void
}

/** Adds the methods of the old style to a handler. A dispatcher that knows the new style ignores them. */
export function forOldDispatchers<Handler extends NewStyleHandler>(handler: Handler) {
  let controller = { abort: (_reason: Error): void => {} }
  return Object.assign(handler, {
    onConnect(abort: (reason?: Error) => void) {
      controller = { abort }
      handler.onRequestStart(controller)
    },
    onUpgrade: () => handler.onRequestUpgrade(controller),
    onHeaders(httpStatus: number, rawHeaders: readonly (Buffer | string)[] | null) {
      handler.onResponseStart(controller, httpStatus, readRawHeaders(rawHeaders ?? []))
      return true
    },
    onData(chunk: Buffer) {
      handler.onResponseData(controller, chunk)
      return true
    },
    onComplete: () => handler.onResponseEnd(),
    onError: (cause: unknown) => handler.onResponseError(controller, cause),
  })
}

/** Names and values in turn, as bytes. */
function readRawHeaders(raw: readonly (Buffer | string)[]): ReplyHeaders {
  const headers: Record<string, string | string[]> = {}
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase()
    const before = headers[name]
    const value = String(raw[at + 1])
    headers[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return headers
}
