import { describe, expect, it } from 'vitest'
import type { RequestDispatcher } from '../src/index.js'
import { capturing } from './capturing-dispatcher.js'
import { failingCalls } from './failing-calls.js'
import { type Behaviour, reply } from './gateway-server.js'
import { withHeldTime } from './held-time.js'
import { oneTurn } from './recorded-attempts.js'
import { acceptedBody, saleRequest } from './sample-requests.js'

const { now, open, failures, expectUnknown } = failingCalls()

const timeout = 60_000

describe('a connection that breaks', () => {
  it('leaves the outcome unknown when the other side hangs up before an answer', async () => {
    await expectUnknown(socket => socket.destroy(), 'ERR_TRANSPORT')
  })

  it('leaves the outcome unknown when the other side resets the connection', async () => {
    await expectUnknown(socket => socket.resetAndDestroy(), 'ERR_TRANSPORT')
  })

  it('leaves the outcome unknown when the other side hangs up within the headers', async () => {
    await expectUnknown(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'), 'ERR_TRANSPORT')
  })

  it('leaves the outcome unknown when the other side hangs up within the body', async () => {
    const { sale } = await expectUnknown((socket, request) => {
      reply({ body: acceptedBody, length: acceptedBody.length + 10 })(socket, request)
      socket.end()
    }, 'ERR_TRANSPORT')
    expect(sale).toMatchObject({ cause: { phase: 'receiving' } })
  })

  it('leaves the outcome unknown when the answer is no HTTP', async () => {
    await expectUnknown(socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'ERR_TRANSPORT')
  })

  it('leaves the outcome unknown when the deadline passes before an answer', async () => {
    await withHeldTime(async pass => {
      const { sale } = await expectUnknown(() => pass(timeout), 'ERR_TRANSPORT', { timeout })
      expect(sale.message).toContain('no answer within 60000 ms')
      expect(sale).toMatchObject({ cause: { phase: 'sending' } })
    })
  })

  it('leaves the outcome unknown when the deadline passes within the answer', async () => {
    const begins = reply({ body: acceptedBody, length: acceptedBody.length + 10 })
    await withHeldTime(async pass => {
      const behaviour: Behaviour = async (socket, request) => {
        begins(socket, request)
        for (let turns = 0; turns < 10; turns += 1) await oneTurn()
        pass(timeout)
      }
      await expectUnknown(behaviour, 'ERR_TRANSPORT', { timeout })
    })
  })

  it('leaves the outcome unknown when the caller aborts after the start', async () => {
    const controller = new AbortController()
    now.server.behave(() => controller.abort(new Error('the shop is closing')))
    const call = now.client.sale(saleRequest, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { code: 'ERR_TRANSPORT' } })
    await expect(call).rejects.toThrow('the shop is closing')
  })

  it('does not send when the caller has aborted before', async () => {
    const call = now.client.sale(saleRequest, { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
    expect(now.server.arrived).toHaveLength(0)
  })
})

describe('a connection that cannot be made', () => {
  it('is not sent, and says so for operations of every kind', async () => {
    await now.server.close()
    const { sale, capture, status } = await failures(() => {})
    for (const error of [sale, capture, status]) {
      expect(error).toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false, cause: { code: 'ECONNREFUSED' } })
      expect(error.message).toContain('Nothing left this machine')
    }
    expect(now.server.arrived).toHaveLength(0)
    expect(now.ends.map(end => end?.kind)).toEqual(['not-sent', 'not-sent'])
  })
})

describe('a closed client', () => {
  const message = 'The sale request of order "o-1" was not sent: this client was closed.'

  it('sends nothing and says why', async () => {
    await now.client.close()
    const call = now.client.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false, clientOrderId: 'o-1' })
    await expect(call).rejects.toThrow(message)
    await expect(call).rejects.not.toThrow(/network/)
    expect(now.server.arrived).toHaveLength(0)
  })

  it('sends nothing over a dispatcher of the caller’s either', async () => {
    const { dispatcher, captured } = capturing(acceptedBody)
    const client = open({ dispatcher })
    await client.close()
    await expect(client.sale(saleRequest)).rejects.toThrow(message)
    expect(captured).toHaveLength(0)
  })

  it('does not try a second time what never started', async () => {
    let tries = 0
    const dispatcher: RequestDispatcher = {
      reportsStart: true,
      dispatch() {
        tries += 1
        void client.close()
        throw new Error('pool is exhausted')
      },
    }
    const client = open({ dispatcher })
    await expect(client.sale(saleRequest)).rejects.toThrow('pool is exhausted. Nothing left this machine')
    expect(tries).toBe(1)
  })
})
