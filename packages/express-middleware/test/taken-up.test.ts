/** What the store hands out: none is forgotten, none is asked about for ever, and none is taken from whom it belongs to. */
import { setImmediate } from 'node:timers/promises'
import { type DocumentStore, entryOf, type KnownOrder, memoryStore, readDocument } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { callbackDesk, statusReply } from './callback-desk.js'
import { keepPayment, partialReturn, paymentOf, paymentsIn } from './kept-payments.js'

const minute = 60_000
const day = 24 * 60 * minute

/** Lets everything happen that takes no time. */
const settled = async () => {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate()
}

interface Kept {
  readonly store: DocumentStore
  readonly clock: ReturnType<typeof callbackDesk>['clock']
}

function storeWithClock(): Kept {
  const { clock } = callbackDesk()
  return { store: memoryStore({ clock: clock.now }), clock }
}

/** A desk that works on what is in a store, without the gateway's callbacks. */
function deskOf({ store, clock }: Kept, login = 'merchant') {
  const desk = callbackDesk({ store, clock: clock.now, wait: clock.wait })
  const client = { status: desk.client.status, payments: paymentsIn(store, login) }
  return { ...desk, handler: callbackDesk({ ...desk.options, merchant: { controlKeys: 'k', client } }).handler }
}

/** Changes the orders of a payment that is kept. */
async function changeOrders(store: DocumentStore, clientOrderId: string, own: (order: KnownOrder) => KnownOrder) {
  const { stored } = await store.read(`payment/test/merchant/${clientOrderId}`)
  if (stored === undefined) throw new Error('It was not kept.')
  const document = readDocument(stored)
  const entry = entryOf({ ...document, orders: document.orders.map(own) })
  await store.write(stored.key, entry, { after: stored.writeId, id: `changed:${clientOrderId}` })
}

const told = (order: KnownOrder): KnownOrder => ({
  ...order,
  stages: order.stages.map(each => ({ ...each, told: 1 })),
})

/** Resumes once a minute for so long. */
async function resumeFor(desk: ReturnType<typeof deskOf>, clock: Kept['clock'], minutes: number) {
  for (let passed = 0; passed < minutes; passed += 1) {
    await desk.handler.resume()
    await settled()
    await clock.advance(minute)
  }
}

describe('what resume takes up', () => {
  it('is asked about ever less often where it never ends: a form that nobody fills in', async () => {
    const { store, clock } = storeWithClock()
    await keepPayment(paymentsIn(store), [{ reservedAt: clock.now(), sendBy: clock.now() + 30_000 }])
    const desk = deskOf({ store, clock })
    desk.desk.status = () => statusReply({ status: 'processing' })
    await clock.advance(minute)
    await resumeFor(desk, clock, 120)
    // After one minute a minute later, then a quarter of its age later: 1, 2, 3, 4, 5, 6.25 … 113 minutes.
    expect(desk.asked.length).toBeGreaterThan(10)
    expect(desk.asked.length).toBeLessThan(25)
    const before = desk.asked.length
    await clock.advance(30 * day)
    await resumeFor(desk, clock, 60)
    expect(desk.asked.length).toBe(before + 1)
  })

  it('is told once it ends, however late', async () => {
    const { store, clock } = storeWithClock()
    await keepPayment(paymentsIn(store))
    const desk = deskOf({ store, clock })
    desk.desk.status = () => statusReply({ status: 'processing' })
    await resumeFor(desk, clock, 3)
    desk.desk.status = () => statusReply()
    await clock.advance(2 * 365 * day)
    await resumeFor(desk, clock, 1)
    expect(desk.told.map(({ kind }) => kind)).toEqual(['paid'])
  })

  it('is told again at growing intervals while the handler fails', async () => {
    const { store, clock } = storeWithClock()
    await keepPayment(paymentsIn(store), [{}], [statusReply()])
    const desk = deskOf({ store, clock })
    let isDown = true
    desk.desk.handle = () => {
      if (isDown) throw new Error('the ledger is away')
    }
    await desk.handler.resume()
    await settled()
    isDown = false
    await clock.advance(5_000)
    await settled()
    expect(desk.told).toHaveLength(2)
    expect((await paymentOf(desk.payments))?.orders[0]?.stages[0]?.told).toBe(1)
  })

  it('is the second of two equal returns as well, whose callback was lost', async () => {
    const { store, clock } = storeWithClock()
    const returned = { ...statusReply(), transactionType: 'reversal', amount: '3.00' }
    const returns = [partialReturn('s-1'), partialReturn('s-2')]
    await keepPayment(paymentsIn(store), [{}, ...returns], [statusReply(), { ...returned, byRequestSn: 's-1' }])
    await changeOrders(store, 'o-1', told)
    const desk = deskOf({ store, clock })
    desk.desk.status = ({ byRequestSn }) => (byRequestSn === undefined ? { ...returned } : { ...returned, byRequestSn })
    expect(await desk.handler.resume()).toBe(1)
    await settled()
    expect(desk.told).toMatchObject([{ kind: 'returned', isExpected: true, stage: { serialNumber: 's-2' } }])
  })
})

