/**
 * A person at night meets a store whose tables are of another release, whose database is read-only, or whose row is no document.
 * Through `till.client`, on both engines; requests are counted where they arrive.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createFakeGateway, testCard } from '@tillkit/testing'
import { createTill } from '@tillkit/till'
import { postgresStore } from '@tillkit/till/postgres'
import { sqliteStore } from '@tillkit/till/sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import type { DocumentStore, Store } from '../src/store/store.js'
import { freshGround } from './postgres/support/ground.js'
import { merchantsConnection } from './sqlite/conformance.js'
import { freshFile } from './sqlite/ground.js'
import { readyAccount } from './till/ready-account.js'

/** A database, what somebody else does to it, and a store on it. */
interface Ground {
  open(): DocumentStore
  /** Says that its tables are of that version. */
  setVersion(version: number): Promise<void>
  /** Gives the table of documents another name, and its own again. */
  rename(isAway: boolean): Promise<void>
  /** Puts text in the place of every body. */
  spoil(body: string): Promise<void>
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function sqliteGround(): Promise<Ground> {
  const file = freshFile()
  const alter = async (statement: string) => {
    const database = merchantsConnection(file)
    database.execute(statement)
    database.close()
  }
  return {
    open: () => sqliteStore(file),
    setVersion: version => alter(`UPDATE tillkit_store SET version = ${version}`),
    rename: isAway =>
      alter(`ALTER TABLE ${isAway ? 'tillkit_documents RENAME TO moved' : 'moved RENAME TO tillkit_documents'}`),
    spoil: body => alter(`UPDATE tillkit_documents SET body = '${body}'`),
  }
}

async function postgresGround(): Promise<Ground> {
  const { admin, schema, pool, end } = await freshGround()
  ends.push(end)
  return {
    open: () => postgresStore(pool(), { schema }),
    async setVersion(version) {
      await admin.query(`delete from "${schema}".migrations`)
      await admin.query(`insert into "${schema}".migrations (version) values (${version})`)
    },
    async rename(isAway) {
      await admin.query(`alter table "${schema}".${isAway ? 'documents rename to moved' : 'moved rename to documents'}`)
    },
    async spoil(body) {
      await admin.query(`update "${schema}".documents set body = '${body}'`)
    },
  }
}

const sale = {
  clientOrderId: 'basket-7',
  amount: '10.00',
  currency: 'EUR',
  email: 'joan@customer.example',
  creditCardNumber: testCard,
  cardPrintedName: 'JOAN BAKER',
  expireMonth: '12',
  expireYear: '2031',
  cvv2: '123',
}

/** A gateway, and a process of the merchant's on the store. */
function shopOn(ground: Ground, gateway = createFakeGateway()) {
  const store = ground.open()
  const warnings: string[] = []
  const observer = { warning: ({ message }: { readonly message: string }) => void warnings.push(message) }
  // Time passes ten times as fast: nothing here is waited for that comes.
  const wait = async (milliseconds: number, signal: AbortSignal) => {
    await pause(milliseconds / 10, undefined, { signal }).catch(() => {})
  }
  const till = createTill<never>({
    account: { ...readyAccount(gateway), observer, wait },
    store: store as Store<never>,
    onOutcome: 'told-elsewhere',
    returnTo: () => '/',
  })
  ends.push(async () => {
    await till.close()
    await store.close()
  })
  return { gateway, client: till.client, warnings }
}

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('It was sent.'),
    (error: Error & { readonly code?: string }) => error,
  )

describe.each([
  ['SQLite', sqliteGround],
  ['PostgreSQL', postgresGround],
] as const)('till.client on %s', (_, newGround) => {
  it.each([
    ['newer', 2, /Update @tillkit\/till/],
    ['older', 0, /this release needs|release that made it/],
  ])(
    'sends nothing where the tables are of a %s release, and once where they are not any more',
    async (_, version, cure) => {
      const ground = await newGround()
      const before = shopOn(ground)
      await before.client.sale({ ...sale, clientOrderId: 'basket-6' })
      await ground.setVersion(version)
      const { client, gateway } = shopOn(ground, before.gateway)
      const error = await errorOf(client.sale(sale))
      expect(error).toMatchObject({ code: 'ERR_NOT_SENT', cause: { code: 'ERR_STORE_SCHEMA' } })
      expect(error.message).toMatch(cure)
      expect(gateway.calls('sale')).toHaveLength(1)
      await ground.setVersion(1)
      await shopOn(ground, gateway).client.sale(sale)
      expect(gateway.calls('sale')).toHaveLength(2)
    },
  )

  it('sends no sale again whose answer came while another release changed the tables', async () => {
    const ground = await newGround()
    const { client, gateway, warnings } = shopOn(ground)
    await client.sale({ ...sale, clientOrderId: 'basket-6' })
    gateway.faults.arm({ fault: 'slow-body', delay: 20_000 })
    const selling = client.sale(sale)
    while (gateway.calls('sale').length < 2) await new Promise(resolve => setImmediate(resolve))
    await ground.rename(true)
    await gateway.clock.advance(20_000)
    // It happened: a store that fails does not hide that.
    expect(await selling).toMatchObject({ orderId: expect.any(String) })
    expect(warnings.join('\n')).toContain('payment/production/till/basket-7')
    await ground.rename(false)
    const error = await errorOf(shopOn(ground, gateway).client.sale(sale))
    expect(error.code).toBe('ERR_ALREADY_SENT')
    expect(gateway.calls('sale')).toHaveLength(2)
  })

  it.each([
    ['no JSON', 'Dear customer'],
    ['no document', '{}'],
    ['a document of a newer release', '{"v":3,"reference":"basket-7","facts":[]}'],
  ])('changes nothing of an order whose document is %s, and says where it is', async (_, body) => {
    const ground = await newGround()
    const { client, gateway } = shopOn(ground)
    const { orderId } = await client.preauth(sale)
    await ground.spoil(body)
    for (const call of [() => client.capture({ clientOrderId: 'basket-7', orderId }), () => client.preauth(sale)]) {
      const error = await errorOf(call())
      expect(error).toMatchObject({ code: 'ERR_NOT_SENT', cause: { code: 'ERR_STORE_DOCUMENT' } })
      expect(error.message).toContain('payment/production/till/basket-7')
    }
    expect(gateway.calls('capture')).toHaveLength(0)
    expect(gateway.calls('preauth')).toHaveLength(1)
  })
})

it('sends nothing where PostgreSQL takes no writes, and says why', async () => {
  const { schema, pool, end } = await freshGround()
  ends.push(end)
  const readOnly = pool({ options: '-c default_transaction_read_only=on' })
  const ground = {
    open: () => postgresStore(readOnly, { schema }),
    setVersion: async () => {},
    rename: async () => {},
    spoil: async () => {},
  }
  const { client, gateway } = shopOn(ground)
  const error = await errorOf(client.sale(sale))
  expect(error).toMatchObject({ code: 'ERR_NOT_SENT', cause: { code: 'ERR_STORE_REFUSED' } })
  expect(error.message).toMatch(/read-only/)
  expect(gateway.calls('sale')).toHaveLength(0)
})
