import type { AttemptEnd } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { liveIntent, type Said, says } from '../../test/engine/live-intent.js'
import {
  declined,
  isOpen,
  livedPay,
  minute,
  newForm,
  nobodySays,
  opened,
  plan,
  second,
} from '../../test/engine/pay-life.js'
import { payment } from '../../test/state/payment-samples.js'
import { pay } from './pay.js'

const nowhere = { isReachable: () => false }

describe('till.pay', () => {
  it.each<[string, AttemptEnd, string]>([
    ['is refused', { kind: 'refused', at: 100_000 }, 'not-opened'],
    ['is not sent', { kind: 'not-sent', at: 100_000 }, 'not-opened'],
    ['is not answered', { kind: 'unknown', at: 100_000 }, 'wait basket-7, goes on'],
  ])('says so where its request %s', (_what, end, ending) => {
    expect(livedPay(undefined, { end })).toBe(`decides, sends basket-7, ${ending}`)
  })

  it.each<[string, Said, string]>([
    ['this gateway knows it', says('processing'), 'asks basket-7, elsewhere, known'],
    ['this gateway does not know it', { kind: 'refused' }, 'asks basket-7, elsewhere, gone'],
    ['it has ended', says('declined'), 'asks basket-7, decides, sends basket-7.2r, go https://gate.example/form/2'],
  ])('leads nobody to a form at another address, and %s', (_what, said, done) => {
    expect(livedPay(payment(isOpen), { answers: [said], plan: nowhere })).toBe(done)
  })

  it('tells what status has brought to light before it opens the next order', () => {
    const untold = payment({ ...isOpen, attempts: [opened] })
    const script = { answers: [says('declined')], end: newForm, at: 31 * minute }
    const { kinds } = liveIntent(pay({ ...plan, lease: 30 * second }), untold, script)
    expect(kinds).toEqual(['read', 'ask', 'write', 'handle', 'read', 'write', 'request', 'write', 'end'])
  })

  it('names the orders of which nobody could say how they stand', () => {
    const { result } = liveIntent(pay(plan), payment(declined), { answers: [nobodySays] })
    expect(result.missing).toEqual([{ clientOrderId: 'basket-7', login: 'merchant', asked: 'no-answer' }])
  })
})