describe('what takes no turn from others', () => {
  it('are a hundred documents of another name in the same store', async () => {
    const { store, clock } = storeWithClock()
    for (let at = 0; at < 101; at += 1) await keepPayment(paymentsIn(store, 'north'), [{ clientOrderId: `n-${at}` }])
    await keepPayment(paymentsIn(store, 'south'), [
      { reservedAt: clock.now() - 2 * minute, sendBy: clock.now() - minute },
    ])
    const south = deskOf({ store, clock }, 'south')
    for (let calls = 0; calls < 3; calls += 1) {
      await south.handler.resume()
      await settled()
      await clock.advance(1_000)
    }
    expect(south.told.map(({ kind }) => kind)).toEqual(['paid'])
    // Said of nothing: the other name has a receiver of its own. It finds all of its documents at once.
    expect(south.reports.map(({ kind }) => kind)).toEqual(['told'])
    const north = deskOf({ store, clock }, 'north')
    north.desk.status = request => statusReply({ ...request, orderId: '77' })
    expect([await north.handler.resume(), await north.handler.resume()]).toEqual([100, 1])
  })

  it('are a hundred uploads whose outcome is not known: there is nothing to ask', async () => {
    const { store, clock } = storeWithClock()
    const upload = { operation: 'uploadCresResult', effect: 'changes', stages: [], orderId: '77' } as const
    for (let at = 0; at < 101; at += 1) {
      const clientOrderId = `u-${at}`
      const approved = statusReply({ clientOrderId })
      await keepPayment(
        paymentsIn(store),
        [{ clientOrderId }, { ...upload, clientOrderId, end: { kind: 'unknown', at: 1 } }],
        [approved],
      )
      await changeOrders(store, clientOrderId, told)
    }
    const desk = deskOf({ store, clock })
    for (let calls = 0; calls < 2; calls += 1) {
      expect(await desk.handler.resume()).toBe(0)
      await settled()
    }
    await clock.advance(10 * minute)
    expect((await store.take({ limit: 1000, hold: 1 })).items).toEqual([])
  })

  it('is a document of a newer release: the newer process gets it at once', async () => {
    const { store, clock } = storeWithClock()
    const later = { body: '{"v":3,"reference":"o-1","facts":[]}', due: 1, list: null }
    await store.write('payment/test/merchant/o-1', later, { id: 'later' })
    const desk = deskOf({ store, clock })
    await desk.handler.resume()
    expect(desk.reports).toMatchObject([{ kind: 'failed', cause: { code: 'ERR_STORE_DOCUMENT' } }])
    expect((await store.take({ limit: 1, hold: 1 })).items).toMatchObject([
      { key: 'payment/test/merchant/o-1', version: 1 },
    ])
  })

  it('is what a receiver has that is closed: the next process gets it at once', async () => {
    const { store, clock } = storeWithClock()
    await keepPayment(paymentsIn(store))
    await changeOrders(store, 'o-1', order => ({ ...order, callbackAt: clock.now() }))
    const desk = deskOf({ store, clock })
    desk.desk.status = () => Promise.reject(new Error('the gateway is away'))
    expect(await desk.handler.resume()).toBe(1)
    await settled()
    await desk.handler.close()
    const next = deskOf({ store, clock })
    expect(await next.handler.resume()).toBe(1)
    await settled()
    expect(next.told).toHaveLength(1)
  })
})

describe('what a process works on', () => {
  it('is handed out a minute after it died, however old it is', async () => {
    const { store, clock } = storeWithClock()
    await keepPayment(paymentsIn(store))
    await changeOrders(store, 'o-1', order => ({ ...order, callbackAt: clock.now() - 30 * day }))
    const dying = deskOf({ store, clock })
    dying.desk.status = () => Promise.reject(new Error('the gateway is away'))
    await resumeFor(dying, clock, 2)
    const next = deskOf({ store, clock })
    expect(await next.handler.resume()).toBe(1)
    await settled()
    expect(next.told).toHaveLength(1)
  })

  it('is told apart by its name, where two names have the same merchant and the same order', async () => {
    const { store, clock } = storeWithClock()
    const named = (name: string) => ({ ...paymentsIn(store), name })
    for (const [name, orderId] of [
      ['north', '77'],
      ['south', '78'],
    ] as const) {
      const end = { kind: 'accepted', at: 1, orderId } as const
      await keepPayment(named(name), [{ end }], [statusReply({ orderId })])
    }
    const desk = callbackDesk({ store, clock: clock.now, wait: clock.wait })
    const reply = ({ orderId }: { readonly orderId?: string }) => statusReply(orderId === undefined ? {} : { orderId })
    const { handler } = callbackDesk({
      ...desk.options,
      merchant: ({ orderId }) => ({
        controlKeys: 'k',
        client: { status: async request => reply(request), payments: named(orderId === '77' ? 'north' : 'south') },
      }),
    })
    expect(await handler.resume()).toBe(2)
    await settled()
    expect(desk.told.map(({ order }) => order.orderId).sort()).toEqual(['77', '78'])
  })
})

describe('what is unmatched', () => {
  it('is on its list, and never handed out', async () => {
    const { store, clock } = storeWithClock()
    const key = 'unmatched/test/merchant/abc'
    const order = { clientOrderId: 'strange', orderId: '9', login: 'merchant', attempts: [], stages: [], callbackAt: 1 }
    const document = { v: 1, reference: 'strange', orders: [order] }
    await store.write(key, entryOf(document, document), { id: 'a' })
    await clock.advance(day)
    expect(await deskOf({ store, clock }).handler.resume()).toBe(0)
    expect(await store.list({ list: 'unmatched', limit: 10 })).toMatchObject({ total: 1, items: [{ key }] })
  })

  it('is reported where the store does not hand it out', async () => {
    const { store, clock } = storeWithClock()
    const away = { ...store, take: () => Promise.reject(new Error('the database is away')) }
    const desk = deskOf({ store: away, clock })
    await expect(desk.handler.resume()).rejects.toThrow('the database is away')
    expect(desk.reports).toMatchObject([
      { kind: 'failed', explanation: 'The store does not hand out what is left to do.' },
    ])
  })
})
