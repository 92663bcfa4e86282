/** Payouts: each is sent once, counted in the gateway's books. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTill, type PayoutOrder, type Till } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { dyingStore } from './dying-store.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { lineOf } from './shop.js'
import { expectAllSaid } from './timelines.js'

const minute = 60_000
const quiet = 3 * minute

const payout: PayoutOrder = {
  reference: 'payout-7',
  amount: '10.00',
  currency: 'EUR',
  accountNumber: 'NL91ABNA0417164300',
}

interface Choices {
  readonly byHmac?: boolean
  readonly gateway?: ReturnType<typeof createFakeGateway>
  readonly store?: DocumentStore
}

/** A till that nobody visits, beside a gateway whose books count. */
async function openDesk({
  byHmac = false,
  gateway = createFakeGateway(),
  store = memoryStore({ clock: gateway.clientOptions.clock }),
}: Choices = {}) {
  const told: string[] = []
  const { privateKey, ...hmac } = readyAccount(gateway)
  const till: Till = createTill({
    account: byHmac ? hmac : { ...hmac, privateKey },
    store: store as Store<never>,
    address: 'http://127.0.0.1:1/payments',
    returnTo: () => '/',
    onOutcome: outcome => void told.push(lineOf(outcome)),
    clock: gateway.clientOptions.clock,
    wait: quickWait,
  })
  onTestFinished(() => till.close())
  return {
    till,
    told,
    gateway,
    async passes(milliseconds = quiet) {
      await gateway.clock.advance(milliseconds)
      await till.tick()
      await expectAllSaid(store)
    },
    books: () =>
      gateway.orders
        .list()
        .map(({ clientOrderId, stages }) => `${clientOrderId} ${stages.map(({ status }) => status)}`),
    sent: () => gateway.calls('payout').length + gateway.calls('payoutV4').length,
  }
}

const destinations = [
  { to: 'an account', fields: { accountNumber: 'NL91ABNA0417164300' } },
  {
    to: 'a card',
    fields: {
      creditCardNumber: '4444444444444448',
      cardPrintedName: 'JOAN BAKER',
      expireMonth: '12',
      expireYear: '2099',
    },
  },
  { to: 'a phone', fields: { phone: '+31612345678' } },
]

describe.each([true, false])('a payout (by HMAC: %s)', byHmac => {
  it.each(byHmac ? destinations.slice(0, 1) : destinations)(
    'to $to is sent once, however often it is asked for, and told once',
    async ({ fields }) => {
      const { accountNumber: _, ...terms } = payout
      const desk = await openDesk({ byHmac })
      await Promise.all([1, 2, 3].map(() => desk.till.payout({ ...terms, ...fields })))
      await desk.passes()
      expect(await desk.till.payout({ ...terms, ...fields })).toMatchObject({
        kind: 'sent',
        payment: { state: 'sent' },
      })
      await desk.passes()
      expect(desk.told).toEqual(['payout-7 sent 10.00'])
      expect(desk.books()).toEqual(['payout-7 approved'])
      expect(desk.gateway.calls(byHmac ? 'payout' : 'payoutV4')).toHaveLength(1)
    },
  )

  it('whose answer was lost never has a second order', async () => {
    const desk = await openDesk({ byHmac })
    desk.gateway.faults.arm({ fault: 'commit-then-drop', operation: byHmac ? 'payout' : 'payoutV4' })
    expect(await desk.till.payout(payout)).toMatchObject({ kind: 'wait', payment: { state: 'unknown' } })
    for (let round = 0; round < 4; round += 1) {
      await desk.till.payout(payout)
      await desk.passes()
    }
    expect(desk.told).toEqual(['payout-7 sent 10.00'])
    expect(desk.sent()).toBe(1)
  })
})

describe('a payout to another recipient under one reference', () => {
  const other = { ...payout, accountNumber: 'NL02ABNA0123456789' }
  const refused = {
    code: 'ERR_OTHER_PAYMENT',
    message: expect.stringMatching(/another recipient (?:checked )?\(account NL91\*{3}4300\)/),
  }

  it('is refused, whether the first is on its way, unanswered, sent or checked', async () => {
    const desk = await openDesk()
    const both = await Promise.allSettled([desk.till.payout(payout), desk.till.payout(other)])
    expect(both).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: refused }])
    await desk.passes()
    await expect(desk.till.payout(other)).rejects.toMatchObject(refused)
    desk.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'payoutV4' })
    await desk.till.payout({ ...payout, reference: 'payout-8' })
    await expect(desk.till.payout({ ...other, reference: 'payout-8' })).rejects.toMatchObject(refused)
    await desk.till.payout({ ...payout, reference: 'payout-9', checked: true })
    await desk.passes()
    await expect(desk.till.payout({ ...other, reference: 'payout-9', checked: true })).rejects.toMatchObject(refused)
    expect([desk.sent(), desk.gateway.calls('payoutPay').length, desk.books()]).toEqual([
      2,
      0,
      ['payout-7 approved', 'payout-8 approved', 'payout-9 approved'],
    ])
  })

  it('is sent once the first is known to have been declined', async () => {
    const desk = await openDesk()
    desk.gateway.outcomes.plan({ outcome: 'declined', operation: 'payoutV4' })
    await desk.till.payout(payout)
    await desk.passes()
    await desk.till.payout(other)
    await desk.passes()
    expect(desk.books()).toEqual(['payout-7 declined', 'payout-7.2r approved'])
    expect(
      (await desk.till.payment('payout-7')).timeline.flatMap(each => (each.kind === 'requested' ? each.recipient : [])),
    ).toEqual(['account NL91***4300', 'account NL02***6789'])
  })
})

