import { describe, expect, it } from 'vitest'
import { tillWarnings, type WarningCode } from './warnings.js'

function said(code: WarningCode, reason?: string): string {
  const warned: string[] = []
  const emit = (message: string, code: string) => void warned.push(`${code} ${message}`)
  tillWarnings({ clock: () => 0, emit })(code, { ...(reason === undefined ? {} : { reason }), explanation: 'E.' })
  return warned.join()
}

describe('tillWarnings', () => {
  it.each([
    ['unmatched', 'take callbacks the same store, "name" and "environment"'],
    ['unmatched', 'lost from the store, or made at the gateway or by another system? Then till.adopt('],
    ['unknown-order', 'take customers back the same store, "name" and "environment"'],
    ['unknown-order', 'lost from the store? Then till.adopt('],
    ['no-answer', 'till.check() says'],
    ['control-mismatch', 'Compare your control key'],
  ])('says what to do about %s', (reason, cure) => {
    expect(said('WARN_WORK_POSTPONED', reason)).toContain(cure)
  })

  it('names the option that is told each time, where there is one', () => {
    expect(said('WARN_CALLBACK_REFUSED')).toMatch(
      /^WARN_CALLBACK_REFUSED A callback was refused with 403: E\. .*set "onRejected"/,
    )
    for (const code of ['WARN_CUSTOMER_REFUSED', 'WARN_3D_SECURE_STUCK', 'WARN_STORE_FAILED'] as const)
      expect(said(code)).toMatch(/: E\. This is said at most once a minute\.$/)
  })
})
