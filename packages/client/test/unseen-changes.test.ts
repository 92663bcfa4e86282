/** What `client.order` makes of changes that an attempts port remembers and status does not show, against the fake gateway. */

import type { Attempt, AttemptsPort } from '@tillkit/protocol'
import { memoryStore } from '@tillkit/protocol'
import { hangUp } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Client, type ClientOptions, memoryAttempts } from '../src/index.js'
import { ids, saleOf, startWatching, type Watching } from './watching.js'

const part = { amount: '3.00', currency: 'EUR' } as const
const nothing = { capture: false, void: false, return: undefined }

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

/** A sale that a client with this port has made. */
async function sold(attempts: AttemptsPort, options: Partial<ClientOptions> = {}) {
  const client = watching.another({ attempts, ...options })
  const { orderId, serialNumber } = await client.sale(saleOf('123'))
  return { client, order: ids(orderId), saleNumber: String(serialNumber) }
}

const returned = async (client: Client, order: ReturnType<typeof ids>, attemptId = 'return-1') =>
  String((await client.return({ ...order, ...part }, { attemptId })).serialNumber)

describe('client.order, with an attempts port', () => {
  it('does not take one return that status shows for another that it does not show', async () => {
    const { client, order, saleNumber } = await sold(memoryAttempts())
    const [first, second] = [await returned(client, order), await returned(client, order, 'return-2')]
    const lagging = await client.order({ ...order, serialNumbers: [saleNumber, first] })
    expect(lagging).toMatchObject({ totals: undefined, allowed: nothing })
    expect(lagging.remarks.join(' ')).toContain(`Ask with its serial number, "${second}"`)
    const whole = await client.order({ ...order, serialNumbers: [saleNumber, first, second] })
    expect(whole).toMatchObject({ totals: { returned: '6.00' }, allowed: { return: 'reversal' } })
  })

  it('takes a return that status shows without a number for the one that was sent', async () => {
    const { client, order } = await sold(memoryAttempts())
    await returned(client, order)
    const seen = await client.order(order)
    expect(seen).toMatchObject({ stages: [{ stage: 'reversal' }] })
    expect(seen.remarks.join(' ')).not.toContain('does not show it')
  })

  it('takes a return of which the number was lost for the one that status shows', async () => {
    const attempts = memoryAttempts()
    const { client, order, saleNumber } = await sold(attempts)
    watching.gateway.faults.arm('commit-then-drop')
    const { attempt } = await client.return({ ...order, ...part }, { attemptId: 'return-1' }).catch(error => error)
    await attempts.settled(attempt, { kind: 'accepted', basis: 'person', note: 'ticket 4711', at: 1 })
    const made = watching.gateway.orders.find('o-1')?.stages.at(-1)?.serialNumbers ?? []
    const seen = await client.order({ ...order, serialNumbers: [saleNumber, ...made] })
    expect(seen).toMatchObject({ totals: { captured: '10.42', returned: '3.00' }, allowed: { return: 'reversal' } })
  })

  it('does not take a return that status shows for a capture that it does not show', async () => {
    const client = watching.another({ store: memoryStore() })
    const { orderId } = await client.preauth(saleOf('123'))
    const order = ids(orderId)
    const { serialNumber } = await client.capture({ ...order, ...part }, { attemptId: 'capture-1' })
    const reversal = { status: 'approved', transactionType: 'reversal', ...order, amount: '1.00', currency: 'EUR' }
    watching.answerStatus(reversal)
    const seen = await client.order(order)
    expect(seen).toMatchObject({ stages: [{ stage: 'reversal' }], totals: undefined, allowed: nothing })
    expect(seen.remarks.join(' ')).toContain(`Ask with its serial number, "${serialNumber}"`)
  })

  it.each([
    ['was refused', () => ({ type: 'validation-error', httpStatus: 400, errorCode: '8', errorMessage: 'No' })],
    ['was not sent', undefined],
  ])('says nothing of a change that %s', async (_, answer) => {
    const attempts = memoryAttempts()
    const { client, order } = await sold(attempts)
    const sender = answer === undefined ? watching.another({ attempts, baseUrl: 'http://127.0.0.1:1' }) : client
    if (answer !== undefined) watching.gateway.handle({ return: answer as never })
    await expect(sender.return({ ...order, ...part }, { attemptId: 'return-1', timeout: 2_000 })).rejects.toMatchObject(
      {
        code: answer === undefined ? 'ERR_NOT_SENT' : 'ERR_REQUEST_REFUSED',
      },
    )
    expect(attempts.list().at(-1)?.operation).toBe('return')
    const seen = await client.order(order)
    expect(seen).toMatchObject({ totals: { captured: '10.42' }, allowed: { return: 'reversal' }, remarks: [] })
  })

  it('allows nothing while a change has not ended, as after a crash', async () => {
    const attempts = memoryAttempts()
    const port: AttemptsPort = { ...attempts, settled: async () => {} }
    const { order } = await sold(attempts)
    const crashing = watching.another({ attempts: port })
    const serialNumber = await returned(crashing, order)
    const seen = await crashing.order({ ...order, serialNumbers: [serialNumber] })
    expect(seen).toMatchObject({ stages: [{ stage: 'reversal' }], totals: undefined, allowed: nothing })
    expect(seen.remarks.join(' ')).toContain('its outcome is open: resolve it')
  })

  it('tells of a resolved change by what it was resolved to', async () => {
    const attempts = memoryAttempts()
    const { client, order } = await sold(attempts)
    watching.gateway.handle({ return: () => hangUp() })
    const { attempt } = await client.return({ ...order, ...part }, { attemptId: 'return-1' }).catch(error => error)
    await attempts.settled(attempt, { kind: 'no-trace', basis: 'person', note: 'ticket 4711', at: 1 })
    expect(await client.order(order)).toMatchObject({ totals: { captured: '10.42' }, remarks: [] })
    await attempts.settled(attempt, { kind: 'accepted', basis: 'person', note: 'ticket 4712', at: 2 })
    const seen = await client.order(order)
    expect(seen).toMatchObject({ totals: undefined, allowed: nothing })
    expect(seen.remarks.join(' ')).toMatch(/was accepted, and status does not show it.*Ask again later\./)
  })

  it.each([
    ['never answers', () => new Promise<never>(() => {})],
    ['throws at once', () => JSON.parse('')],
    ['answers with nothing', async () => undefined],
    ['answers with no list', async () => ({ rows: [] })],
    ['answers with what are no attempts', async () => [{ id: 1 }]],
  ])('allows nothing where the port %s', async (_, changesOf) => {
    const port = { ...memoryAttempts(), changesOf } as AttemptsPort
    const { client, order } = await sold(port)
    const seen = await client.order(order)
    expect(seen).toMatchObject({ stages: [{ stage: 'sale' }], totals: undefined, allowed: nothing })
    expect(seen.remarks.join(' ')).toContain('The attempts port did not say which changes of this order were sent')
  })

  it('waits five seconds for the port, and no longer once it has answered', async () => {
    const pauses: [number, AbortSignal | undefined][] = []
    const wait = (milliseconds: number, signal?: AbortSignal) => {
      pauses.push([milliseconds, signal])
      return new Promise<void>(() => {})
    }
    const attempts = memoryAttempts()
    const changesOf: AttemptsPort['changesOf'] = async attempt => {
      await new Promise(resolve => setImmediate(resolve))
      return attempts.changesOf(attempt)
    }
    const { client, order } = await sold({ ...attempts, changesOf }, { wait })
    pauses.length = 0
    expect(await client.order(order)).toMatchObject({ remarks: [] })
    expect(pauses.map(([milliseconds, signal]) => [milliseconds, signal?.aborted])).toEqual([[5_000, true]])
  })

  it('asks the port about this very order of the merchant that is asked for', async () => {
    const asked: Attempt[] = []
    const attempts = memoryAttempts()
    const changesOf: AttemptsPort['changesOf'] = attempt => {
      asked.push(attempt)
      return attempts.changesOf(attempt)
    }
    const { client, order } = await sold({ ...attempts, changesOf })
    asked.length = 0
    const { login, controlKey, endpointId } = watching.gateway.clientOptions
    const other = watching.another({
      login: 'another',
      controlKey: 'key-of-another',
      attempts: { ...attempts, changesOf },
    })
    await other.order(order, { merchant: { login, controlKey, endpointId } as never })
    await client.order(order)
    expect(asked).toMatchObject([
      { login, effect: 'changes', ...order },
      { login, effect: 'changes', ...order },
    ])
  })
})
