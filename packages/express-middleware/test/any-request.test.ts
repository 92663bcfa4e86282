/** Requests of the Web, also after somebody has read them, and what is answered. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, checkCallbackRequest, webResponse } from '../src/core.js'
import { type AnyDesk, anyDesk, formType } from './any-desk.js'
import { callbackQuery, controlKey } from './callback-desk.js'

let desk: AnyDesk
beforeEach(() => {
  desk = anyDesk()
})

const post = (
  body: string | ReadableStream,
  headers: Readonly<Record<string, string>> = { 'content-type': formType },
) => new Request('https://shop.example/callback', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
const summary = ({ status, body, error }: Answer) => ({
  status,
  body,
  code: (error as { readonly code?: unknown } | undefined)?.code,
})
const taken = { status: 200, body: 'OK', code: undefined }
const refused = { status: 403, body: '', code: undefined }

describe('a Web request', () => {
  it('is answered, and the answer is a Response', async () => {
    const onError = vi.fn()
    const response = webResponse(await desk.receiver.answer(post(callbackQuery())), onError)
    expect([response.status, await response.text(), response.headers.get('cache-control')]).toEqual([
      200,
      'OK',
      'no-store',
    ])
    expect(onError).not.toHaveBeenCalled()
  })

  it.each([
    ['text', (request: Request) => request.text()],
    ['bytes', async (request: Request) => new Uint8Array(await request.arrayBuffer())],
    ['FormData', (request: Request) => request.formData()],
    ['URLSearchParams', async (request: Request) => new URLSearchParams(await request.text())],
    ['an object', async (request: Request) => Object.fromEntries(new URLSearchParams(await request.text()))],
  ])('is taken after somebody made %s of its form, which is handed in', async (_what, parse) => {
    const request = post(callbackQuery())
    expect(summary(await desk.receiver.answer(request, { body: await parse(request) }))).toEqual(taken)
  })

  it.each([
    ['FormData', (request: Request) => request.formData()],
    ['URLSearchParams', async (request: Request) => new URLSearchParams(await request.text())],
  ])('is refused where %s has a parameter twice', async (_what, parse) => {
    const request = post(`${callbackQuery()}&status=approved`)
    expect(summary(await desk.receiver.answer(request, { body: await parse(request) }))).toEqual(refused)
    expect(desk.rejections).toMatchObject([{ reason: 'repeated-parameter' }])
  })

  it('is refused where a form that was parsed is longer than what is read', async () => {
    const request = post(callbackQuery({ comment: 'x'.repeat(70_000) }))
    expect(summary(await desk.receiver.answer(request, { body: await request.formData() }))).toEqual(refused)
    expect(desk.rejections).toMatchObject([{ reason: 'too-large' }])
  })

  it('is a mistake of ours where somebody read it and nothing is handed in', async () => {
    const read = post(callbackQuery())
    await read.text()
    const locked = post(callbackQuery())
    locked.body?.getReader()
    const begun = post(callbackQuery())
    const reader = begun.body?.getReader()
    await reader?.read()
    reader?.releaseLock()
    for (const request of [read, locked, begun]) {
      const answer = await desk.receiver.answer(request)
      expect(summary(answer)).toEqual({ status: 500, body: '', code: 'ERR_BODY_CONSUMED' })
      const onError = vi.fn()
      expect(webResponse(answer, onError).status).toBe(500)
      expect(onError).toHaveBeenCalledExactlyOnceWith(answer.error)
    }
  })

  it('is refused where its body ends in an error', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('status=approved'))
        controller.error(new Error('the connection is gone'))
      },
    })
    expect(summary(await desk.receiver.answer(post(body)))).toEqual(refused)
    expect(desk.rejections).toMatchObject([{ reason: 'cut-off' }])
  })

  it.each([
    ['announces too much', { 'content-type': formType, 'content-length': '70000' }, 'status=approved', 0],
    ['brings too much', { 'content-type': formType }, 'x'.repeat(40_000), 2],
  ])('is refused, and no more of it is read, where its body %s', async (_what, headers, piece, pieces) => {
    let pulled = 0
    const cancelled = vi.fn()
    const pull = (controller: ReadableStreamDefaultController) => {
      pulled += 1
      controller.enqueue(new TextEncoder().encode(piece))
    }
    const body = new ReadableStream({ pull, cancel: cancelled }, { highWaterMark: 0 })
    const answer = await desk.receiver.answer(post(body, headers))
    expect([summary(answer), answer.headers.Connection]).toEqual([refused, undefined])
    expect(desk.rejections).toMatchObject([{ reason: 'too-large' }])
    expect([pulled, cancelled.mock.calls.length]).toEqual([pieces, 1])
  })

  it('without a type is taken where it turns out to have no body, and refused where it has one', async () => {
    const address = `https://shop.example/callback?${callbackQuery()}`
    const stream = (pieces: readonly string[]) =>
      new Request(address, {
        method: 'POST',
        body: ReadableStream.from(pieces.map(each => new TextEncoder().encode(each))),
        duplex: 'half',
      } as RequestInit)
    expect(summary(await desk.receiver.answer(stream([])))).toEqual(taken)
    expect(summary(await desk.receiver.answer(stream(['{}'])))).toEqual(refused)
    expect(desk.rejections).toMatchObject([{ reason: 'media-type' }])
  })
})

describe('an answer', () => {
  it.each([
    ['a lookup of merchants that fails', 503, { merchant: () => Promise.reject(new Error('the database is away')) }],
    ['a handler that fails', 503, { onStatus: () => Promise.reject(new Error('the database is away')) }],
  ])('to %s is %i, with the error for the log and nothing for the sender', async (_what, status, own) => {
    desk = anyDesk(own)
    const answer = await desk.receiver.answer(post(callbackQuery()))
    expect([answer.status, answer.body, answer.headers]).toEqual([
      status,
      '',
      { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
    ])
    expect(String(answer.error)).toContain('the database is away')
  })

  it('comes with the context, for whoever asks in its name', async () => {
    const merchant = vi.fn(() => undefined)
    const onRejected = vi.fn()
    desk = anyDesk({ merchant, onRejected })
    await desk.receiver.answer(post(callbackQuery()), { context: 'shop of the north' })
    expect(merchant).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ orderId: '77' }), 'shop of the north')
    expect(onRejected).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ reason: 'unknown-merchant' }),
      'shop of the north',
    )
  })
})

describe('checkCallbackRequest', () => {
  const request = (key = controlKey) => new Request(`https://shop.example/callback?${callbackQuery({}, key)}`)

  it('says what is signed, and no key', async () => {
    const verdict = await checkCallbackRequest(request(), { controlKeys: [{ label: 'since May', key: controlKey }] })
    const signed = { status: 'approved', orderId: '77', clientOrderId: 'o-1' }
    expect(verdict).toEqual({ kind: 'verified', callback: { signed, unsigned: {}, keyLabel: 'since May' } })
  })

  it.each([
    ['control-mismatch', async () => 'another key'],
    ['unknown-merchant', async () => undefined],
  ])('says %s where the keys that are looked up are no help', async (reason, controlKeys) => {
    expect(await checkCallbackRequest(request(), { controlKeys })).toMatchObject({ kind: 'refused', reason })
  })

  it('reads no more than it may', async () => {
    const options = { controlKeys: controlKey, maxBodyBytes: 10 }
    expect(await checkCallbackRequest(post(callbackQuery()), options)).toMatchObject({ reason: 'too-large' })
  })
})
