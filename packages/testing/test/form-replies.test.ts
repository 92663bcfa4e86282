import { encodeForm } from '@tillkit/signing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway } from '../src/index.js'
import { card, customer, prepare } from './signed-request.js'

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway({ formReplies: true })
})
afterEach(() => gateway.close())

const fields = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', ...customer, ...card }

/** Sends a sale with any `Accept`, or none. */
async function sale(accept?: string, change: Record<string, string> = {}) {
  const { url, headers, parameters } = await prepare(gateway, 'sale', { ...fields, ...change })
  const { accept: _accept, ...rest } = headers
  return send(url, { ...rest, ...(accept === undefined ? {} : { accept }) }, encodeForm(parameters))
}

async function send(url: URL, headers: Record<string, string>, body: string) {
  const { dispatcher } = gateway.clientOptions
  const answer = await request(url, {
    method: 'POST',
    headers,
    body,
    ...(dispatcher === undefined ? {} : { dispatcher }),
  })
  return { status: answer.statusCode, type: answer.headers['content-type'], text: await answer.body.text() }
}

describe('form-encoded replies', () => {
  it('go to a client that asks for nothing, each value followed by a line feed', async () => {
    const { status, type, text } = await sale()
    expect([status, type]).toEqual([200, 'text/html;charset=utf-8'])
    expect(text).toMatch(
      /^type=async-response\n&serial-number=[0-9a-f-]{36}\n&merchant-order-id=o-1\n&paynet-order-id=\d+\n&end-point-id=39\n$/,
    )
  })

  it('go to a client that takes anything, as curl does', async () => {
    expect((await sale('*/*')).text).toContain('type=async-response\n&')
  })

  it('are what a reader of forms that trims its values makes the record of', async () => {
    const { text } = await sale(undefined, { clientOrderId: 'a b&c=d' })
    const read = [...new URLSearchParams(text)].map(([name, value]) => [name, value.trimEnd()])
    expect(Object.fromEntries(read)).toMatchObject({ type: 'async-response', 'merchant-order-id': 'a b&c=d' })
  })

  it('are JSON to a client that asks for it', async () => {
    const { type, text } = await sale('application/vnd.pay+json')
    expect(type).toBe('application/vnd.pay+json')
    expect(JSON.parse(text)).toMatchObject({ type: 'async-response', 'merchant-order-id': 'o-1' })
  })

  it('refuse a client that asks for JSON among others, in JSON', async () => {
    const { status, type, text } = await sale('application/vnd.pay+json, */*')
    expect([status, type]).toEqual([406, 'application/vnd.pay+json'])
    expect(JSON.parse(text)['error-message']).toContain('must equal')
  })

  it('come with HTTP 200 for a refusal, which the log knows by its own status', async () => {
    const { url, headers, parameters } = await prepare(gateway, 'sale', fields)
    const form = encodeForm(parameters.map(([name, value]) => [name, name === 'email' ? 'a@b.example' : value]))
    const { 'content-type': mediaType = '' } = headers
    const { status, text } = await send(url, { 'content-type': mediaType }, form)
    const read = new URLSearchParams(text)
    expect([status, read.get('type'), read.get('paynet-order-id')]).toEqual([200, 'error\n', null])
    expect(read.get('error-message')).toContain('email "a@b.example"')
    expect(gateway.calls('sale')).toMatchObject([{ verdict: 'refused', httpStatus: 401 }])
    const lost = await send(new URL(`${url.origin}/paynet/api/v9/none/39`), {}, '')
    expect([lost.status, lost.text.startsWith('type=')]).toEqual([200, true])
  })

  it('say of a stored card how its order ended, without which an older client takes them for a refusal', async () => {
    const reply = new URLSearchParams((await sale()).text)
    const ids = { clientOrderId: 'o-1', orderId: reply.get('paynet-order-id')?.trim() ?? '' }
    const { url, headers, parameters } = await prepare(gateway, 'createCardRef', ids)
    const { accept: _accept, ...rest } = headers
    const stored = new URLSearchParams((await send(url, rest, encodeForm(parameters))).text)
    expect([stored.get('type'), stored.get('status')]).toEqual(['create-card-ref-response\n', 'approved\n'])
    expect(stored.get('card-ref-id')).toMatch(/^\d+\n$/)
  })

  it('leave a failure its status', async () => {
    gateway.faults.arm('server-error-after-commit')
    const { status, text } = await sale()
    expect([status, new URLSearchParams(text).has('paynet-order-id')]).toEqual([500, false])
  })

  it('are off unless asked for', async () => {
    gateway = createFakeGateway()
    expect((await sale('*/*')).status).toBe(406)
  })
})
