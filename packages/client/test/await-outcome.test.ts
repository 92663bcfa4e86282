/** Waiting for outcomes, against the fake gateway over real HTTP, on a clock that waiting moves forward. */

import { hangUp } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectedSale, fewQuestions, ids, orderOf, saleOf, startWatching, type Watching } from './watching.js'

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

const money = { currency: 'EUR' } as const

describe('awaitOutcome, settled by a status reply', () => {
  it.each([
    ['123', 'approved', 'captured'],
    ['116', 'declined', 'none'],
  ])('ends a sale with CVV2 %s as %s', async (cvv2, outcome, moneyMoved) => {
    const ended = await watching.client.awaitOutcome(await watching.sell(cvv2))
    expect(ended).toMatchObject({ kind: outcome, moneyMoved, evidence: 'status-reply', stage: { stage: 'sale' } })
    expect(ended.explanation).toContain(`"o-1" is "${outcome}"`)
  })

  it.each(['filtered', 'error'] as const)('ends as %s', async outcome => {
    const question = await watching.sell()
    watching.answerStatus({ status: outcome, transactionType: 'sale', ...orderOf(question) })
    expect(await watching.client.awaitOutcome(question)).toMatchObject({ kind: outcome, moneyMoved: 'none' })
  })

  it('holds a preauth, verifies a card and sends a payout, each in its own word', async () => {
    const { client } = watching
    const hold = await client.preauth(saleOf('123'))
    const held = await client.awaitOutcome({ ...ids(hold.orderId), ...expectedSale, stages: ['preauth'] })
    expect(held).toMatchObject({ kind: 'approved', moneyMoved: 'held' })
    const { amount: _amount, currency: _currency, ...card } = saleOf('123')
    const check = await client.accountVerification({ ...card, clientOrderId: 'v-1' })
    const order = { clientOrderId: 'v-1', orderId: check.orderId }
    const verified = await client.awaitOutcome({ ...order, stages: ['verification'] })
    expect(verified).toMatchObject({ kind: 'approved', moneyMoved: 'none' })
  })

  it('learns the gateway’s order id where it was never received', async () => {
    const { orderId } = await watching.sell()
    const ended = await watching.client.awaitOutcome({ clientOrderId: 'o-1', ...expectedSale })
    expect(ended).toMatchObject({ kind: 'approved', order: { orderId } })
  })
})

describe('awaitOutcome, of a card payment', () => {
  it('holds no card data in what a program may keep', async () => {
    const ended = await watching.client.awaitOutcome(await watching.sell('9876'))
    const { order, shownSteps, explanation } = ended
    const { creditCardNumber, cvv2, cardPrintedName } = saleOf('9876')
    for (const secret of [creditCardNumber, cvv2, cardPrintedName]) {
      expect(JSON.stringify([order, shownSteps, explanation])).not.toContain(secret)
    }
  })
})

describe('awaitOutcome, asked with white space at the ends of ids', () => {
  it('compares ids as they were sent', async () => {
    const { client, gateway } = watching
    const { orderId } = await client.sale({ ...saleOf('123'), clientOrderId: 'order-7 ' })
    const order = { clientOrderId: 'order-7 ', orderId }
    expect(await client.awaitOutcome({ ...order, ...expectedSale })).toMatchObject({ kind: 'approved' })
    expect(gateway.calls('status')).toHaveLength(1)
  })
})

