import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { knownOrder as order, secondOrder as other } from '../../test/engine/known-sale.js'
import { liveIntent, type Said, says } from '../../test/engine/live-intent.js'
import { payment } from '../../test/state/payment-samples.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownOrder } from '../state/known.js'
import { type CallbackPlan, callback, notShown } from './callback.js'

const plan: CallbackPlan = {
  about: { clientOrderId: 'basket-7', login: 'merchant' },
  orderId: '77',
  callbacks: [],
  profile: defaultProfile,
  lease: 30_000,
}
const called = (status: string): CallbackPlan['callbacks'] => [
  { signed: { status, orderId: '77', clientOrderId: 'basket-7' }, unsigned: {} },
]

/** A sale that was approved, and told. */
const soldBefore = {
  stage: 'sale',
  status: 'approved',
  outcome: 'approved',
  amount: '10.00',
  currency: 'EUR',
  askedAt: 1,
  corrections: [],
  told: 1,
} as const

/** Lives it against answers in their order. */
const lived = (plan: CallbackPlan, known: PaymentDocument | undefined, ...answers: readonly Said[]) =>
  liveIntent(callback(plan), known, { answers })

describe('callback', () => {
  it('writes down what status says together with the lease, and then that it was told', () => {
    const { kinds, asked, last, result } = lived(plan, payment(order), says('approved'))
    expect(kinds).toEqual(['read', 'ask', 'write', 'handle', 'write', 'end'])
    expect(asked).toEqual(['basket-7'])
    expect(last?.orders[0]?.stages).toMatchObject([{ stage: 'sale', outcome: 'approved', told: 1 }])
    expect(result).toMatchObject({ kind: 'asked', isWhole: true, delivered: { kind: 'told' } })
  })

  it('asks nothing about an order that is not kept, or is purged', () => {
    const without = lived(plan, undefined)
    expect([without.kinds, without.result]).toEqual([['read', 'end'], { kind: 'no-order' }])
    expect(lived(plan, { ...payment(order), over: { at: 1 } } as unknown as PaymentDocument).result.kind).toBe(
      'no-order',
    )
  })

  describe('in a restored store', () => {
    const lost = {
      rules: { mostOrders: 3 },
      accounts: [{ login: 'merchant', baseUrl: 'https://gate.example/paynet', profile: defaultProfile }],
      madeUp: 'never-1',
    }
    const declined: KnownOrder = {
      ...order,
      stages: [{ ...soldBefore, status: 'declined', outcome: 'declined' }],
    }
    const { orderId: _none, ...withoutId } = order
    const notSent: KnownOrder = {
      ...withoutId,
      clientOrderId: 'basket-7.2r',
      attempts: order.attempts.map(each => ({
        ...each,
        clientOrderId: 'basket-7.2r',
        reservation: 'r-2',
        end: { kind: 'not-sent', at: 2_000 },
      })),
      stages: [],
    }
    const never: Said = { kind: 'never-seen', cause: undefined } as Said
    const look = (known: PaymentDocument, until: number, ...answers: readonly Said[]) =>
      liveIntent(callback({ ...plan, lost }), known, { answers, marks: { restoredUntil: until } })

    it('looks for later orders, and adopts what is there', () => {
      const there = says('approved', { clientOrderId: 'basket-7.3r', orderId: '79' })
      const { asked, last } = look(payment(declined), 200_000, says('declined'), never, there)
      expect(asked).toEqual(['basket-7', 'basket-7.2r', 'basket-7.3r'])
      expect(last?.orders[1]).toMatchObject({ clientOrderId: 'basket-7.3r', adoptedAt: 100_000, stages: [{ told: 1 }] })
    })

    it('looks for one that was not sent before the backup, as well', () => {
      const there = says('approved', { clientOrderId: 'basket-7.2r', orderId: '78' })
      const { asked, last } = look(payment(declined, notSent), 200_000, says('declined'), there)
      expect(asked.slice(0, 2)).toEqual(['basket-7', 'basket-7.2r'])
      expect(last?.orders[1]?.stages).toMatchObject([{ stage: 'sale', outcome: 'approved' }])
    })

    it('looks no more once that is over', () => {
      expect(look(payment(declined), 90_000, says('declined')).asked).toEqual(['basket-7'])
    })
  })

  describe('that names another order of the gateway than the known one', () => {
    const other: CallbackPlan = {
      ...plan,
      orderId: '99',
      callbacks: called('approved').map(({ signed, ...each }) => ({ ...each, signed: { ...signed, orderId: '99' } })),
    }
    const told = { ...order, stages: [soldBefore] }

    it('asks by both ids, takes up the order that status shows, and tells it', () => {
      const { kinds, last, asked, result } = lived(
        other,
        payment(told),
        says('approved', { orderId: '99' }),
        says('approved'),
      )
      // The known order is asked about once more, since one was approved beside it.
      expect(asked).toEqual(['basket-7~99', 'basket-7'])
      expect(kinds).toEqual(['read', 'ask', 'write', 'ask', 'write', 'handle', 'write', 'end'])
      expect(last?.orders).toMatchObject([
        { clientOrderId: 'basket-7', orderId: '77', stages: [{ told: 1 }] },
        { clientOrderId: 'basket-7~99', orderId: '99', stages: [{ stage: 'sale', outcome: 'approved', told: 1 }] },
      ])
      expect(result).toMatchObject({ kind: 'asked', delivered: { kind: 'told' } })
      // It comes again.
      const again = lived(other, last, says('approved', { orderId: '99' }), says('approved'))
      expect(again.result).toMatchObject({ kind: 'asked', delivered: { kind: 'nothing' } })
      expect(again.last?.facts).toEqual(last?.facts)
    })

    it('asks nothing where its word ends no order: somebody may have divided a text that he has seen anew', () => {
      const divided = called('approve').map(({ signed, ...each }) => ({
        ...each,
        signed: { ...signed, orderId: 'd99' },
      }))
      const { kinds, result } = lived({ ...plan, orderId: 'd99', callbacks: divided }, payment(told), says('approved'))
      expect([kinds, result]).toMatchObject([['read', 'end'], { kind: 'other-order', isShown: false }])
    })

    it.each([
      ['does not know it', { kind: 'refused' }],
      ['gives no answer', { kind: 'no-answer' }],
      ['speaks of the known one', says('approved')],
    ] as const)('takes nothing up where status %s', (_, answer) => {
      const { kinds, result } = lived(other, payment(told), answer)
      expect(kinds).toEqual(['read', 'ask', 'end'])
      expect(result).toMatchObject({ kind: 'other-order', isShown: false })
    })
  })

  it('says why a question was not answered, and tells what was known before', () => {
    const approved = { stage: 'sale', status: 'approved', outcome: 'approved', askedAt: 1, corrections: [] } as const
    const { kinds, result } = lived(plan, payment({ ...order, stages: [approved] }), { kind: 'no-answer' })
    expect(kinds).toContain('handle')
    expect(result).toMatchObject({ failure: {}, isWhole: false, delivered: { kind: 'told' } })
  })

  it('concludes nothing from an answer about another order', () => {
    const { last, result } = lived(plan, payment(order), says('approved', { clientOrderId: 'basket-8' }))
    expect(last?.orders[0]?.stages).toEqual([])
    expect(result).toMatchObject({ replies: [], isWhole: false, delivered: { kind: 'nothing' } })
  })

  it('asks about the other orders of the payment where this one was approved, whatever they answer', () => {
    const approved = lived(plan, payment(other, order), says('approved'), { kind: 'refused' })
    expect(approved.asked).toEqual(['basket-7', 'basket-7.2r'])
    expect(approved.result).toMatchObject({ failure: undefined, isWhole: true })
    expect(lived(plan, payment(other, order), says('declined')).asked).toEqual(['basket-7'])
    // Its own account does not know the orders of another one.
    expect(lived(plan, payment({ ...other, login: 'merchant-2' }, order), says('approved')).asked).toEqual(['basket-7'])
  })

  it('leaves a callback open until status shows what it says', () => {
    const open = payment({ ...order, callbackAt: 90_000 })
    const early = lived({ ...plan, callbacks: called('approved') }, open, says('processing'))
    expect(early.last?.orders[0]?.callbackAt).toBe(90_000)
    const shown = lived({ ...plan, callbacks: called('approved') }, open, says('approved'))
    expect(shown.last?.orders[0]?.callbackAt).toBeUndefined()
  })

  it('writes down a callback that status does not show, or was not asked about, and none that it shows', () => {
    const capture = (callbacks: CallbackPlan['callbacks'], ...answers: readonly Said[]) =>
      lived({ ...plan, callbacks }, payment({ ...order, stages: [soldBefore] }), ...answers)
    const at = (lived: ReturnType<typeof capture>) => lived.last?.orders[0]?.callbackAt
    // The gateway approved, and its callback says declined: status may lag behind a later word.
    expect(at(capture(called('declined'), says('approved')))).toBe(100_000)
    expect(at(capture(called('approved'), { kind: 'no-answer' }))).toBe(100_000)
    expect(at(capture(called('approved'), says('approved')))).toBeUndefined()
    // Without a callback at hand there is nothing to write down.
    expect(at(capture([], { kind: 'no-answer' }))).toBeUndefined()
    // Status says nothing final: the order is asked about again without it.
    const open = lived({ ...plan, callbacks: called('approved') }, payment(order), says('processing'))
    expect(open.last?.orders[0]?.callbackAt).toBeUndefined()
  })

  it('writes down a callback of an earlier word of a stage, and answers it', () => {
    const now = 100_000
    const aMinuteAgo = now - 60_000
    const taken = { ...soldBefore, status: 'declined', outcome: 'declined', told: 2 } as const
    const corrected = (fields: Partial<KnownOrder> = {}, { word = 'declined', askedAt = aMinuteAgo } = {}) => {
      const corrections = [{ from: 'declined', to: 'approved', askedAt }]
      const known = payment({ ...order, stages: [{ ...taken, corrections }], ...fields })
      const callbacks = called(word)
      const { last, result } = lived({ ...plan, callbacks }, known, says('approved'), says('approved'))
      if (result.kind !== 'asked') throw new Error(result.kind)
      return [last?.orders[0]?.callbackAt, notShown({ callbacks, profile: plan.profile }, result)]
    }
    // It may be the old one, which comes late. It may also be a new one that has overtaken status.
    expect(corrected()).toEqual([now, undefined])
    expect(corrected({}, { askedAt: aMinuteAgo + 1 })).toEqual([undefined, undefined])
    expect(corrected({}, { word: 'approved' })).toEqual([undefined, undefined])
    // A callback that is sent again and again is written down twice in an hour.
    expect(corrected({ callbackAt: now - 1_799_999 })).toEqual([now - 1_799_999, undefined])
    expect(corrected({ callbackAt: now - 1_800_000 })).toEqual([now, undefined])
    // Status is asked anyway while something is under way.
    const capture = {
      operation: 'capture',
      effect: 'changes',
      stages: ['capture'],
      reservation: 'c',
      end: { kind: 'accepted', at: 2 },
    }
    const attempts = [...order.attempts, { ...order.attempts[0], ...capture }] as KnownOrder['attempts']
    expect(corrected({ attempts })).toEqual([undefined, undefined])
  })

  describe('that says what status does not show', () => {
    const [now, hour] = [100_000, 3_600_000]
    const open = { status: 'approved', outcome: 'approved', stage: 'chargeback', amount: '3.00', at: now } as const
    const saying = (amount: string): CallbackPlan['callbacks'] =>
      called('approved').map(each => ({ ...each, unsigned: { type: 'chargeback', amount } }))
    const shown = says('approved', { transactionType: 'chargeback', amount: '3.00' })
    const bought = payment({ ...order, stages: [soldBefore] })
    /** Looks at the callbacks of this process. @returns The order as it is kept then, and the callback that has no answer. */
    const came = (
      callbacks: CallbackPlan['callbacks'],
      known: PaymentDocument,
      at: number,
      ...more: readonly Said[]
    ) => {
      const answers = [...more, says('approved')]
      const { last = known, result } = liveIntent(callback({ ...plan, callbacks }), known, { answers, at })
      if (result.kind !== 'asked') throw new Error(result.kind)
      const { callbackAt, called, unshown } = last.orders[0] ?? {}
      const left = notShown({ callbacks, profile: plan.profile }, result)
      return { last, order: { callbackAt, called, unshown }, left }
    }

    it('is kept with what it says, and once', () => {
      const first = came(saying('3.00'), bought, now)
      expect([first.order, first.left]).toEqual([{ callbackAt: now, called: [open] }, saying('3.00')[0]])
      const again = came(saying('3.00'), first.last, 2 * now)
      expect([again.order, again.left]).toEqual([first.order, first.left])
      const other = came(saying('4.00'), first.last, 2 * now)
      expect(other.order).toEqual({ callbackAt: 2 * now, called: [open, { ...open, amount: '4.00', at: 2 * now }] })
    })

    it('stays open whatever else status says, and not longer than an hour: then a person is to look', () => {
      const { last } = came(saying('3.00'), bought, now)
      const captured = says('approved', { transactionType: 'reversal', amount: '1.00' })
      expect(came([], last, 2 * now, captured).order).toEqual({ callbackAt: now, called: [open] })
      expect(came([], last, now + hour - 1).order).toEqual({ callbackAt: now, called: [open] })
      const late = came([], last, now + hour)
      const unshown = [{ ...open, since: now + hour }]
      expect(late.order).toEqual({ unshown })
      // It is answered from now on. It may be a second one that says the same: status is asked again for an hour.
      const again = came(saying('3.00'), late.last, now + 2 * hour)
      expect([again.order, again.left]).toEqual([{ callbackAt: now + 2 * hour, unshown }, undefined])
      expect(came([], again.last, now + 3 * hour).order).toEqual({ unshown })
    })

    it('goes to a person an hour after it came, though others have come since', () => {
      const { last } = came(saying('3.00'), bought, now)
      const other = came(saying('4.00'), last, now + hour - 1)
      expect(came([], other.last, now + hour).order).toEqual({
        callbackAt: now + hour - 1,
        called: [{ ...open, amount: '4.00', at: now + hour - 1 }],
        unshown: [{ ...open, since: now + hour }],
      })
    })

    it('keeps each of several that come together, and the same one once', () => {
      const all = [saying('3.00'), saying('3.00'), saying('3.00'), saying('4.00')].flat()
      expect(came(all, bought, now).order.called).toEqual([open, { ...open, amount: '4.00' }])
    })

    it('is closed once status shows it, with nothing left', () => {
      const { last } = came(saying('3.00'), bought, now)
      expect(came([], last, 2 * now, shown).order).toEqual({})
    })

    it('waits while the order is under way, and goes to a person a day later where status does not answer', () => {
      const { last } = came(saying('3.00'), bought, now)
      const capture = {
        ...order.attempts[0],
        operation: 'capture',
        effect: 'changes',
        stages: ['capture'],
        reservation: 'c',
        end: { kind: 'accepted', at: 2 },
      }
      const attempts = [...order.attempts, capture] as KnownOrder['attempts']
      const awaited = payment({ ...order, ...last.orders[0], attempts } as KnownOrder)
      expect(came([], awaited, now + hour).order).toEqual({ callbackAt: now, called: [open] })
      const silent = liveIntent(callback(plan), last, { answers: [], at: now + 24 * hour }).last?.orders[0]
      expect(silent).toMatchObject({ callbackAt: now, unshown: [{ ...open, since: now + 24 * hour }] })
      expect(silent).not.toHaveProperty('called')
    })

    it('is answered where it says a failure that status says as well, though nothing is kept of that', () => {
      const callbacks = called('declined').map(each => ({ ...each, unsigned: { type: 'reversal', amount: '3.00' } }))
      const tried = says('declined', { transactionType: 'reversal', amount: '3.00' })
      const numbered = { ...soldBefore, stage: 'reversal', amount: '3.00', serialNumber: 'sn-1' } as const
      const known = payment({ ...order, stages: [soldBefore, numbered] })
      const back = says('approved', { transactionType: 'reversal', amount: '3.00', byRequestSn: 'sn-1' })
      const { order: kept, left } = came(callbacks, known, now, tried, back)
      expect([kept, left]).toEqual([{}, undefined])
    })
  })

  it('asks about ten requests at most for a callback that nothing shows', () => {
    const returned = (serialNumber: string) => ({
      ...order.attempts[0],
      reservation: serialNumber,
      operation: 'return',
      effect: 'changes' as const,
      stages: ['reversal' as const],
      end: { kind: 'accepted' as const, at: 2, orderId: '77', serialNumber },
    })
    const numbers = Array.from({ length: 14 }, (_, at) => `sn-${at}`)
    const attempts = [...order.attempts, ...numbers.map(returned)]
    const stages = numbers.map(serialNumber => ({ ...soldBefore, stage: 'reversal', serialNumber }))
    const many = { ...order, attempts, stages: [soldBefore, ...stages] } as KnownOrder
    const answers = Array.from({ length: 20 }, () => says('approved', { transactionType: 'reversal' }))
    const asked = (plan: CallbackPlan) => lived(plan, payment(many), ...answers).asked.length
    expect(asked(plan)).toBe(1)
    expect(asked({ ...plan, callbacks: called('declined') })).toBe(11)
    // A restored store has lost the requests, and has their numbers from a person.
    const lost = { ...many, attempts: order.attempts } as KnownOrder
    expect(lived({ ...plan, callbacks: called('declined') }, payment(lost), ...answers).asked).toHaveLength(11)
  })

  it('closes an earlier callback once status says something new, or after an hour', () => {
    const since = (callbackAt: number) => payment({ ...order, stages: [soldBefore], callbackAt })
    expect(
      lived(plan, payment({ ...order, callbackAt: 90_000 }), says('approved')).last?.orders[0]?.callbackAt,
    ).toBeUndefined()
    expect(lived(plan, since(90_000), says('approved')).last?.orders[0]?.callbackAt).toBe(90_000)
    expect(lived(plan, since(100_000 - 3_600_000), says('approved')).last?.orders[0]?.callbackAt).toBeUndefined()
    // Status has to be heard of it, and of no other order.
    for (const said of [{ kind: 'no-answer' } as const, says('approved', { clientOrderId: 'basket-8' })])
      expect(lived(plan, since(100_000 - 3_600_000), said).last?.orders[0]?.callbackAt).toBe(100_000 - 3_600_000)
  })
})