describe('a payout in two steps', () => {
  const checked: PayoutOrder = { ...payout, checked: true }
  const stages = (desk: Awaited<ReturnType<typeof openDesk>>) =>
    (desk.gateway.orders.find('payout-7')?.stages ?? []).map(({ stage, status }) => `${stage} ${status}`)
  const paid = (desk: Awaited<ReturnType<typeof openDesk>>) => desk.gateway.calls('payoutPay').length

  it('is checked first, and sent once when it is asked for again', async () => {
    const desk = await openDesk()
    expect(await desk.till.payout(checked)).toMatchObject({ kind: 'wait' })
    await desk.passes()
    expect([desk.told, paid(desk)]).toEqual([['payout-7 verified 10.00'], 0])
    await Promise.all([1, 2, 3].map(() => desk.till.payout(checked)))
    await desk.passes()
    expect(await desk.till.payout(checked)).toMatchObject({ kind: 'sent', payment: { state: 'sent' } })
    expect(desk.told).toEqual(['payout-7 verified 10.00', 'payout-7 sent 10.00'])
    expect(stages(desk)).toEqual(['payout-check approved', 'payout approved'])
    expect(paid(desk)).toBe(1)
  })

  it('is open while its money is on its way, whether that was answered or not', async () => {
    for (const fault of [undefined, 'commit-then-drop'] as const) {
      const desk = await openDesk()
      await desk.till.payout(checked)
      await desk.passes()
      expect((await desk.till.payment('payout-7')).state).toBe('verified')
      if (fault !== undefined) desk.gateway.faults.arm({ fault, operation: 'payoutPay' })
      await desk.till.payout(checked)
      expect((await desk.till.payment('payout-7')).state).toBe('open')
      const waiting = desk.till.wait('payout-7')
      await desk.passes()
      expect((await waiting).state).toBe('sent')
      expect(desk.books()).toEqual(['payout-7 approved,approved'])
    }
  })

  it('is sent once where the answer of its second step was lost', async () => {
    const desk = await openDesk()
    await desk.till.payout(checked)
    await desk.passes()
    desk.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'payoutPay' })
    for (let round = 0; round < 4; round += 1) {
      await desk.till.payout(checked)
      await desk.passes()
    }
    expect(await desk.till.payout(checked)).toMatchObject({ kind: 'sent' })
    expect(desk.told).toEqual(['payout-7 verified 10.00', 'payout-7 sent 10.00'])
    expect(paid(desk)).toBe(1)
  })

  it('is sent while status does not answer, where no other order was before it', async () => {
    const desk = await openDesk()
    await desk.till.payout(checked)
    await desk.passes()
    desk.gateway.faults.arm({ fault: 'drop', operation: 'status', probability: 1 })
    await desk.till.payout(checked)
    expect(paid(desk)).toBe(1)
  })

  it('whose check was declined sends nothing', async () => {
    const desk = await openDesk()
    desk.gateway.outcomes.plan({ outcome: 'declined', operation: 'payoutCheck' })
    await desk.till.payout(checked)
    await desk.passes()
    expect([desk.told, paid(desk)]).toEqual([['payout-7 declined 10.00'], 0])
  })

  /** A payout whose recipient was checked, and whose money was declined. */
  const declinedDesk = async (choices: Choices = {}) => {
    const desk = await openDesk(choices)
    await desk.till.payout(checked)
    await desk.passes()
    desk.gateway.outcomes.plan({ outcome: 'declined', operation: 'payoutPay' })
    await desk.till.payout(checked)
    await desk.passes()
    expect(desk.told.splice(0)).toEqual(['payout-7 verified 10.00', 'payout-7 declined 10.00'])
    expect((await desk.till.payment('payout-7')).state).toBe('declined')
    return desk
  }

  it('whose second step was declined is tried again by the next order, once, however often it is asked for', async () => {
    const desk = await declinedDesk()
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([1, 2, 3].map(() => desk.till.payout(checked)))
      await desk.passes()
    }
    expect(await desk.till.payout(checked)).toMatchObject({ kind: 'sent', payment: { state: 'sent' } })
    expect(desk.told).toEqual(['payout-7 verified 10.00', 'payout-7 sent 10.00'])
    expect(desk.books()).toEqual(['payout-7 approved,declined', 'payout-7.2r approved,approved'])
    expect([desk.gateway.calls('payoutCheck').length, paid(desk)]).toEqual([2, 2])
  })

  it('is not opened again while status does not answer about the one whose second step was declined', async () => {
    const desk = await declinedDesk()
    desk.gateway.faults.arm({ fault: 'drop', operation: 'status', times: 50 })
    expect(await desk.till.payout(checked)).toMatchObject({ kind: 'wait' })
    expect(desk.gateway.calls('payoutCheck')).toHaveLength(1)
  })

  it('is not sent a second time where the decline of its second step is corrected before the next order is sent', async () => {
    const desk = await declinedDesk()
    await desk.till.payout(checked)
    await desk.passes()
    expect((await desk.till.payment('payout-7')).state).toBe('verified')
    const { orderId = '' } = desk.gateway.orders.find('payout-7') ?? {}
    desk.gateway.act({ action: 'correct', status: 'approved', orderId })
    for (let round = 0; round < 3; round += 1) {
      await desk.till.payout(checked)
      await desk.passes()
    }
    expect(await desk.till.payout(checked)).toMatchObject({ kind: 'sent', payment: { state: 'sent' } })
    expect(desk.books()).toEqual(['payout-7 approved,approved', 'payout-7.2r approved'])
    expect(paid(desk)).toBe(1)
    expect(desk.told.filter(line => line.includes('sent'))).toEqual(['payout-7 sent 10.00'])
  })

  it('is no payout in one step', async () => {
    const desk = await openDesk()
    await desk.till.payout(checked)
    await desk.passes()
    await expect(desk.till.payout(payout)).rejects.toMatchObject({ code: 'ERR_OTHER_PAYMENT' })
    expect(desk.sent() + paid(desk)).toBe(0)
  })
})

