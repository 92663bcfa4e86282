import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RequestDispatcher } from '../config/options.js'
import { Deadline } from './deadline.js'
import { atEndOfTurn, RequestTry } from './request-try.js'
import type { Transmission, TransmitInput } from './types.js'

const transmit = (input: TransmitInput, dispatcher: RequestDispatcher) =>
  new Promise<Transmission>(resolve => new RequestTry(input, resolve).start(dispatcher, false))

/** What a dispatcher reports. */
interface Reports {
  start(abort: (reason: Error) => void): unknown
  head(httpStatus: number): unknown
  data(text: string): unknown
  end(): unknown
  error(cause: Error): unknown
  upgrade(): unknown
}

type Handler = Parameters<RequestDispatcher['dispatch']>[1]
type Controller = Parameters<NonNullable<Handler['onRequestStart']>>[0]

/** As undici reports to a handler of its own older style. */
const older = (handler: Handler): Reports => ({
  start: abort => handler.onConnect?.(abort as () => void),
  head: httpStatus => handler.onHeaders?.(httpStatus, [Buffer.from('X-Trace'), Buffer.from('t-1')], () => {}, ''),
  data: text => handler.onData?.(Buffer.from(text)),
  end: () => handler.onComplete?.([]),
  error: cause => handler.onError?.(cause),
  upgrade: () => handler.onUpgrade?.(101, [], undefined as never),
})

/** As undici reports to a handler of its newer style. @param name Of a header: undici has lower case, others may not. */
function newer(handler: Handler, name = 'X-Trace'): Reports {
  let controller = {} as Controller
  return {
    start(abort) {
      controller = { abort } as Controller
      handler.onRequestStart?.(controller, {})
    },
    head: httpStatus => handler.onResponseStart?.(controller, httpStatus, { [name]: 't-1' }, ''),
    data: text => handler.onResponseData?.(controller, Buffer.from(text)),
    end: () => handler.onResponseEnd?.(controller, {}),
    error: cause => handler.onResponseError?.(controller, cause),
    upgrade: () => handler.onRequestUpgrade?.(controller, 101, {}, undefined as never),
  }
}

const request = { origin: 'https://gate.example', path: '/sale', headers: {}, body: Buffer.from('a=1') }

