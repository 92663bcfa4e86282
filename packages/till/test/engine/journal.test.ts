/** Requests of `till.client`, with stores and clocks that go wrong. Counted in the gateway's books. */
import { defaultProfile } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTill } from '../../src/index.js'
import { readDocument } from '../../src/rules/kept/entry.js'
import { paymentOf } from '../../src/rules/pay/payment.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type DocumentStore, StoreError } from '../../src/store/store.js'
import { readyAccount } from '../till/ready-account.js'
import { sale } from './sale.js'

type Write = (count: number, write: () => ReturnType<DocumentStore['write']>) => ReturnType<DocumentStore['write']>

/** A till whose store writes as `write` says; counted from 1. Its clocks are the gateway's, which a test advances. */
function openShop(write: Write = (_, write) => write(), { wait }: { readonly wait?: () => Promise<void> } = {}) {
  const gateway = createFakeGateway()
  const { clock } = gateway
  const base = memoryStore({ clock: clock.now })
  const unsettled: unknown[] = []
  let writes = 0
  const store: DocumentStore = {
    ...base,
    write(key, entry, options) {
      writes += 1
      return write(writes, () => base.write(key, entry, options))
    },
  }
  const till = createTill<never>({
    account: {
      ...readyAccount(gateway),
      clock: clock.now,
      wait: wait ?? clock.wait,
      observer: { unsettled: (attempt, cause) => void unsettled.push([attempt, cause]), warning: () => {} },
    },
    store: store as never,
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    onOutcome: () => {},
    clock: clock.now,
    wait: clock.wait,
  })
  onTestFinished(async () => {
    await meanwhile(till.close(), clock)
    await gateway.close()
  })
  const kept = async () => {
    const { stored } = await base.read('payment/production/till/basket-7')
    if (stored === undefined) return []
    const { timeline } = paymentOf(readDocument(stored), { reference: 'basket-7', at: 0, profile: defaultProfile })
    return timeline.map(each => (each.kind === 'answered' ? `answered ${each.ended}` : each.kind))
  }
  return { gateway, clock, till, unsettled, kept, books: () => gateway.orders.list().length, writes: () => writes }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

/** Waits for something while time passes, a second at a time. */
async function meanwhile<Value>(awaited: Promise<Value>, { advance }: { advance(by: number): Promise<unknown> }) {
  let isOver = false
  const over = () => {
    isOver = true
  }
  awaited.then(over, over)
  let seconds = 0
  for (; !isOver && seconds < 120; seconds += 1) {
    await turns()
    if (!isOver) await advance(1_000)
  }
  return { seconds, ended: await Promise.race([awaited.catch(error => error), turns().then(() => 'nothing')]) }
}

describe('a request of till.client is not sent after its caller heard that it was not', () => {
  it('where the answer to its reservation comes late, from a store whose clock is behind', async () => {
    const shop = openShop(async (count, write) => {
      const written = await write()
      if (count > 1) return written
      await shop.clock.wait(40_000, new AbortController().signal)
      return { ...written, at: written.at - 60_000 }
    })
    const { ended } = await meanwhile(shop.till.client.sale(sale), shop.clock)
    expect(ended).toMatchObject({ code: 'ERR_NOT_SENT' })
    await meanwhile(new Promise(() => {}), shop.clock)
    expect([shop.books(), await shop.kept()]).toEqual([0, ['opened', 'requested', 'answered not-sent']])
  })

  it('where its time is over early by the timer that ends its waiting', async () => {
    let answers = () => {}
    const hangs = new Promise<void>(resolve => {
      answers = resolve
    })
    const shop = openShop(
      async (count, write) => {
        if (count === 1) await hangs
        return write()
      },
      { wait: async () => {} },
    )
    await expect(shop.till.client.sale(sale)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    answers()
    await turns()
    expect([shop.books(), await shop.kept()]).toEqual([0, ['opened', 'requested', 'answered not-sent']])
  })
})

describe('a request of till.client that the gateway accepted', () => {
  it('is answered within five seconds, however often the store fails meanwhile', async () => {
    const shop = openShop(async (count, write) => {
      if (count > 1) throw new Error('the line broke')
      return write()
    })
    const { seconds, ended } = await meanwhile(shop.till.client.sale(sale), shop.clock)
    expect(ended).toMatchObject({ orderId: expect.anything() })
    expect(seconds).toBeLessThanOrEqual(6)
    expect(shop.unsettled).toMatchObject([[{ clientOrderId: 'basket-7', reservation: expect.any(String) }, {}]])
  })

  it('is not said to be unwritten where its caller leaves while that is written', async () => {
    const caller = new AbortController()
    const shop = openShop(async (count, write) => {
      if (count === 2) {
        caller.abort()
        await turns()
      }
      return write()
    })
    await expect(shop.till.client.sale(sale, { signal: caller.signal })).resolves.toBeDefined()
    expect([shop.unsettled, await shop.kept()]).toEqual([[], ['opened', 'requested', 'answered accepted']])
  })

  it('is written down before the till is closed', async () => {
    const shop = openShop(async (_, write) => {
      await turns()
      return write()
    })
    shop.gateway.faults.arm({ fault: 'slow-body', operation: 'sale', delay: 8_000 })
    const sold = shop.till.client.sale(sale)
    while (shop.gateway.calls('sale').length === 0) await turns()
    await meanwhile(shop.till.close(), shop.clock)
    await sold.catch(() => undefined)
    expect(await shop.kept()).toHaveLength(3)
  })
})

describe('a request of till.client that is not sent', () => {
  it('takes no id where it cannot be encoded', async () => {
    const { till } = openShop()
    await expect(till.client.sale({ ...sale, firstName: 'J\ud83d' })).rejects.toMatchObject({
      code: 'ERR_INVALID_REQUEST',
      field: 'firstName',
    })
    await expect(till.client.sale({ ...sale, firstName: 'Joan' })).resolves.toBeDefined()
  })

  it('says why the store refused it, though it may have been written before', async () => {
    const shop = openShop(async (count, write) => {
      if (count === 1) {
        await write()
        throw new Error('the line broke')
      }
      if (count === 2) throw new StoreError('ERR_STORE_REFUSED', 'the disk is full')
      return write()
    })
    const { ended } = await meanwhile(shop.till.client.sale(sale), shop.clock)
    expect(ended).toMatchObject({ code: 'ERR_NOT_SENT', message: expect.stringContaining('the disk is full') })
    expect([shop.books(), await shop.kept()]).toEqual([0, ['opened', 'requested', 'answered not-sent']])
    await expect(shop.till.client.sale(sale)).resolves.toBeDefined()
  })

  it('says how often a store failed', async () => {
    const shop = openShop(async () => {
      throw new Error('the line broke')
    })
    const { ended } = await meanwhile(shop.till.client.sale(sale), shop.clock)
    expect(ended).toMatchObject({ code: 'ERR_NOT_SENT', cause: { code: 'ERR_STORE_UNKNOWN' } })
    expect(String(ended)).toMatch(/it failed \d+ times, at last with: the line broke Is the database up and reachable/)
  })

  it('shows no key of the account or of the merchant that it was for', async () => {
    const keys = 'key-of-another-merchant'
    const shop = openShop(async () => {
      throw new StoreError('ERR_STORE_REFUSED', `cannot take ${keys} or ${shop.gateway.clientOptions.controlKey}`)
    })
    const merchant = { login: 'another', endpointId: 39, controlKey: keys }
    const error: Error = await shop.till.client.sale(sale, { merchant }).catch(cause => cause)
    expect(error.message).toContain('cannot take')
    for (const key of [keys, shop.gateway.clientOptions.controlKey])
      expect(`${error.message} ${String(error.cause)}`).not.toContain(key)
  })

  it('is refused once the till is closed, and is none where it is no operation', async () => {
    const { till, books } = openShop()
    await expect(till.client.send(undefined as never, {})).rejects.toMatchObject({ field: 'operation' })
    await till.close()
    await expect(till.client.sale(sale)).rejects.toMatchObject({ message: expect.stringContaining('was closed') })
    expect(books()).toBe(0)
  })
})