describe('a payout', () => {
  it('that was declined is told, and sent under the next order when it is asked for again', async () => {
    const desk = await openDesk()
    desk.gateway.outcomes.plan({ outcome: 'declined', operation: 'payoutV4' })
    await desk.till.payout(payout)
    await desk.passes()
    expect(desk.told).toEqual(['payout-7 declined 10.00'])
    expect(desk.sent()).toBe(1)
    await desk.till.payout(payout)
    await desk.passes()
    expect(desk.told).toEqual(['payout-7 declined 10.00', 'payout-7 sent 10.00'])
    expect(desk.books()).toEqual(['payout-7 declined', 'payout-7.2r approved'])
  })

  it('of which two orders sent money is told as surplus', async () => {
    const desk = await openDesk()
    desk.gateway.outcomes.plan({ outcome: 'declined', operation: 'payoutV4' })
    for (let time = 0; time < 2; time += 1) {
      await desk.till.payout(payout)
      await desk.passes()
    }
    const { orderId = '' } = desk.gateway.orders.find('payout-7') ?? {}
    desk.gateway.act({ action: 'correct', status: 'approved', orderId })
    await desk.passes(60 * minute)
    expect(desk.told.at(-1)).toBe('payout-7 surplus 10.00')
    await expect(desk.till.payout(payout)).rejects.toMatchObject({ code: 'ERR_NEEDS_PERSON' })
    expect(desk.sent()).toBe(2)
  })

  it('over another amount is refused once it was sent', async () => {
    const desk = await openDesk()
    await desk.till.payout(payout)
    await desk.passes()
    await expect(desk.till.payout({ ...payout, amount: '11.00' })).rejects.toMatchObject({ code: 'ERR_OTHER_AMOUNT' })
    expect(desk.sent()).toBe(1)
  })

  const deaths = Array.from({ length: 5 }, (_, at) => at).flatMap(at => [
    { at, when: 'before' } as const,
    { at, when: 'after' } as const,
  ])

  it.each(deaths)('is sent once at most where the process dies $when call $at of its store', async death => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock })
    const dying = dyingStore(store, death)
    const doomed = await openDesk({ gateway, store: dying.store })
    await Promise.race([doomed.till.payout(payout), dying.died])
    const desk = await openDesk({ gateway, store })
    for (let round = 0; round < 4; round += 1) {
      await desk.passes()
      await desk.till.payout(payout)
    }
    expect(desk.sent()).toBeLessThanOrEqual(1)
    expect(desk.told).toEqual(desk.books().map(() => 'payout-7 sent 10.00'))
  })
})
