/**
 * A shop with a till, as a process that kills itself at one named point.
 *
 * @module
 */
import { createServer } from 'node:http'
import { defineProfile } from '@tillkit/protocol'
import { createTill, type TillAccount } from '@tillkit/till'
import { postgresStore } from '@tillkit/till/postgres'
import { sqliteStore } from '@tillkit/till/sqlite'
import pg from 'pg'
import type { Store } from '../../../src/store/store.js'
import { noteToldOutside } from '../../kills/merchant.js'
import type { LifeOptions } from '../../kills/messages.js'
import type { Effect, Point } from './points.js'
import { actsOf, tillOptions } from './shop.js'

/** The options of the process, as JSON on its command line. */
export interface ProcessOptions extends Pick<LifeOptions, 'store'> {
  readonly account: Pick<TillAccount, 'baseUrl' | 'endpointId' | 'login' | 'controlKey' | 'privateKey'>
  readonly port: number
  /** The process dies there; without it, nowhere. */
  readonly point?: Point | undefined
  /** `outside`: what the handler does is not in the transaction of the telling. `early`: the store answers before it has written. */
  readonly planted?: 'outside' | 'early' | undefined
}

const options: ProcessOptions = JSON.parse(process.argv[2] ?? '')
// Without its parent nobody counts.
process.on('disconnect', () => process.exit(0))

let step = 0
const passed: Point[] = []

function pass(effect: Effect, side: Point['side']): void {
  const nth = passed.filter(each => each.step === step && each.effect === effect && each.side === side).length + 1
  passed.push({ step, effect, side, nth })
  const { point } = options
  if (point?.step === step && point.effect === effect && point.side === side && point.nth === nth)
    process.kill(process.pid, 'SIGKILL')
}

async function around<Result>(effect: Effect, work: () => Promise<Result>): Promise<Result> {
  pass(effect, 'before')
  const result = await work()
  pass(effect, 'after')
  return result
}

function openStore(): Store<never> {
  const { store } = options
  if (store.engine === 'sqlite') return sqliteStore(store.file, { lockTimeout: 20_000 }) as unknown as Store<never>
  const pool = new pg.Pool({ connectionString: store.url, max: 4 })
  pool.on('error', () => {})
  return postgresStore(pool, { schema: store.schema, timeout: 5_000 }) as unknown as Store<never>
}

const store = openStore()
const { commit } = store
const watched: Store<never> = {
  ...store,
  read: key => around('read', () => store.read(key)),
  write: (key, entry, by) =>
    around('write', async () => {
      if (options.planted !== 'early') return store.write(key, entry, by)
      const { stored, at } = await store.read(key)
      setTimeout(() => void store.write(key, entry, by).catch(() => {}), 5_000)
      return { kind: 'written', version: (stored?.version ?? 0) + 1, at }
    }),
  take: by => around('take', () => store.take(by)),
  ...(commit === undefined
    ? {}
    : { commit: (...given: Parameters<typeof commit>) => around('commit', () => commit(...given)) }),
}
const common = tillOptions(options)
const till = createTill<never>({
  ...common,
  account: {
    ...common.account,
    profile: defineProfile({ orderNeverSeen: '4711' }),
    observer: {
      signed: ({ operation }) => pass(`request ${operation}`, 'before'),
      // The answer is here, and nothing of it is written.
      attempt: ({ operation }, end) => {
        if (end !== undefined) pass(`request ${operation}`, 'after')
      },
      requestEnd: ({ effect, operation }) => {
        if (effect === 'reads') pass(`request ${operation}`, 'after')
      },
    },
  },
  store: watched,
  onOutcome: (outcome, context) =>
    around('handler', () =>
      options.planted === 'outside' ? noteToldOutside(options.store, outcome) : common.onOutcome(outcome, context),
    ),
})

const server = createServer((request, response) => {
  const url = request.url ?? '/'
  const effect = url.startsWith('/payments/callback') ? 'callback' : 'way-back'
  const work = () => till.answer(request)
  const answering = url.startsWith('/payments/payment') ? work() : around(effect, work)
  answering.then(
    answer => response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body),
    error => response.writeHead(500).end(String(error)),
  )
})

const acts = actsOf(till)
process.on('message', ({ place, act, reference }: { place: number; act: keyof typeof acts; reference: string }) => {
  step = place
  acts[act](reference).then(
    address => process.send?.({ kind: 'done', address, passed }),
    error => process.send?.({ kind: 'failed', reason: String(error.stack), passed }),
  )
})
server.listen(options.port, '127.0.0.1', () => process.send?.({ kind: 'listening' }))
