import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readBody } from './parameters.js'

const incoming = (headers: Readonly<Record<string, string>> = {}) =>
  Object.assign(new IncomingMessage(new Socket()), { headers })

describe('readBody', () => {
  it('joins what comes in pieces', async () => {
    const request = incoming()
    const body = readBody(request, 10)
    for (const piece of ['sta', 'tus', null]) request.push(piece)
    expect(await body).toEqual(Buffer.from('status'))
  })

  it('takes text for the bytes it was, where a middleware has called setEncoding', async () => {
    const request = incoming()
    request.setEncoding('latin1')
    const body = readBody(request, 10)
    for (const piece of [Buffer.from([0x61, 0xe9]), null]) request.push(piece)
    expect(await body).toEqual(Buffer.from([0x61, 0xe9]))
  })

  it('counts bytes, not letters', async () => {
    const request = incoming()
    request.setEncoding('utf8')
    const body = readBody(request, 3)
    request.push(Buffer.from('éé'))
    expect(await body).toBe('too-large')
  })

  it('reads a body whose length is announced by no number, which a server of another kind may let through', async () => {
    const request = incoming({ 'content-length': '6, 6' })
    const body = readBody(request, 6)
    for (const piece of ['status', null]) request.push(piece)
    expect(await body).toEqual(Buffer.from('status'))
  })

  it('takes exactly as many bytes as it may', async () => {
    const request = incoming()
    const body = readBody(request, 6)
    for (const piece of ['status', null]) request.push(piece)
    expect(await body).toEqual(Buffer.from('status'))
  })

  it('stops at one byte more, and leaves nothing listening', async () => {
    const request = incoming()
    const body = readBody(request, 5)
    request.push('status')
    expect(await body).toBe('too-large')
    expect(request.listenerCount('data')).toBe(0)
  })

  it('does not begin with a body that announces too much', async () => {
    const request = incoming({ 'content-length': '9007199254740993' })
    expect(await readBody(request, 5)).toBe('too-large')
    expect(request.readableDidRead).toBe(false)
  })

  it('ends with the request, even if nothing says why', async () => {
    const request = incoming()
    const body = readBody(request, 5)
    request.destroy()
    expect(await body).toBe('cut-off')
  })
})
