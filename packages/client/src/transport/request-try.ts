import { notify } from '@tillkit/protocol'
import { util } from 'undici'
import type { RequestDispatcher } from '../config/options.js'
import type { Phase, RawAnswer, ReplyHeaders, Transmission, TransmitInput } from './types.js'

/** Ends a request, and closes its connection. */
export type Abort = (reason: Error) => void

/** Part of a dispatch controller that is used. */
type Controller = { readonly abort: Abort }

/** One try. It is a handler as undici 7 and 8 know it. A class, since closures would be made anew each time: adr/0033. */
export class RequestTry {
  private phase: Phase = 'waiting'
  private readonly input: TransmitInput
  private readonly resolve: (transmission: Transmission) => void
  private hasStarted = false
  private controller: Controller | undefined = undefined
  private httpStatus = 0
  private headers: ReplyHeaders | undefined = undefined
  /** What has come of the body. */
  private readonly chunks: Buffer[] = []
  private size = 0
  /** What came of it, once it is over. */
  private transmission: Transmission | undefined = undefined

  constructor(input: TransmitInput, resolve: (transmission: Transmission) => void) {
    this.input = input
    this.resolve = resolve
  }

  /** Hands the request to a dispatcher. @param reset Asks for the connection to be closed after the answer. */
  start(dispatcher: RequestDispatcher, reset: boolean): void {
    const { request, deadline, connections } = this.input
    if (!deadline.mayStart()) {
      this.fail(deadline.reason() ?? new Error('the time of the call was over before it could be sent'))
      return
    }
    deadline.addListener(this)
    const { isOwn, reportsStart } = connections
    // From here on it may start without a report.
    if (!reportsStart) this.phase = 'unreported'
    try {
      const { origin, path, headers } = request
      const body = isOwn ? request.body : bodyReadOnce(request.body, () => this.phase !== 'waiting')
      const options = { origin, path, method: 'POST' as const, headers: isOwn ? headers : { ...headers }, body }
      dispatcher.dispatch(reset ? { ...options, reset } : options, isOwn ? this : handlerInBothStyles(this))
    } catch (cause) {
      this.fail(cause)
    }
  }

  /** The deadline calls it. */
  deadlineCame(): void {
    const why = this.input.deadline.reason()
    const reason = why instanceof Error ? why : new Error('the call was aborted')
    this.fail(why ?? reason)
    this.stop(reason)
  }

  /** A start that comes after the try is over, or a second one, is aborted before undici writes a byte of it. */
  onRequestStart(controller: Controller): void {
    if (this.transmission !== undefined || this.hasStarted) {
      const refusal = new Error('the dispatcher started the same request again, which was stopped')
      this.fail(refusal)
      controller.abort(refusal)
      return
    }
    // A process that was stopped, and goes on, gets here before its timers; one on a machine that was suspended long before them.
    if (!this.input.deadline.mayStart()) {
      const refusal = new Error('the time of the call was over when a connection was there')
      this.fail(refusal)
      controller.abort(refusal)
      return
    }
    this.hasStarted = true
    this.phase = 'sending'
    this.controller = controller
  }

  onRequestUpgrade(controller?: Controller): void {
    this.phase = 'receiving'
    this.controller ??= controller
    const refusal = new Error('the other side switched protocols')
    this.fail(refusal)
    this.stop(refusal)
  }

