import { type AttemptEnd, defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { paidPayment } from '../../test/engine/known-sale.js'
import { payment } from '../../test/state/payment-samples.js'
import { type AskedOrder, ask } from '../intents/ask.js'
import { type DeliverResult, deliver } from '../intents/deliver.js'
import { type RequestPlan, type SendResult, send } from '../intents/send.js'
import { paymentOf } from '../rules/pay/payment.js'
import type { KnownAttempt } from '../state/known.js'
import { StoreError } from '../store/store.js'
import { createAdvance } from './advance.js'
import { type Effect, type Event, type Known, newRun } from './run.js'

const plan: RequestPlan = {
  attempt: {
    attemptId: 'basket-7',
    operation: 'sale',
    effect: 'creates',
    stages: ['sale'],
    login: 'merchant',
    baseUrl: 'https://gate.example/paynet',
    endpointId: '39',
    clientOrderId: 'basket-7',
    amount: '10.00',
    currency: 'EUR',
    fingerprint: 'f',
  },
  timeout: 1_000,
}
const advance = createAdvance(send(plan), () => defaultProfile)
const nothing: Known = { document: undefined, writeId: undefined }
const refusal = new StoreError('ERR_STORE_REFUSED', 'the disk is full')

/** The effects of a run after each event, all of them heard at one moment. */
function effectsOf(...events: readonly Event[]) {
  let run = newRun<SendResult>('run', plan.timeout)
  return events.map(event => {
    const after = advance(run, event, { earliest: 10_000, latest: 10_005, passed: 100 })
    run = after.run
    return after.effect
  })
}

const kindsOf = (effects: readonly Effect<unknown>[]) => effects.map(({ kind }) => kind)
const accepted: Event = { kind: 'sent', end: { kind: 'accepted', orderId: '77', at: 0 } }

describe('a run that sends one request', () => {
  it('reads, writes the request down, sends it, writes down how it ended, and only then says so', () => {
    const effects = effectsOf({ kind: 'began' }, { kind: 'read', known: nothing }, { kind: 'written' }, accepted, {
      kind: 'written',
    })
    expect(effects).toMatchObject([
      { kind: 'read' },
      { kind: 'write', id: 'run/1', after: undefined, history: { facts: [{ kind: 'requested' }] } },
      // 900 ms are left, counted from the earliest time that it may be.
      { kind: 'request', request: 'run/1', startBy: 10_900 },
      { kind: 'write', id: 'run/2', after: 'run/1', history: { facts: [{ kind: 'requested' }, { kind: 'answered' }] } },
      { kind: 'end', result: { kind: 'done', result: { kind: 'ended', end: { kind: 'accepted', at: 10_005 } } } },
    ])
  })

  it('tries a write again under its name until it is known, and sends once', () => {
    const effects = effectsOf(
      { kind: 'began' },
      { kind: 'read', known: nothing },
      { kind: 'unknown', cause: refusal },
      { kind: 'unknown', cause: refusal },
      { kind: 'written' },
      accepted,
      { kind: 'unknown', cause: refusal },
      { kind: 'written' },
    )
    expect(kindsOf(effects)).toEqual(['read', 'write', 'write', 'write', 'request', 'write', 'write', 'end'])
    expect(effects[1]).toEqual(effects[3])
    expect(effects[5]).toEqual(effects[6])
  })

  it('sends nothing where the store could not be read, or did not take the request', () => {
    const failed = { kind: 'failed', cause: refusal } as const
    expect(effectsOf({ kind: 'began' }, failed).at(-1)).toEqual({ kind: 'end', result: failed })
    expect(effectsOf({ kind: 'began' }, { kind: 'read', known: nothing }, failed).at(-1)).toEqual({
      kind: 'end',
      result: failed,
    })
  })

  it('gives a request back that may have been written before the store refused it', () => {
    const effects = effectsOf(
      { kind: 'began' },
      { kind: 'read', known: nothing },
      { kind: 'unknown', cause: refusal },
      { kind: 'failed', cause: refusal },
      { kind: 'written' },
    )
    expect(effects.slice(3)).toMatchObject([
      { kind: 'write', id: 'run/2', history: { facts: [{ kind: 'requested' }, { end: { kind: 'not-sent' } }] } },
      { kind: 'end', result: { result: { kind: 'ended', end: { kind: 'not-sent' } } } },
    ])
  })

  it('says how the request ended, and that nobody keeps it, where the store does not take that', () => {
    const effects = effectsOf({ kind: 'began' }, { kind: 'read', known: nothing }, { kind: 'written' }, accepted, {
      kind: 'failed',
      cause: refusal,
    })
    expect(effects.at(-1)).toMatchObject({
      kind: 'end',
      result: { kind: 'done', unwritten: { cause: refusal }, result: { kind: 'ended', end: { kind: 'accepted' } } },
    })
  })

  it('finds its own request under the write of somebody else, and does not send what was ended meanwhile', () => {
    const [, write] = effectsOf({ kind: 'began' }, { kind: 'read', known: nothing })
    if (write?.kind !== 'write') throw new Error('It does not write.')
    const attempt = { ...plan.attempt, reservation: 'run/1', reservedAt: 10_000, sendBy: 10_900 } as KnownAttempt
    const knownWith = (end: KnownAttempt['end']): Known => ({
      document: payment({
        clientOrderId: 'basket-7',
        login: 'merchant',
        stages: [],
        attempts: [{ ...attempt, ...(end && { end }) }],
      }),
      writeId: 'other/1',
    })
    const after = (end?: KnownAttempt['end']) =>
      effectsOf(
        { kind: 'began' },
        { kind: 'read', known: nothing },
        { kind: 'unknown', cause: refusal },
        { kind: 'conflict', known: knownWith(end) },
      ).at(-1)
    expect(after()).toMatchObject({ kind: 'request', request: 'run/1' })
    expect(after({ kind: 'not-sent', basis: 'person', at: 1 })).toMatchObject({
      kind: 'end',
      result: { result: { kind: 'ended', end: { kind: 'not-sent', basis: 'person' } } },
    })
  })

  it('keeps what the payment is by the rules of today', () => {
    const [, write] = effectsOf({ kind: 'began' }, { kind: 'read', known: nothing })
    const document = write?.kind === 'write' ? write.document : undefined
    const { timeline } = paymentOf(document, { reference: 'basket-7', at: 0, profile: defaultProfile })
    expect(timeline.map(({ kind }) => kind)).toEqual(['opened', 'requested'])
  })

  it('throws for an event that is no answer to what it does', () => {
    expect(() => effectsOf({ kind: 'began' }, { kind: 'written' })).toThrow(/Run run does "read"/)
    expect(() => effectsOf({ kind: 'began' }, { kind: 'read', known: nothing }, accepted)).toThrow(/does "write"/)
  })
})

describe('an answer of status', () => {
  it('is judged by what is kept when it is written, and not by what was kept when it came', () => {
    const order = { login: 'merchant', clientOrderId: 'basket-7', orderId: '77' }
    const hold: KnownAttempt = {
      ...plan.attempt,
      reservation: 'a',
      reservedAt: 0,
      sendBy: 1,
      end: { kind: 'accepted', at: 1 },
    }
    const part = (reservation: string, end: AttemptEnd): KnownAttempt => ({
      ...plan.attempt,
      attemptId: reservation,
      reservation,
      operation: 'return',
      effect: 'changes',
      stages: ['cancel', 'reversal'],
      orderId: '77',
      amount: '3.00',
      reservedAt: 0,
      sendBy: 1,
      baseline: {
        askedAt: 0,
        status: 'approved',
        outcome: 'approved',
        stage: 'sale',
        amount: '10.00',
        currency: 'EUR',
      },
      end,
    })
    const knownOf = (writeId: string, ...parts: readonly KnownAttempt[]): Known => {
      return { document: payment({ ...order, attempts: [hold, ...parts], stages: [] }), writeId }
    }
    const lost = part('one', { kind: 'unknown', at: 1 })
    const other = part('two', { kind: 'accepted', at: 2 })
    const shown = {
      status: 'approved',
      transactionType: 'reversal',
      amount: '3.00',
      currency: 'EUR',
      ...order,
      raw: {},
    }
    const [knownOrder] = knownOf('w-1', lost).document?.orders ?? []
    if (knownOrder === undefined) throw new Error('There is an order.')
    const advance = createAdvance(ask({ order: knownOrder, profile: defaultProfile }), () => defaultProfile)
    const question = { login: 'merchant', clientOrderId: 'basket-7', orderId: '77', endpointId: '39' }
    let run = newRun<AskedOrder>('run', 1_000)
    const written = [
      { kind: 'began' },
      { kind: 'read', known: knownOf('w-1', lost) },
      { kind: 'asked', answer: { kind: 'reply', reply: shown, question, askedAt: 10, answeredAt: 20 } },
      { kind: 'conflict', known: knownOf('w-2', lost, other) },
    ].map(event => {
      const after = advance(run, event as Event, { earliest: 20, latest: 20, passed: 5 })
      run = after.run
      const { effect } = after
      if (effect.kind !== 'write') return effect.kind
      const [now] = effect.document.orders
      return now?.attempts.find(({ reservation }) => reservation === 'one')?.end?.kind
    })
    // Status may show either of two equal returns: there is nothing to write.
    expect(written).toEqual(['read', 'ask', 'accepted', 'end'])
  })
})

describe('a run that delivers', () => {
  const read: Event = { kind: 'read', known: { document: paidPayment, writeId: 'w' } }
  const delivering = createAdvance(deliver({ lease: 30_000 }), () => defaultProfile)

  /** The lease that is left once a handler failed, or could not be called, at a moment that nobody knows well. */
  function leftAfter(latest: number, ...events: readonly Event[]) {
    let run = newRun<DeliverResult>('run', 30_000)
    let effect: Effect<DeliverResult> = run.doing
    for (const event of [{ kind: 'began' }, read, { kind: 'written' }, ...events] as const)
      ({ run, effect } = delivering(run, event, { earliest: 10_000, latest, passed: 0 }))
    return effect.kind === 'write' ? effect.document.telling : effect
  }

  it('gives a lease back so that it is free at once, by whatever the store’s clock says', () => {
    const failed: Event = { kind: 'handled', end: { kind: 'failed', cause: new Error('no paper') } }
    expect(leftAfter(10_005, failed)).toMatchObject({ token: '', until: 10_000, failed: { tries: 1 } })
    // The lease is over by the latest moment that it may be: nobody is called.
    expect(leftAfter(90_000)).toMatchObject({ token: '', until: 10_000 })
    expect(leftAfter(90_000)).not.toHaveProperty('failed')
  })
})
