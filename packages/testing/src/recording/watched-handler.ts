/**
 * A handler of undici that somebody watches over the shoulder, in either of the two styles handlers are written in.
 *
 * @module
 */
import type { Dispatcher } from 'undici'

/** Who watches. */
export interface Watcher {
  start(): void
  head(status: number, mediaType: string): void
  data(chunk: Uint8Array): void
  end(): void
  fail(error: Error): void
}

/** Tells a watcher what a handler is told, and first. */
export function watchedHandler(handler: Dispatcher.DispatchHandler, watcher: Watcher): Dispatcher.DispatchHandler {
  return handler.onRequestStart === undefined ? oldStyle(handler, watcher) : newStyle(handler, watcher)
}

function newStyle(handler: Dispatcher.DispatchHandler, watcher: Watcher): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller, context) {
      watcher.start()
      handler.onRequestStart?.(controller, context)
    },
    onResponseStart(controller, status, headers, text) {
      if (status >= 200) watcher.head(status, String(headers['content-type'] ?? ''))
      handler.onResponseStart?.(controller, status, headers, text)
    },
    onResponseData(controller, chunk) {
      watcher.data(chunk)
      handler.onResponseData?.(controller, chunk)
    },
    onResponseEnd(controller, trailers) {
      watcher.end()
      handler.onResponseEnd?.(controller, trailers)
    },
    onResponseError(controller, error) {
      watcher.fail(error)
      handler.onResponseError?.(controller, error)
    },
  }
}

function oldStyle(handler: Dispatcher.DispatchHandler, watcher: Watcher): Dispatcher.DispatchHandler {
  return {
    onConnect(abort) {
      watcher.start()
      handler.onConnect?.(abort)
    },
    onHeaders(status, headers, resume, text) {
      if (status >= 200) watcher.head(status, contentType(headers))
      return handler.onHeaders?.(status, headers, resume, text) ?? true
    },
    onData(chunk) {
      watcher.data(chunk)
      return handler.onData?.(chunk) ?? true
    },
    onComplete(trailers) {
      watcher.end()
      handler.onComplete?.(trailers)
    },
    onError(error) {
      watcher.fail(error)
      handler.onError?.(error)
    },
  }
}

function contentType(headers: readonly Buffer[]): string {
  const index = headers.findIndex(
    (name, at) => at % 2 === 0 && name.toString('latin1').toLowerCase() === 'content-type',
  )
  return index === -1 ? '' : (headers[index + 1]?.toString('latin1') ?? '')
}
