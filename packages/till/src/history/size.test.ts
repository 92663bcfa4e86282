import { createHash } from 'node:crypto'
import { type AttemptEnd, defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { claimDelivery, toldOutcome } from '../rules/delivery/delivery.js'
import { attemptEnded, callbackAnswered, callbackCame, statusSeen } from '../rules/orders/happened.js'
import { permissionToSend } from '../rules/orders/reserve.js'
import { decideMatter } from '../rules/people/decide.js'
import type { PaymentDocument } from '../state/document.js'
import type { History } from '../state/facts.js'
import type { KnownAttempt } from '../state/known.js'
import { historyOf } from './news.js'

const profile = defaultProfile
const begin = Date.UTC(2026, 0, 5)
const uuid = (n: number): string => `3f0c8a52-6a0e-4f0b-9d5e-${String(n).padStart(12, '0')}`

/** A payment that keeps its history, with ids and texts as long as they are in a shop. */
function shop() {
  let history: History | undefined
  let document: PaymentDocument | undefined
  let [at, nth] = [begin, 0]
  const write = (after: PaymentDocument | undefined) => {
    if (after === undefined || after === document) return
    history = historyOf(after)
    document = { ...after, facts: history.facts }
  }
  const orderId = (clientOrderId: string) => `19283746${clientOrderId.length}`
  const self = {
    get size() {
      return Buffer.byteLength(JSON.stringify(history))
    },
    send(own: Partial<KnownAttempt>): KnownAttempt {
      nth += 1
      at += 60_000
      const attempt: KnownAttempt = {
        attemptId: own.clientOrderId ?? 'basket-20417',
        reservation: uuid(nth),
        operation: 'saleForm',
        effect: 'creates',
        stages: ['sale'],
        login: 'merchant',
        baseUrl: 'https://gate.example/paynet',
        endpointId: '12246',
        clientOrderId: 'basket-20417',
        amount: '149.90',
        currency: 'EUR',
        fingerprint: createHash('sha256').update('the same form').digest('hex'),
        reservedAt: at,
        sendBy: at + 30_000,
        ...own,
      }
      const decided = permissionToSend(document, attempt)
      if (decided.kind !== 'reserved') throw new Error(`The request is not sent: ${decided.kind}.`)
      write(decided.document)
      return attempt
    },
    end(attempt: KnownAttempt, end: Partial<AttemptEnd> = {}) {
      const own = { serialNumber: uuid(900 + nth), connection: 'answered' } as const
      write(attemptEnded(document, attempt, { kind: 'accepted', at: at + 300, ...own, ...end }))
    },
    status(clientOrderId: string, said: Readonly<Record<string, string>>) {
      at += 60_000
      const order = document?.orders.find(each => each.clientOrderId === clientOrderId)
      const reply = {
        status: 'approved',
        clientOrderId,
        orderId: orderId(clientOrderId),
        currency: 'EUR',
        raw: {},
        ...said,
      }
      const bySerialNumber = said.byRequestSn === undefined ? {} : { bySerialNumber: said.byRequestSn }
      const observation = { reply, askedAt: at, ...bySerialNumber }
      const about = { clientOrderId, login: 'merchant' }
      const seen = statusSeen(document, about, { observation, profile })
      write(order?.callbackAt === undefined ? seen : callbackAnswered(seen, about, order.callbackAt))
    },
    call: (clientOrderId: string) => write(callbackCame(document, { clientOrderId, login: 'merchant' }, at + 30_000)),
    tell(isApproval?: boolean) {
      const claim = document && claimDelivery(document, { token: uuid(nth), at, lease: 60_000 })
      if (claim?.kind !== 'claimed') throw new Error('There is nothing to tell.')
      write(claim.document)
      write(toldOutcome(document, uuid(nth), [], isApproval))
    },
    /** A person says that the latest word is so. */
    settle(outcome: 'approved' | 'declined') {
      const person = { who: 'anna', why: 'ticket 4711: the acquirer confirms it by mail' }
      const status = { kind: 'shown', explanation: '', outcome } as const
      const verdict = document && decideMatter(document, { kind: 'settled', outcome }, { at, profile, person, status })
      if (verdict?.kind !== 'done') throw new Error('Nothing was decided.')
      write(verdict.document)
    },
    /** A hosted form, a callback, a status reply and its delivery. */
    sell(clientOrderId: string, said: Readonly<Record<string, string>> = {}) {
      const attempt = self.send({ clientOrderId })
      const id = orderId(clientOrderId)
      self.end(attempt, { orderId: id, redirectUrl: `https://gate.example/paynet/form/${uuid(7)}?lang=en` })
      self.call(clientOrderId)
      self.status(clientOrderId, { transactionType: 'sale', amount: '149.90', ...said })
      self.tell(said.status === undefined)
    },
    /** A return of a part: status is asked before it is sent, and shows it under way first. */
    giveBack(amount: string) {
      const last = document?.orders[0]?.stages.at(-1)
      const attempt = self.send({
        attemptId: `return:1:parcel-${nth}`,
        operation: 'return',
        effect: 'changes',
        stages: ['cancel', 'reversal'],
        orderId: orderId('basket-20417'),
        amount,
        baseline: {
          askedAt: at,
          status: 'approved',
          outcome: 'approved',
          amount: '149.90',
          stage: last?.stage ?? 'sale',
        },
        person: { who: 'anna', why: 'ticket 4711' },
      })
      const byRequestSn = uuid(900 + nth)
      self.end(attempt, { serialNumber: byRequestSn })
      const reversal = {
        transactionType: 'reversal',
        amount,
        byRequestSn,
        processorRrn: '601234567890',
        approvalCode: '123456',
      }
      self.status('basket-20417', { ...reversal, status: 'processing' })
      self.status('basket-20417', reversal)
      self.tell(true)
    },
  }
  return self
}

const basket = 'basket-20417'

describe('the size of a history', () => {
  it('stays below 4 kB for a sale, and for three tries with other cards', () => {
    const payment = shop()
    payment.sell(basket)
    expect(payment.size).toBeLessThan(2_000)
    const tries = shop()
    const declined = { status: 'declined', errorCode: '1005', errorMessage: 'Decline, expired card' }
    tries.sell(basket, declined)
    tries.sell(`${basket}.2r`, declined)
    tries.sell(`${basket}.3r`)
    expect(tries.size).toBeLessThan(4_096)
  })

  it('stays below 10 kB for a sale with five returns of a part', () => {
    const payment = shop()
    payment.sell(basket)
    for (const amount of ['10.00', '20.00', '5.90', '7.00', '1.00']) payment.giveBack(amount)
    expect(payment.size).toBeLessThan(10_240)
  })

  it('does not grow with requests that are not sent or refused, and tried again', () => {
    const payment = shop()
    const sizes = Array.from({ length: 300 }, (_, nth) => {
      const attempt = payment.send({})
      payment.end(attempt, { kind: nth % 5 === 3 ? 'refused' : 'not-sent' })
      return payment.size
    })
    expect(Math.max(...sizes)).toBeLessThan(2_500)
  })

  it('does not grow with callbacks that are answered, and replies that name other money', () => {
    const payment = shop()
    payment.sell(basket)
    for (const amount of ['5.00', '6.00']) {
      for (let nth = 0; nth < 30; nth += 1) {
        payment.call(basket)
        payment.status(basket, { transactionType: 'sale', amount })
      }
      expect(payment.size).toBeLessThan(2_500)
    }
  })

  it('keeps no correction beside the decision that settled it', () => {
    const payment = shop()
    payment.sell(basket)
    const round = (): number => {
      const before = payment.size
      for (const status of ['declined', 'approved', 'declined', 'approved'])
        payment.status(basket, { transactionType: 'sale', amount: '149.90', status })
      payment.settle('approved')
      return payment.size - before
    }
    // The decision has its four corrections, of 70 bytes each; the stage, which was told before, has what is so.
    expect([round(), round(), round()].every(grown => grown < 1_250)).toBe(true)
  })

  it('keeps long texts of a stage once, however often a person settles it', () => {
    const payment = shop()
    payment.sell(basket, { errorMessage: 'ж'.repeat(500) })
    const round = (): number => {
      const before = payment.size
      for (const status of ['declined', 'approved'])
        payment.status(basket, { transactionType: 'sale', amount: '149.90', status })
      payment.settle('approved')
      return payment.size - before
    }
    round()
    // The text has 1,000 bytes; the decision, with two corrections, and what was settled before have some 800.
    expect([round(), round(), round()].every(grown => grown < 1_000)).toBe(true)
  })
})
