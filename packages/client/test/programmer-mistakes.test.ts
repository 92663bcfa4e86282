/** Mistakes of programmers who ask about an order: each names what is wrong and how to ask, and nothing is sent. */

import { operations } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../src/index.js'
import { startWatching, type Watching } from './watching.js'

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

const order = { clientOrderId: 'o-1', orderId: '77' }
const question = { ...order, stages: ['sale'] }

/** Calls as nobody could write them with types. */
type Loose = { readonly [Method in keyof Client]: (...values: readonly unknown[]) => unknown }

describe('a mistake in a question about an order', () => {
  it.each<[string, (client: Loose) => unknown]>([
    [
      '"serialNumber" is empty, has white space',
      client => client.awaitOutcome({ ...order, stages: ['void'], serialNumber: 'sn-1 ' }),
    ],
    [
      'the wait has no option "deadlin". Did you mean "deadline"?',
      client => client.awaitOutcome(question, { deadlin: 5 }),
    ],
    ['Did you mean "deadline"?', client => client.awaitOutcome(question, { deadlin: 5 })],
    ['the wait has no option "retries". It has: deadline, ', client => client.awaitOutcome(question, { retries: 5 })],
    ['An outcome is asked for with', client => client.awaitOutcome(undefined)],
    ['the wait needs an object with options', client => client.awaitOutcome(question, null)],
    ['has no field "ammount"', client => client.awaitOutcome({ ...question, ammount: '10.00' })],
    [
      '"shownSteps" must be those of an earlier outcome',
      client => client.awaitOutcome(question, { shownSteps: 'method' }),
    ],
    ['"clientOrderId" of the callback is undefined', async client => client.wake(undefined)],
    ['"clientOrderId" of the callback is 7', async client => client.wake({ clientOrderId: 7 })],
  ])('says %s', async (text, ask) => {
    const asked = Promise.resolve(ask(watching.client as unknown as Loose))
    await expect(asked).rejects.toThrow(TypeError)
    await expect(asked).rejects.toThrow(text)
    expect(watching.gateway.calls('status')).toHaveLength(0)
  })
})

describe('a mistake in how a client is used', () => {
  const sale = operations.sale
  it.each<[string, (client: Loose) => unknown]>([
    ['client.send is undefined and no operation', client => client.send()],
    ['client.send is "sale" and no operation', client => client.send('sale', order)],
    ['client.send is of type object and no operation', client => client.send({}, order)],
    ['client.send is of type object and no operation', client => client.send({ ...sale, effect: 'sale' }, order)],
    ['client.send is of type object and no operation', client => client.send({ ...sale, signing: 'control' }, order)],
    ['client.send is of type object and no operation', client => client.send({ ...sale, required: undefined }, order)],
    ['the request must be an object', client => client.send(sale)],
    ['the call needs an object with options', client => client.send(operations.status, order, 5000)],
    ['the call has no option "attemptId"', client => client.capture(order, { attemptId: 'parcel-2' })],
  ])('says %s', async (text, use) => {
    const used = Promise.resolve(use(watching.client as unknown as Loose))
    await expect(used).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', moneyMayHaveMoved: false })
    await expect(used).rejects.toThrow(text)
    expect(watching.gateway.calls()).toHaveLength(0)
  })

  it.each([
    [null, 'check() needs an object with options.'],
    [5, 'check() needs an object with options.'],
    [{ timeuot: 1 }, 'check() has no option "timeuot". Did you mean "timeout"?'],
    [{ schemes: ['sha1'] }, '"schemes" of check() may hold control, '],
  ])('refuses to check with %j', async (options, text) => {
    const checked = watching.client.check(options as never)
    await expect(checked).rejects.toThrow(TypeError)
    await expect(checked).rejects.toThrow(text)
    expect(watching.gateway.calls()).toHaveLength(0)
  })
})