describe.each([
  ['connections of our own', true, handler => newer(handler, 'x-trace')],
  ['a dispatcher of the caller’s', false, newer],
  ['a dispatcher of the caller’s that is older', false, older],
])('a try over %s', (_kind, isOwn, reportsTo) => {
  /** Sends a request through a dispatcher that reports what a test has it report. At most eight bytes are read. */
  function sent() {
    const aborted: string[] = []
    const handlers: Handler[] = []
    const given = new AbortController()
    const deadline = new Deadline({ timeout: 60_000, clock: () => 0, signal: given.signal })
    const dispatcher: RequestDispatcher = { dispatch: (_options, handler) => handlers.push(handler) > 0 }
    const connections = {
      dispatcher,
      isOwn,
      reportsStart: true,
      isClosed: () => false,
      close: async () => {},
      afresh: () => never,
    }
    const input = { request, connections, maxReplyBytes: 8, deadline }
    onTestFinished(() => deadline.clear())
    const transmission = transmit(input, dispatcher)
    const [handler] = handlers
    if (handler === undefined) throw new Error('nothing was dispatched')
    const abort = ({ message }: Error) => void aborted.push(message)
    return {
      reports: reportsTo(handler),
      transmission,
      aborted,
      abort,
      giveUp: () => given.abort(new Error('given up')),
    }
  }
  const never = new Promise<never>(() => {})

  it('is answered by the last head and the body in its chunks, and lets go of the deadline', async () => {
    const { reports, transmission, aborted, abort, giveUp } = sent()
    reports.start(abort)
    reports.head(103)
    reports.head(200)
    for (const text of ['ab', 'cd', 'efgh']) reports.data(text)
    reports.end()
    const headers = { 'x-trace': 't-1' }
    expect(await transmission).toEqual({
      kind: 'answered',
      answer: { httpStatus: 200, headers, body: Buffer.from('abcdefgh'), isTooLong: false },
      isConnectionClosed: false,
    })
    giveUp()
    expect(aborted).toEqual([])
  })

  it('keeps the beginning of an answer that is too long, and stops the rest', async () => {
    const { reports, transmission, aborted, abort } = sent()
    reports.start(abort)
    reports.head(200)
    for (const text of ['abcd', 'efghi', 'jkl']) reports.data(text)
    expect(aborted).toEqual(['the answer is longer than "maxReplyBytes"'])
    expect(await transmission).toMatchObject({
      kind: 'answered',
      answer: { body: Buffer.from('abcdefgh'), isTooLong: true },
      isConnectionClosed: isOwn,
    })
  })

  it('fails in the phase that it got to, with what had come of an answer', async () => {
    const cause = new Error('broken')
    const [waiting, sending, receiving] = [sent(), sent(), sent()]
    for (const each of [sending, receiving]) each.reports.start(each.abort)
    receiving.reports.head(200)
    receiving.reports.data('ab')
    for (const each of [waiting, sending, receiving]) each.reports.error(cause)
    const failed = { kind: 'failed', cause, isConnectionClosed: isOwn }
    expect(await waiting.transmission).toEqual({ ...failed, phase: 'waiting', begun: undefined })
    expect(await sending.transmission).toEqual({ ...failed, phase: 'sending', begun: undefined })
    expect(await receiving.transmission).toMatchObject({
      ...failed,
      phase: 'receiving',
      begun: { httpStatus: 200, body: Buffer.from('ab') },
    })
  })

  it('stops a second start, and one that comes when it is over', async () => {
    const { reports, transmission, aborted, abort } = sent()
    reports.start(abort)
    reports.start(abort)
    const again = 'the dispatcher started the same request again, which was stopped'
    expect(await transmission).toMatchObject({ kind: 'failed', phase: 'sending', cause: { message: again } })
    const late = sent()
    late.giveUp()
    expect(await late.transmission).toMatchObject({ phase: 'waiting', cause: { message: 'given up' } })
    late.reports.start(late.abort)
    expect([aborted, late.aborted]).toEqual([[again], [again]])
  })

  it('is stopped at the deadline, whatever comes then', async () => {
    const { reports, transmission, aborted, abort, giveUp } = sent()
    reports.start(abort)
    giveUp()
    reports.head(200)
    reports.end()
    expect(aborted).toEqual(['given up'])
    expect(await transmission).toMatchObject({ kind: 'failed', phase: 'sending', cause: { message: 'given up' } })
  })

  it('fails where an answer ends before it began, or the other side switches protocols', async () => {
    const [empty, informed, upgraded] = [sent(), sent(), sent()]
    for (const each of [empty, informed, upgraded]) each.reports.start(each.abort)
    empty.reports.end()
    informed.reports.head(103)
    informed.reports.end()
    upgraded.reports.upgrade()
    expect(await empty.transmission).toMatchObject({
      phase: 'sending',
      cause: { message: expect.stringContaining('ended before it began') },
    })
    expect(await informed.transmission).toMatchObject({ phase: 'receiving', begun: undefined })
    expect(await upgraded.transmission).toMatchObject({
      phase: 'receiving',
      cause: { message: expect.stringContaining('switched protocols') },
    })
    expect(upgraded.aborted).toEqual(['the other side switched protocols'])
  })
})

