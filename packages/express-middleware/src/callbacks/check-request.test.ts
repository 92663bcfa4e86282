import { defineProfile } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callbackQuery, controlKey } from '../../test/callback-desk.js'
import { checkCallbackRequest } from './check-request.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const callback = () => new Request(`https://shop.example/callback?${callbackQuery()}`)

describe('checkCallbackRequest', () => {
  it('does not hang on keys that are never found', async () => {
    let begin = (): void => undefined
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    const lookUp = () => {
      begin()
      return new Promise<undefined>(() => undefined)
    }
    let code: unknown
    const checking = checkCallbackRequest(callback(), { controlKeys: lookUp }).catch(error => {
      code = error.code
    })
    await begun
    await vi.advanceTimersByTimeAsync(4_999)
    expect(code).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await checking
    expect(code).toBe('ERR_CALLBACK_UNSETTLED')
  })

  it('takes no profile that signs less than is given out as signed', async () => {
    const profile = defineProfile({ callbackItems: ['status', 'orderId'] })
    await expect(checkCallbackRequest(callback(), { controlKeys: controlKey, profile })).rejects.toThrow(TypeError)
  })
})
