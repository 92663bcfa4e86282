import { operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { readCallOptions, readPrepareOptions } from './call-options.js'
import type { CallOptions, PrepareOptions } from './options.js'
import type { Settings } from './settings.js'

const subject = { name: 'status', row: operations.status, clientOrderId: 'o-1', orderId: undefined }
const endpoint = { id: '39', isGroup: false }
const numbers = { timeout: 30_000, freshConnection: true, retries: 2 }
const settings = { endpoint, ...numbers, login: 'a', merchants: new WeakMap() } as unknown as Settings
const read = (options: unknown) => readCallOptions(options as CallOptions, { subject, settings })
const readPrepared = (options: unknown) => readPrepareOptions(options as PrepareOptions, { subject, settings })

describe('readCallOptions', () => {
  it.each([{}, undefined])('fills in the client’s for %j', options => {
    const expected = { settings, endpoint, ...numbers, freshConnection: false, signal: undefined, attemptId: undefined }
    for (const _ of [1, 2]) expect(read(options)).toEqual(expected)
  })

  it('takes those of the call instead', () => {
    const signal = new AbortController().signal
    const options = { endpointGroupId: 7, timeout: 5, signal, freshConnection: true, retries: 0 }
    const expected = {
      settings,
      endpoint: { id: '7', isGroup: true },
      timeout: 5,
      signal,
      freshConnection: true,
      retries: 0,
    }
    expect(read(options)).toEqual(expected)
    const person = { who: 'jane', why: 'ticket 4711' }
    expect(readPrepared({ ...options, attemptId: ' a ', person })).toEqual({ ...expected, attemptId: 'a', person })
  })

  it.each([{}, undefined])('opens a connection of its own for money where the client says so, for %j', options => {
    const sale = { ...subject, name: 'sale', row: operations.sale }
    const ofOthers = { ...settings, freshConnection: false }
    for (const _ of [1, 2]) {
      expect(readCallOptions(options, { subject: sale, settings }).freshConnection).toBe(true)
      expect(read(options).freshConnection).toBe(false)
      expect(readCallOptions(options, { subject: sale, settings: ofOthers }).freshConnection).toBe(false)
    }
  })

  it.each([
    [{ freshConnection: 'yes' }, 'freshConnection', '"freshConnection" is "yes"; it must be true or false'],
    [{ retries: -1 }, 'retries', '"retries" is -1; it must be a whole number from 0'],
    [{ timeOut: 5 }, 'timeOut', 'Did you mean "timeout"?'],
    [{ attemptId: 'a' }, 'attemptId', 'the call has no option "attemptId". It has: endpointId, '],
    [{ idempotencyKey: 'a' }, 'idempotencyKey', 'the call has no option "idempotencyKey". It has: endpointId, '],
    [{ endpointId: 1, endpointGroupId: 2 }, 'endpointId', 'both were given'],
    [{ signal: 'now' }, 'signal', 'it must be an AbortSignal'],
    [{ timeout: '30s' }, 'timeout', '"timeout" is "30s"'],
    [{ merchant: 'b' }, 'merchant', '"merchant" cannot be used: It is no object'],
    [{ merchant: null }, 'merchant', 'no object'],
    [{ merchant: {} }, 'merchant', '"login" is missing. An environment variable'],
    [
      { merchant: { login: 'b', controlkey: 'k' } },
      'merchant',
      'a merchant has no option "controlkey". Did you mean "controlKey"?',
    ],
    [{ merchant: { login: 'b', controlKey: ' k' } }, 'merchant', '"controlKey" begins or ends with white space'],
    [{ merchant: { login: 'b', privateKey: 'x' } }, 'merchant', '"privateKey" cannot be used. This is not a PEM key'],
    [{ merchant: { login: 'b', endpointId: '07' } }, 'merchant', '"endpointId" is "07"'],
    [{ merchant: { login: 'b', endpointId: 1, endpointGroupId: 2 } }, 'merchant', 'both were given'],
    [
      { merchant: { login: 'b' } },
      'endpointId',
      '"merchant" is "b" and names no endpoint, and the client\'s is of "a"',
    ],
    [null, 'options', 'the call needs an object with options'],
    [3, 'options', 'the call needs an object with options'],
  ])('refuses %j', (options, field, message) => {
    expect(() => read(options)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_REQUEST', field }))
    expect(() => read(options)).toThrow(message)
  })
})

describe('readPrepareOptions', () => {
  it.each([
    [{ attemptID: 'a' }, 'attemptID', 'Did you mean "attemptId"?'],
    [{ attemptId: ' ' }, 'attemptId', 'empty'],
    [{ person: { who: 'jane' } }, 'person', '"person'],
    [{ retries: -1 }, 'retries', '"retries" is -1; it must be a whole number from 0'],
    [null, 'options', 'the call needs an object with options'],
  ])('refuses %j', (options, field, message) => {
    expect(() => readPrepared(options)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_REQUEST', field }))
    expect(() => readPrepared(options)).toThrow(message)
  })
})