describe('a try', () => {
  const over = async (
    dispatch: RequestDispatcher['dispatch'],
    { isOwn = true, signal }: { readonly isOwn?: boolean; readonly signal?: AbortSignal } = {},
  ) => {
    const deadline = new Deadline({ timeout: 60_000, clock: () => 0, signal })
    const connections = {
      dispatcher: { dispatch },
      isOwn,
      reportsStart: true,
      isClosed: () => false,
      close: async () => {},
      afresh: () => new Promise<never>(() => {}),
    }
    const input = { request, connections, maxReplyBytes: 8, deadline }
    return transmit(input, { dispatch }).finally(() => deadline.clear())
  }

  it('is not handed to a dispatcher once the deadline has come', async () => {
    let dispatched = 0
    const transmission = await over(
      () => {
        dispatched += 1
        return true
      },
      { signal: AbortSignal.abort(new Error('given up')) },
    )
    expect(transmission).toMatchObject({ kind: 'failed', phase: 'waiting', cause: { message: 'given up' } })
    expect(dispatched).toBe(0)
  })

  it('has not started where a dispatcher throws before it says so', async () => {
    const cause = new Error('no dispatcher')
    const transmission = await over(() => {
      throw cause
    })
    expect(transmission).toMatchObject({ kind: 'failed', phase: 'waiting', cause })
  })

  it.each([
    ['older', (handler: Handler) => handler.onHeaders?.(200, null as never, () => {}, '')],
    ['newer', (handler: Handler) => handler.onResponseStart?.({} as Controller, 200, undefined as never, '')],
  ])('takes a head without headers from a dispatcher of the %s style', async (_style, reportHead) => {
    const transmission = await over(
      (_options, handler) => {
        reportHead(handler)
        handler.onComplete?.([])
        return true
      },
      { isOwn: false },
    )
    expect(transmission).toMatchObject({ kind: 'answered', answer: { httpStatus: 200, headers: {} } })
  })
})

/** Behind what is planned in this turn, microtasks included. */
const endOfTurn = () => new Promise<void>(resolve => queueMicrotask(() => setImmediate(resolve)))

describe('tellSoon', () => {
  it('tells at the end of the turn what came in it, in the order in which it came', async () => {
    const told: string[] = []
    atEndOfTurn({ tell: () => told.push('first') })
    atEndOfTurn({ tell: () => told.push('second') })
    expect(told).toEqual([])
    await endOfTurn()
    expect(told).toEqual(['first', 'second'])
  })

  it('tells behind what the teller plans for the end of the same turn', async () => {
    const done: string[] = []
    atEndOfTurn({ tell: () => done.push('first told') })
    setImmediate(() => done.push('planned by the first'))
    await undefined
    atEndOfTurn({ tell: () => done.push('second told') })
    setImmediate(() => done.push('planned by the second'))
    await endOfTurn()
    expect(done).toEqual(['planned by the first', 'planned by the second', 'first told', 'second told'])
  })

  it('tells although timers were replaced', async () => {
    vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'queueMicrotask'] })
    const told = new Promise<string>(resolve => atEndOfTurn({ tell: () => resolve('told') }))
    await expect(told).resolves.toBe('told')
    vi.useRealTimers()
  })

  it('tells while something is to be told at the end of every turn', async () => {
    const turns = 50
    const told: number[] = []
    let first: number | undefined
    for (let turn = 0; turn < turns; turn += 1) {
      await new Promise<void>(resolve =>
        setImmediate(() => {
          atEndOfTurn({ tell: () => told.push(turn) })
          resolve()
        }),
      )
      if (told.length > 0) first ??= turn
    }
    expect(first).toBeLessThan(5)
    await endOfTurn()
    await endOfTurn()
    expect(told).toEqual(Array.from({ length: turns }, (_, turn) => turn))
  })

  it('tells in the next turn what comes while it tells', async () => {
    const told: string[] = []
    atEndOfTurn({
      tell() {
        told.push('first')
        atEndOfTurn({ tell: () => told.push('second') })
      },
    })
    await endOfTurn()
    expect(told).toEqual(['first'])
    await endOfTurn()
    expect(told).toEqual(['first', 'second'])
  })
})
