import { describe, expect, it } from 'vitest'
import { aboutRequest, statusReply } from '../../test/status-reply.js'
import { emptyOrder, reduceOrder } from './order.js'
import { type SettleInput, settle } from './settle.js'

type Expected = SettleInput['expected']

const order = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
const sale: Expected = { stages: ['sale'], amount: '10.00', currency: 'EUR' }
const settleWith = (fields: Parameters<typeof statusReply>[0], expected: Expected = sale) =>
  settle({ order, expected, observation: { reply: statusReply(fields), askedAt: 1 } })

describe('settle', () => {
  it('settles an approved sale on the evidence of a status reply', () => {
    expect(settleWith({ status: 'approved' })).toMatchObject({
      kind: 'approved',
      moneyMoved: 'captured',
      evidence: 'status-reply',
    })
  })

  it.each(['declined', 'filtered', 'error'] as const)('settles %s, and no money moved', status => {
    expect(settleWith({ status })).toMatchObject({ kind: status, moneyMoved: 'none' })
  })

  it.each(['processing', 'unknown', 'chain_declined', 'never heard of'])('does not settle %s', status => {
    expect(settleWith({ status })).toMatchObject({ kind: 'not-final' })
  })

  it('does not settle a capture by the approved preauth that a lagging reply still shows', () => {
    const expected: Expected = { stages: ['capture'], amount: '4.00', currency: 'EUR' }
    const lagging = settleWith({ status: 'approved', transactionType: 'preauth' }, expected)
    expect(lagging).toMatchObject({ kind: 'other-stage' })
    expect(lagging.order.stages.map(stage => stage.stage)).toEqual(['preauth'])
  })

  it('says that a reply is about no stage, even where JavaScript names an undefined one', () => {
    const { transactionType: _stage, ...reply } = statusReply({ status: 'processing' })
    const expected = { stages: [undefined] } as unknown as Expected
    expect(settle({ order, expected, observation: { reply, askedAt: 1 } })).toMatchObject({
      kind: 'other-stage',
      explanation: expect.stringMatching(/^The status reply is about no stage, not about /),
    })
  })

  it('does not settle one return by the reply about another', () => {
    const expected: Expected = { stages: ['cancel', 'reversal'], serialNumber: 'b', amount: '3.00', currency: 'EUR' }
    const reply = statusReply({ status: 'approved', transactionType: 'reversal', amount: '3.00' })
    const before = settle({ order, expected, observation: aboutRequest('a', { reply, askedAt: 1 }) })
    expect(before).toMatchObject({ kind: 'other-stage' })
    const after = settle({ order: before.order, expected, observation: aboutRequest('b', { reply, askedAt: 2 }) })
    expect(after).toMatchObject({ kind: 'approved', moneyMoved: 'returned' })
    expect(after.order.stages).toHaveLength(2)
  })

  it('does not settle a return that is processing by another one that was approved before', () => {
    const expected: Expected = { stages: ['reversal'], serialNumber: 'a', amount: '3.00', currency: 'EUR' }
    const reversal = { transactionType: 'reversal', amount: '3.00' }
    const latest = { reply: statusReply({ status: 'approved', ...reversal }), askedAt: 1 }
    const before = settle({ order, expected, observation: latest })
    expect(before).toMatchObject({ kind: 'other-stage' })
    const own = aboutRequest('a', { reply: statusReply({ status: 'processing', ...reversal }), askedAt: 2 })
    expect(settle({ order: before.order, expected, observation: own })).toMatchObject({ kind: 'not-final' })
  })

  it.each([undefined, 'a'])('does not settle a return by a reply that echoes another serial number (%s)', known => {
    const expected: Expected = { stages: ['reversal'], serialNumber: 'a' }
    const reply = statusReply({ status: 'approved', transactionType: 'reversal', byRequestSn: 'b' })
    const first = { reply: { ...reply, status: 'processing', byRequestSn: 'a' }, askedAt: 1, bySerialNumber: 'a' }
    const start = known === undefined ? order : reduceOrder(order, first)
    const settlement = settle({ order: start, expected, observation: aboutRequest('a', { reply, askedAt: 2 }) })
    expect(settlement).toMatchObject({ kind: 'other-stage', order: start })
  })

  it('takes a reply asked by the serial number of a 3DS upload for the sale that the upload moved', () => {
    const first = aboutRequest('sale-1', { reply: statusReply({ status: 'processing' }), askedAt: 1 })
    const last = aboutRequest('upload-1', { reply: statusReply({ status: 'approved' }), askedAt: 2 })
    const settlement = settle({ order: reduceOrder(order, first), expected: sale, observation: last })
    expect(settlement).toMatchObject({ kind: 'approved', stage: { serialNumber: 'sale-1' } })
    expect(settlement.order.stages).toHaveLength(1)
  })

  it.each([
    ['echoes it', { byRequestSn: 'sale-1' }],
    ['echoes none', {}],
  ])('settles a sale that is waited for by its serial number where the reply %s', (_, echo) => {
    const reply = statusReply({ status: 'approved', ...echo })
    const expected = { ...sale, serialNumber: 'sale-1' }
    const observation = { reply, askedAt: 1, bySerialNumber: 'sale-1' }
    expect(settle({ order, expected, observation })).toMatchObject({ kind: 'approved' })
  })

  it('does not settle where it cannot tell which of two returns the reply speaks of', () => {
    const reply = statusReply({ status: 'approved', transactionType: 'reversal', amount: '3.00' })
    const one = reduceOrder(order, aboutRequest('a', { reply, askedAt: 1 }))
    const two = reduceOrder(one, aboutRequest('b', { reply: { ...reply, status: 'processing' }, askedAt: 2 }))
    const settlement = settle({ order: two, expected: { stages: ['reversal'] }, observation: { reply, askedAt: 3 } })
    expect(settlement).toMatchObject({ kind: 'other-stage' })
  })

  it.each([
    ['approved', 'declined'],
    ['declined', 'approved'],
  ])('hands a sale that was %s and now is %s to a person, whatever is said later', (first, second) => {
    const before = reduceOrder(order, { reply: statusReply({ status: first }), askedAt: 1 })
    const observation = { reply: statusReply({ status: second }), askedAt: 2 }
    const corrected = settle({ order: before, expected: sale, observation })
    expect(corrected).toMatchObject({ kind: 'corrected' })
    expect(corrected.order.stages[0]?.corrections).toEqual([{ from: first, to: second, askedAt: 2 }])
    for (const status of [first, second, 'processing']) {
      const later = { reply: statusReply({ status }), askedAt: 3 }
      expect(settle({ order: corrected.order, expected: sale, observation: later })).toMatchObject({
        kind: 'corrected',
      })
    }
  })

  it('does not settle on the amount of an earlier reply', () => {
    const before = reduceOrder(order, { reply: statusReply({ status: 'processing' }), askedAt: 1 })
    const { amount: _, ...reply } = statusReply({ status: 'approved' })
    expect(settle({ order: before, expected: sale, observation: { reply, askedAt: 2 } })).toMatchObject({
      kind: 'amount-differs',
    })
  })

  it.each([
    [{ amount: '10.00', currency: 'EUR' }, 'approved'],
    [{ amount: '9.00', currency: 'EUR' }, 'amount-differs'],
    [{ amount: '10.00', currency: 'USD' }, 'amount-differs'],
  ] as const)('compares with %j', (money, kind) => {
    expect(settleWith({ status: 'approved' }, { stages: ['sale'], ...money })).toMatchObject({ kind })
  })

  it.each([{ amount: '1.00' }, { currency: 'USD' }])(
    'hands a sale to a person that was approved as ordered and now is approved over %j',
    now => {
      const before = reduceOrder(order, { reply: statusReply({ status: 'approved' }), askedAt: 1 })
      const observation = { reply: statusReply({ status: 'approved', ...now }), askedAt: 2 }
      const later = settle({ order: before, expected: sale, observation })
      expect(later).toMatchObject({ kind: 'amount-differs' })
      expect('explanation' in later && later.explanation).toContain(Object.values(now)[0])
    },
  )

  it.each(['processing', 'unknown'])(
    'hands an approval over another amount to a person also where the next reply lags behind and says %s',
    lagging => {
      const before = reduceOrder(order, { reply: statusReply({ status: 'approved', amount: '1.00' }), askedAt: 1 })
      const observation = { reply: statusReply({ status: lagging }), askedAt: 2 }
      expect(settle({ order: before, expected: sale, observation })).toMatchObject({
        kind: 'amount-differs',
        stage: { status: 'approved', amount: '1.00' },
      })
    },
  )

  it('escapes what the gateway sent in its explanation', () => {
    const other = settleWith({ status: 'approved', clientOrderId: 'o-1\nINFO order paid' })
    expect(other).toMatchObject({ explanation: expect.not.stringContaining('\n') })
  })

  it.each([{ orderId: '78' }, { clientOrderId: 'o-2' }])('settles nothing on a reply that echoes %j', ids => {
    const other = settleWith({ status: 'approved', ...ids })
    expect(other).toMatchObject({ kind: 'other-order' })
    expect(other.order).toBe(order)
  })

  it('settles nothing on a reply without the gateway order id', () => {
    const { orderId: _, ...reply } = statusReply({ status: 'approved' })
    expect(settle({ order, expected: sale, observation: { reply, askedAt: 1 } })).toMatchObject({
      kind: 'other-order',
    })
  })

  it('settles nothing on a reply without the gateway order id where that is not known yet', () => {
    const { orderId: _, ...reply } = statusReply({ status: 'approved' })
    const unknown = emptyOrder({ clientOrderId: 'o-1' })
    const other = settle({ order: unknown, expected: sale, observation: { reply, askedAt: 1 } })
    expect(other).toMatchObject({ kind: 'other-order', order: { stages: [] } })
  })

  it.each([{ amount: '1.00' }, { currency: 'JPY', amount: '1000' }, { amount: 'ten' }])(
    'hands an approval over %j to a person',
    money => {
      expect(settleWith({ status: 'approved', ...money })).toMatchObject({ kind: 'amount-differs' })
    },
  )

  it.each(['10', '10.0', '10.00', '10.000'])('reads the replied amount %s as 10.00', amount => {
    expect(settleWith({ status: 'approved', amount })).toMatchObject({ kind: 'approved' })
  })

  it('asks for no amount where the stage has none', () => {
    const expected: Expected = { stages: ['verification'] }
    const verified = settleWith(
      { status: 'approved', transactionType: 'account-verification', amount: '0.00' },
      expected,
    )
    expect(verified).toMatchObject({ kind: 'approved', moneyMoved: 'none' })
  })
})

