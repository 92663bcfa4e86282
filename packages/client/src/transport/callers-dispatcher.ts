/**
 * What a dispatcher of the caller's is handed: it may be of any version of undici, or written by hand.
 *
 * @module
 */
import type { Abort, RequestTry } from './request-try.js'
import type { ReplyHeaders } from './transmit.js'

/** Part of a dispatch controller that is used. */
interface Controller {
  abort(reason: Error): void
}

/**
 * A handler in both styles, whose methods are its own properties, for some copy them into another. A dispatcher that knows
 * the new style ignores the old one (`onConnect`, `onHeaders`, …); one from the undici inside Node.js 20 and 22 knows no
 * other, and would refuse the handler, or call nothing and leave the call hanging until its deadline.
 */
export function handlerInBothStyles(request: RequestTry) {
  return {
    onRequestStart: (controller: Controller) => request.onConnect(reason => controller.abort(reason)),
    onRequestUpgrade(controller: Controller) {
      request.stopBy(reason => controller.abort(reason))
      request.onUpgrade()
    },
    onResponseStart(controller: Controller, httpStatus: number, headers: ReplyHeaders) {
      request.stopBy(reason => controller.abort(reason))
      request.headReceived(httpStatus, lowerCaseNames(headers))
    },
    onResponseData(_controller: unknown, chunk: Buffer) {
      request.onData(chunk)
    },
    onResponseEnd: () => request.onComplete(),
    onResponseError: (_controller: unknown, cause: unknown) => request.onError(cause),
    onConnect: (abort: Abort) => request.onConnect(abort),
    onUpgrade: () => request.onUpgrade(),
    onHeaders: (httpStatus: number, rawHeaders: Buffer[] | null) => request.onHeaders(httpStatus, rawHeaders ?? []),
    onData: (chunk: Buffer) => request.onData(chunk),
    onComplete: () => request.onComplete(),
    onError: (cause: unknown) => request.onError(cause),
  }
}

/** undici gives names in lower case; a dispatcher written by hand may not. */
function lowerCaseNames(headers: ReplyHeaders): ReplyHeaders {
  const names = Object.keys(headers ?? {})
  if (headers && names.every(name => name === name.toLowerCase())) return headers
  return Object.fromEntries(names.map(name => [name.toLowerCase(), headers[name]]))
}

/**
 * A body that says it has been read once the request has started, as a stream would. undici's `RetryAgent` sends such a
 * request no second time; without it, it would ask for the rest of an answer that broke off by sending the request again,
 * and hide that start from our handler. Its redirecting interceptor stops for it too.
 */
export function bodyReadOnce(body: Uint8Array, hasStarted: () => boolean): Buffer {
  return Object.defineProperty(Buffer.from(body), 'readableDidRead', { get: hasStarted })
}
