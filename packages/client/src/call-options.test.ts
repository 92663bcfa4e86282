import { operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { readCallOptions } from './call-options.js'
import type { CallOptions } from './options.js'

const subject = { name: 'status', row: operations.status, clientOrderId: 'o-1', orderId: undefined }
const settings = { endpoint: { id: '39', isGroup: false }, timeout: 30_000 }
const read = (options: unknown) => readCallOptions(options as CallOptions, { subject, settings })

describe('readCallOptions', () => {
  it('fills in the client’s', () => {
    expect(read({})).toEqual({ ...settings, signal: undefined, attemptId: undefined })
  })

  it('takes those of the call instead', () => {
    const signal = new AbortController().signal
    const endpoint = { id: '7', isGroup: true }
    expect(read({ endpointGroupId: 7, timeout: 5, signal, attemptId: 'a' })).toEqual({
      endpoint,
      timeout: 5,
      signal,
      attemptId: 'a',
    })
  })

  it.each([
    [{ timeOut: 5 }, 'timeOut', 'Did you mean "timeout"?'],
    [{ attemptID: 'a' }, 'attemptID', 'Did you mean "attemptId"?'],
    [{ idempotencyKey: 'a' }, 'idempotencyKey', 'no option of a call. Known are endpointId, '],
    [{ endpointId: 1, endpointGroupId: 2 }, 'endpointId', 'both were given'],
    [{ signal: 'now' }, 'signal', 'no AbortSignal'],
    [{ attemptId: ' ' }, 'attemptId', 'empty'],
    [{ timeout: '30s' }, 'timeout', '"timeout" is "30s"'],
    [null, 'options', 'must be an object'],
    [3, 'options', 'must be an object'],
  ])('refuses %j', (options, field, message) => {
    expect(() => read(options)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_REQUEST', field }))
    expect(() => read(options)).toThrow(message)
  })
})