describe('settle, for users without types', () => {
  const settleExpecting = (expected: object) => () => settleWith({ status: 'approved' }, expected as Expected)

  it.each([
    [{ stage: 'sale' }, '"stages" must list one or more of sale'],
    [{ stages: ['sales'] }, 'Found: "sales"'],
    [{ stages: [] }, '"stages" must list'],
    [{ stages: ['unrecognized'] }, 'Found: "unrecognized"'],
    [{ stages: ['sale'], amount: 10, currency: 'EUR' }, '"amount" is of type number'],
    [{ stages: ['sale'], amount: '10.00' }, '"currency" is of type undefined'],
    [{ stages: ['sale'], currency: 'EUR' }, '"amount" is of type undefined'],
    [{ stages: ['sale'], amount: undefined, currency: undefined }, 'then nothing is compared'],
    // As a database gives it back: an amount that got lost would not be compared.
    [{ stages: ['sale'], amount: null, currency: null }, '"amount" is null'],
    [{ stages: ['sale'], ammount: '10.00' }, 'has no field "ammount"'],
    [{ stages: ['reversal'], serialNumber: '' }, '"serialNumber" is empty'],
    [{ stages: ['reversal'], serialNumber: ' ' }, '"serialNumber" is empty'],
    [{ stages: ['reversal'], serialNumber: 'a ' }, 'has white space around it'],
  ])('refuses %j', (expected, text) => {
    expect(settleExpecting(expected)).toThrow(text)
    expect(settleExpecting(expected)).toThrow(TypeError)
  })
})