describe('awaitOutcome, its own stage only', () => {
  it('never settles a capture by its preauth’s approved', async () => {
    const { client, gateway } = watching
    const { orderId } = await client.preauth(saleOf('123'))
    const preauthReply = { ...(await client.status(ids(orderId))) }
    const { serialNumber } = await client.capture({ ...ids(orderId), amount: '4.00', ...money })
    const lagging = { ...preauthReply }
    watching.answerStatus(lagging, lagging, lagging, 'gateway')
    const capture = { stages: ['capture'], serialNumber, amount: '4.00', ...money }
    const ended = await client.awaitOutcome({ ...ids(orderId), ...capture })
    expect(gateway.calls('status')).toHaveLength(5)
    expect(ended).toMatchObject({
      kind: 'approved',
      moneyMoved: 'captured',
      stage: { stage: 'capture', amount: '4.00' },
    })
    expect(ended.asked).toBe(4)
  })

  it('stays unknown about a capture for as long as status shows the preauth’s approved', async () => {
    const { client } = watching
    const { orderId } = await client.preauth(saleOf('123'))
    const question = { ...ids(orderId), ...expectedSale, stages: ['capture'], serialNumber: 'never-sent' }
    watching.gateway.handle({
      status: () => ({
        status: 'approved',
        transactionType: 'preauth',
        clientOrderId: 'o-1',
        orderId,
        amount: '10.42',
        currency: 'EUR',
      }),
    })
    expect(await client.awaitOutcome(question, fewQuestions)).toMatchObject({
      kind: 'still-unknown',
      reason: 'time-is-up',
      moneyMoved: 'unknown',
      order: { stages: [{ stage: 'preauth', outcome: 'approved' }] },
    })
  })

  it('takes two equal partial returns for two', async () => {
    const { client } = watching
    const { orderId } = await watching.sell()
    const part = { amount: '3.00', currency: 'EUR' } as const
    const first = await client.return({ ...ids(orderId), ...part })
    const second = await client.return({ ...ids(orderId), ...part })
    const awaitReturn = (serialNumber: string | undefined) =>
      client.awaitOutcome({ ...ids(orderId), stages: ['cancel', 'reversal'], serialNumber, ...part })
    const one = await awaitReturn(first.serialNumber)
    const two = await awaitReturn(second.serialNumber)
    expect([one, two]).toMatchObject([
      { kind: 'approved', moneyMoved: 'returned', stage: { serialNumber: first.serialNumber } },
      { kind: 'approved', moneyMoved: 'returned', stage: { serialNumber: second.serialNumber } },
    ])
  })

  it('does not settle a return by an equal one that was approved before', async () => {
    const { client } = watching
    const order = orderOf(await watching.sell())
    const part = { amount: '3.00', currency: 'EUR' } as const
    await client.return({ ...order, ...part })
    const question = { ...order, stages: ['reversal'], serialNumber: '00000000-0000-0000-0000-00000000dead', ...part }
    expect(await client.awaitOutcome(question, fewQuestions)).toMatchObject({ kind: 'still-unknown' })
  })

  it.each(['capture', 'cancel', 'reversal', 'void'] as const)(
    'is not asked about a %s without its serial number',
    async stage => {
      const { client, gateway } = watching
      const question = { ...orderOf(await watching.sell()), stages: [stage] }
      await expect(client.awaitOutcome(question)).rejects.toThrow('"serialNumber" is missing')
      await expect(client.awaitOutcome(question)).rejects.toThrow(TypeError)
      expect(gateway.calls('status')).toHaveLength(0)
    },
  )

  it('is asked without one by who knows that there is no other', async () => {
    const { client } = watching
    const { orderId } = await client.preauth(saleOf('123'))
    await client.void(ids(orderId))
    const question = { ...ids(orderId), stages: ['void'], onlyOneOfItsKind: true }
    expect(await client.awaitOutcome(question)).toMatchObject({ kind: 'approved', moneyMoved: 'released' })
  })
})

describe('awaitOutcome, when a person must look', () => {
  it.each([[{ amount: '9.00', currency: 'EUR' }], [{ amount: '10.42', currency: 'USD' }]])(
    'says that what was approved is %j, and that it moved',
    async approved => {
      const question = await watching.sell()
      watching.answerStatus({ status: 'approved', transactionType: 'sale', ...orderOf(question), ...approved })
      expect(await watching.client.awaitOutcome(question)).toMatchObject({
        kind: 'needs-person',
        reason: 'amount-differs',
        moneyMoved: 'captured',
        stage: approved,
      })
      expect(watching.gateway.calls('status')).toHaveLength(1)
    },
  )
})

describe('awaitOutcome, among non-answers', () => {
  it('survives hang-ups, failures, unreadable replies, other orders and words nobody has heard of', async () => {
    const question = await watching.sell()
    const order = orderOf(question)
    watching.answerStatus(
      'hang-up',
      { httpStatus: 500, errorMessage: 'maintenance' },
      { httpStatus: 401, errorMessage: 'no' },
      { orderId: order.orderId },
      {
        status: 'approved',
        transactionType: 'sale',
        clientOrderId: 'o-2',
        orderId: order.orderId,
        amount: '10.42',
        ...money,
      },
      { status: 'approved', transactionType: 'sale', clientOrderId: 'o-1', orderId: '1', amount: '10.42', ...money },
      { status: 'approved', transactionType: 'sale', clientOrderId: 'o-1', amount: '10.42', ...money },
      { status: 'jubilant', transactionType: 'sale', ...order },
      { status: 'approved', ...order, amount: '10.42', ...money },
      { status: 'unknown', transactionType: 'sale', ...order },
      { status: 'chain_declined', transactionType: 'sale', ...order },
      'gateway',
    )
    const ended = await watching.client.awaitOutcome(question)
    expect(ended).toMatchObject({ kind: 'approved', asked: 12, answered: 5 })
  })

  it('says nothing of money when nothing was answered', async () => {
    const question = await watching.sell()
    watching.gateway.handle({ status: () => hangUp() })
    const ended = await watching.client.awaitOutcome(question)
    expect(ended).toMatchObject({
      kind: 'still-unknown',
      evidence: 'none',
      moneyMoved: 'unknown',
      answered: 0,
    })
    expect(ended.explanation).toContain('113 questions, 0 of them answered. Do not send it again')
  })

  it('does not go on asking what cannot be asked', async () => {
    const { client, gateway } = watching
    const clientOrderId = 'x'.repeat(200)
    await expect(client.awaitOutcome({ clientOrderId, ...expectedSale })).rejects.toMatchObject({
      code: 'ERR_INVALID_REQUEST',
      field: 'clientOrderId',
    })
    expect(gateway.calls('status')).toHaveLength(0)
  })
})