  /** A dispatcher that did not report the start says only here how the request is stopped. */
  onResponseStart(controller: Controller | undefined, httpStatus: number, headers: ReplyHeaders): void {
    this.phase = 'receiving'
    this.controller ??= controller
    if (httpStatus < 200) return
    this.httpStatus = httpStatus
    this.headers = headers
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.transmission !== undefined) return
    const { maxReplyBytes } = this.input
    const left = maxReplyBytes - this.size
    this.chunks.push(chunk.length <= left ? chunk : chunk.subarray(0, left))
    this.size += chunk.length
    if (this.size > maxReplyBytes) {
      this.endAnswered(true)
      this.stop(new Error('the answer is longer than "maxReplyBytes"'))
    }
  }

  onResponseEnd(): void {
    this.endAnswered(false)
  }

  onResponseError(_controller: unknown, cause: unknown): void {
    this.fail(cause)
  }

  private fail(cause: unknown): void {
    const { isOwn } = this.input.connections
    this.end({ kind: 'failed', phase: this.phase, cause, begun: this.begun(false), isConnectionClosed: isOwn })
  }

  /** `tellSoon` calls it, once the try is over. */
  tell(): void {
    if (this.transmission !== undefined) this.resolve(this.transmission)
  }

  /** The try is over by now, so a dispatcher that fails at it changes nothing; thrown at a deadline it would end the process. */
  private stop(reason: Error): void {
    notify(() => this.controller?.abort(reason))
  }

  private end(transmission: Transmission): void {
    if (this.transmission !== undefined) return
    this.input.deadline.removeListener(this)
    this.transmission = transmission
    atEndOfTurn(this)
  }

  private endAnswered(isTooLong: boolean): void {
    const answer = this.begun(isTooLong)
    if (answer === undefined) this.fail(new Error('the answer ended before it began'))
    else this.end({ kind: 'answered', answer, isConnectionClosed: this.input.connections.isOwn && isTooLong })
  }

  /** What has come of the answer, if one has begun. */
  private begun(isTooLong: boolean): RawAnswer | undefined {
    const { httpStatus, headers, chunks } = this
    if (headers === undefined) return undefined
    const [only, second] = chunks
    // Nearly always there is one chunk, which need not be copied.
    const body = only !== undefined && second === undefined ? only : Buffer.concat(chunks)
    return { httpStatus, headers, body, isTooLong }
  }
}

/**
 * A handler in both styles, whose methods are its own properties, for some copy them into another. A dispatcher that knows
 * the new style ignores the old one (`onConnect`, `onHeaders`, …); one from the undici inside Node.js 20 and 22 knows no
 * other, and would refuse the handler, or call nothing and leave the call hanging until its deadline.
 */
export function handlerInBothStyles(request: RequestTry) {
  return {
    onRequestStart: (controller: Controller) => request.onRequestStart(controller),
    onRequestUpgrade: (controller: Controller) => request.onRequestUpgrade(controller),
    onResponseStart: (controller: Controller, httpStatus: number, headers: ReplyHeaders) =>
      request.onResponseStart(controller, httpStatus, lowerCaseNames(headers)),
    onResponseData: (controller: unknown, chunk: Buffer) => request.onResponseData(controller, chunk),
    onResponseEnd: () => request.onResponseEnd(),
    onResponseError: (controller: unknown, cause: unknown) => request.onResponseError(controller, cause),
    onConnect: (abort: Abort) => request.onRequestStart({ abort }),
    onUpgrade: () => request.onRequestUpgrade(),
    onHeaders(httpStatus: number, rawHeaders: Buffer[] | null) {
      request.onResponseStart(undefined, httpStatus, util.parseHeaders(rawHeaders ?? []))
      return true
    },
    onData(chunk: Buffer) {
      request.onResponseData(undefined, chunk)
      return true
    },
    onComplete: () => request.onResponseEnd(),
    onError: (cause: unknown) => request.onResponseError(undefined, cause),
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

/** Taken when this is loaded: a test may replace timers later and never let them come. */
const { setImmediate, clearImmediate } = process.getBuiltinModule('node:timers')
const settled = Promise.resolve()

type Teller = Pick<RequestTry, 'tell'>

let waiting: Teller[] = []
let planned: NodeJS.Immediate | undefined
/** Whether the turn has ended in which the first of those that wait came. They are put off no more then. */
let isDue = false

/**
 * Has `teller` tell its result at the end of this turn of the event loop, together with the other results of the turn.
 *
 * That is faster: adr/0028. It also comes after what the caller still does in this turn: undici frees a connection then, and a
 * request that started before would open a new one. Where answers come at the end of every turn, as those of a dispatcher
 * without sockets do, the result is told one turn later and not postponed again.
 */
export function atEndOfTurn(teller: Teller): void {
  waiting.push(teller)
  void settled.then(plan)
}

function plan(): void {
  if (isDue) return
  if (planned === undefined) setImmediate(endTurn)
  else clearImmediate(planned)
  planned = setImmediate(tellAll)
}

function endTurn(): void {
  isDue = planned !== undefined
}

function tellAll(): void {
  const told = waiting
  waiting = []
  planned = undefined
  isDue = false
  for (const teller of told) teller.tell()
}
