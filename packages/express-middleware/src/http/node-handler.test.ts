import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { OrderMismatchError } from '../config/errors.js'
import { emptyAnswer } from './answer.js'
import { type Core, nodeHandler } from './node-handler.js'

type AnyCore = Core<IncomingMessage, ServerResponse>

async function handle(
  core: AnyCore,
  next: ((error?: unknown) => void) | undefined,
  unheard?: (error: unknown) => void,
) {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  await nodeHandler('testHandler', core, unheard)(request, response, next)
  return response
}

const error = new OrderMismatchError('another order', { status: 502 })

describe('nodeHandler', () => {
  it('names the handler, for stack traces', () => {
    expect(nodeHandler('testHandler', async () => 'next').name).toBe('testHandler')
  })

  it('sends an answer', async () => {
    const response = await handle(async () => ({ ...emptyAnswer(200), body: 'OK' }), vi.fn())
    expect([response.statusCode, response.writableEnded]).toEqual([200, true])
  })

  it('sends nothing over an answer of another middleware', async () => {
    const next = vi.fn()
    const core: AnyCore = async (_request, response) => {
      response.writeHead(504).end()
      return emptyAnswer(200)
    }
    expect((await handle(core, next)).statusCode).toBe(504)
    expect(next).not.toHaveBeenCalled()
  })

  it.each<[string, AnyCore]>([
    ['is in the answer', async () => ({ ...emptyAnswer(502), error })],
    ['was thrown', () => Promise.reject(error)],
  ])('sets the status before it hands on an error that %s', async (_case, core) => {
    const next = vi.fn()
    expect((await handle(core, next)).statusCode).toBe(502)
    expect(next).toHaveBeenCalledExactlyOnceWith(error)
  })

  it('takes 500 for an error that is not of this package', async () => {
    expect((await handle(() => Promise.reject(new Error('db')), vi.fn())).statusCode).toBe(500)
  })

  it('answers an error where there is no next, and reports it', async () => {
    const unheard = vi.fn()
    const response = await handle(async () => ({ ...emptyAnswer(503), error }), undefined, unheard)
    expect([response.statusCode, response.writableEnded]).toEqual([503, true])
    expect(unheard).toHaveBeenCalledExactlyOnceWith(error)
  })

  it('goes on to the next handler, or leaves the response to a function that has answered', async () => {
    const next = vi.fn()
    await handle(async () => 'answered', next)
    expect(next).not.toHaveBeenCalled()
    await handle(async () => 'next', next)
    expect(next).toHaveBeenCalledExactlyOnceWith()
  })
})
