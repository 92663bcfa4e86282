/**
 * One life of a merchant's process: takes its list of payments from the beginning, learns what became of what an earlier life
 * began, goes on, and dies where it is told to. It has nothing but the store to remember things by.
 *
 * @module
 */
import { createClient } from '@tillkit/client'
import { defineProfile } from '@tillkit/protocol'
import { createTill } from '@tillkit/till'
import { postgresStore } from '@tillkit/till/postgres'
import { sqliteStore } from '@tillkit/till/sqlite'
import pg from 'pg'
import { type Store, StoreError } from '../../src/store/store.js'
import { type Intake, openIntake } from './intake.js'
import { noteTold, noteToldOutside } from './merchant.js'
import type { LifeOptions } from './messages.js'
import { pay } from './pay.js'
import type { Payment } from './payments.js'
import { type Stand, stand, tell } from './stand.js'

const options: LifeOptions = JSON.parse(process.argv[2] ?? '')
// Without its parent nobody counts.
process.on('disconnect', () => process.exit(0))

function openStore(): Store<never> {
  const { store } = options
  if (store.engine === 'sqlite') return sqliteStore(store.file, { lockTimeout: 20_000 }) as unknown as Store<never>
  const pool = new pg.Pool({ connectionString: store.url, max: 3 })
  pool.on('error', () => {})
  return postgresStore(pool, { schema: store.schema, timeout: 5_000 }) as unknown as Store<never>
}

/** The store, with a point before and after each effect on a payment. Other documents are written whenever the till has time for them. */
function watched(store: Store<never>, at: Stand): Store<never> {
  const { planted } = options
  return {
    ...store,
    async read(key) {
      if (!isPayment(key)) return store.read(key)
      await at.pass('store.read.before')
      const result = await store.read(key)
      await at.pass('store.read.after')
      return result
    },
    async write(key, entry, by) {
      if (!isPayment(key)) return store.write(key, entry, by)
      await at.pass('store.write.before')
      if (planted === 'early') {
        const { stored, at: now } = await store.read(key)
        setTimeout(() => store.write(key, entry, by).catch(() => {}), 2_000)
        await at.pass('store.write.after')
        return { kind: 'written', version: (stored?.version ?? 0) + 1, at: now }
      }
      const result = await store.write(key, entry, by)
      await at.pass('store.write.after')
      return result
    },
    async commit(...given) {
      if (store.commit === undefined) throw new Error('This engine has transactions.')
      await at.pass('commit.before')
      const result = await store.commit(...given)
      await at.pass('commit.after')
      return result
    },
  }
}

const isPayment = (key: string): boolean => key.startsWith('payment/')

/**
 * Brings a payment to its end. Where the database was away for longer than its store waits, it begins anew, as the next life would:
 * what was begun is in the store.
 */
async function settle(payment: Payment, intake: Intake): Promise<void> {
  const { door } = options
  for (;;) {
    try {
      return await pay(payment, { till, forgetful, at, door, intake, timeout: options.timeout })
    } catch (error) {
      if (!(error instanceof StoreError && /UNKNOWN|UNREADABLE/.test(error.code))) throw error
      await tell({ kind: 'trouble', reason: error.message })
    }
  }
}

const at = stand(options.blow)
const store = openStore()
const watchedStore = watched(store, at)
const profile = defineProfile({ orderNeverSeen: '4711' })
const account = { ...options.gateway, profile, timeout: options.timeout }
const till = createTill<never>({
  account: {
    ...account,
    observer: {
      signed: () => at.passNow('dispatch.before'),
      attempt: (_attempt, end) => {
        if (end !== undefined && at.isExchanging()) at.passNow('answer.after')
      },
      requestEnd: ({ effect }) => {
        if (effect === 'reads') at.passNow('answer.after')
      },
      unsettled: ({ clientOrderId = '' }) => {
        const about = { reference: at.reference(), clientOrderId, key: at.key() }
        void tell({ kind: 'belief', belief: { ...about, what: 'unsettled' } })
      },
    },
  },
  store: watchedStore,
  name: 'kills',
  // Nobody takes the callbacks of payments that status is asked about.
  address: new URL('/payments', options.door).href,
  returnTo: () => '/',
  handlerTimeout: 3_000,
  onReport: () => {},
  async onOutcome(outcome, { transaction }) {
    // An earlier list has left it, and its books are closed.
    if (!options.payments.some(({ reference }) => reference === outcome.reference)) return
    await at.pass('handler.before')
    const { order, stage } = outcome
    const about = { reference: at.reference(), clientOrderId: order.clientOrderId, key: at.key() }
    await tell({
      kind: 'belief',
      belief: { ...about, what: 'told', word: stage.status, stage: stage.stage, amount: stage.amount },
    })
    if (options.planted === 'outside') await noteToldOutside(options.store, outcome)
    else await noteTold(outcome, transaction)
    await at.pass('handler.after')
  },
})
/** A client past the till: what a program does that takes unknown for not sent. */
const forgetful = options.planted === 'forgetful' ? createClient(account) : undefined

try {
  const intake = await openIntake({ till, raw: store, opened: port => tell({ kind: 'listening', port }) })
  for (const payment of options.payments) await settle(payment, intake)
  await intake.close()
  await till.close()
  await forgetful?.close()
  await store.close()
  await tell({ kind: 'done' })
} catch (error) {
  await tell({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}
process.disconnect()
