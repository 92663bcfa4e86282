/** Every operation with secrets in all fields, answered by a gateway that echoes them; then the bytes of the databases are searched. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type RequestDispatcher } from '@tillkit/client'
import type { Store } from '@tillkit/protocol'
import { testPrivateKey as privateKey } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import vectors from '../../client/test/vectors/requests.json' with { type: 'json' }
import { postgresStore } from '../src/postgres.js'
import { sqliteStore } from '../src/sqlite.js'
import { freshGround, serverUrl } from './postgres/support/ground.js'
import { ownServer } from './postgres-server.js'
import { directory } from './sqlite/ground.js'

const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const card = { creditCardNumber: '4111111111111111', cvv2: '95173', cardPrintedName: 'CANARY SEPTIMUS' }
const cards = { ...card, destinationCardNo: card.creditCardNumber, sendingCardNumber: card.creditCardNumber }
const planted = [controlKey, privateKey.split('\n')[3] ?? '', card.creditCardNumber, card.cardPrintedName]

/** A gateway that takes everything, and writes into its answer all that it was sent. */
function echoing(sent: Set<string>): RequestDispatcher {
  return {
    reportsStart: true,
    dispatch({ body, headers }, handler) {
      const form = new URLSearchParams(String(body))
      const authorization = JSON.stringify(headers)
      const signature = /oauth_signature=\\"([^\\]+)\\"/.exec(authorization)?.[1]
      for (const secret of [form.get('control'), signature, signature && decodeURIComponent(signature)])
        if (secret) sent.add(secret)
      const echo = `${decodeURIComponent(String(body))} ${authorization} ${controlKey} ${card.cvv2}`
      const answer = JSON.stringify({
        type: 'async-response',
        status: 'declined',
        'serial-number': `sn-${sent.size}`,
        'merchant-order-id': form.get('client_orderid') ?? '',
        'paynet-order-id': form.get('orderid') ?? '77',
        'error-message': echo,
        'error-code': echo,
        html: echo,
        'redirect-url': 'https://gate.example/form/1',
        'transaction-type': 'sale',
      })
      const controller = { aborted: false, paused: false, reason: null, abort() {}, pause() {}, resume() {} }
      handler.onRequestStart?.(controller, {})
      queueMicrotask(() => {
        handler.onResponseStart?.(controller, 200, { 'content-type': 'application/vnd.pay+json' }, 'OK')
        handler.onResponseData?.(controller, Buffer.from(answer))
        handler.onResponseEnd?.(controller, {})
      })
      return true
    },
  }
}

/** Sends every operation through a store. @returns The secrets that were in it. */
async function sendEverything(store: Store): Promise<readonly string[]> {
  const sent = new Set<string>()
  const client = createClient({
    baseUrl: 'https://gate.example/paynet',
    endpointId: 39,
    login: 'merchant',
    controlKey,
    privateKey,
    dispatcher: echoing(sent),
    store,
    retries: 0,
  })
  type Method = (request: object, options: { readonly attemptId: string }) => Promise<unknown>
  const methods = client as unknown as { readonly [operation: string]: Method | undefined }
  let operations = 0
  for (const { title, operation, request } of vectors) {
    if (title !== 'every field') continue
    operations += 1
    const own = Object.entries(cards).filter(([field]) => Object.hasOwn(request, field))
    const given = { ...request, ...Object.fromEntries(own), clientOrderId: `o-${operations}` }
    const ids = Object.hasOwn(request, 'clientOrderId') ? given : { ...request, ...Object.fromEntries(own) }
    await methods[operation]?.(ids, { attemptId: `part-${operations}` }).catch(() => {})
  }
  await client.close()
  expect(operations).toBeGreaterThan(26)
  expect(sent.size).toBeGreaterThan(10)
  return [...planted, ...sent]
}

/** A secret as it is, as a form has it, and in base64 wherever it begins. */
function spellings(secret: string): readonly Buffer[] {
  const inBase64 = [0, 1, 2].map(before =>
    Buffer.from(`${'.'.repeat(before)}${secret}`)
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1, -4),
  )
  return [secret, encodeURIComponent(secret), ...inBase64].map(each => Buffer.from(each))
}

/** When each file of a directory was last written. A server may take files away meanwhile. */
const timesIn = (place: string): ReadonlyMap<string, number> =>
  new Map(
    readdirSync(place, { recursive: true })
      .map(String)
      .flatMap(file => {
        const stats = statSync(join(place, file), { throwIfNoEntry: false })
        return stats?.isFile() ? [[file, stats.mtimeMs] as const] : []
      }),
  )

/** The secrets that stand in a directory, and in which file. Files that were not written since are as they were `before`. */
function secretsIn(place: string, secrets: readonly string[], before: ReadonlyMap<string, number> = new Map()) {
  const files = [...timesIn(place)].filter(([file, time]) => before.get(file) !== time)
  const spelled = secrets.map(secret => ({ secret, spellings: spellings(secret) }))
  return files.flatMap(([file]) => {
    if (!existsSync(join(place, file))) return []
    const bytes = written(readFileSync(join(place, file)))
    return spelled
      .filter(({ spellings }) => spellings.some(each => bytes.includes(each)))
      .map(({ secret }) => `${file}: ${secret}`)
  })
}

/** A file without the zeros at its end: a log of PostgreSQL is prepared in 16 MiB. */
function written(bytes: Buffer): Buffer {
  const zeros = Buffer.alloc(8_192)
  let end = bytes.length
  while (end >= zeros.length && bytes.subarray(end - zeros.length, end).equals(zeros)) end -= zeros.length
  return bytes.subarray(0, end)
}

const plant = (store: Store, body: string) =>
  store.write(`planted-${body.length}`, { body: JSON.stringify(body), due: null, list: null }, { version: 0, id: 'p' })

describe('no card data, key or signature is in the bytes of', () => {
  it('a file of SQLite and what stands beside it', async () => {
    const place = directory()
    const store = sqliteStore(join(place, 'shop.db'))
    const secrets = await sendEverything(store as unknown as Store)
    expect((await store.list({ limit: 1 })).total).toBeGreaterThan(10)
    expect(secretsIn(place, secrets)).toEqual([])
    for (const spelled of [card.creditCardNumber, Buffer.from(`x${controlKey}`).toString('base64')]) {
      const before = secretsIn(place, secrets).length
      await plant(store as unknown as Store, spelled)
      expect(secretsIn(place, secrets).length).toBeGreaterThan(before)
    }
    await store.close()
  })

  it('a database of PostgreSQL, its log of writes, and its rows', async () => {
    // The files of the server that DATABASE_URL names may be on another machine.
    const own = process.env.DATABASE_URL ? await ownServer() : undefined
    const { admin, schema, pool, end } = await freshGround({ url: own?.url ?? serverUrl() })
    try {
      const store = postgresStore(pool(), { schema }) as unknown as Store
      const [{ data_directory: place }] = (await admin.query('show data_directory')).rows
      const before = timesIn(place)
      const secrets = await sendEverything(store)
      const rows = async () => JSON.stringify((await admin.query(`select * from "${schema}".documents`)).rows)
      await admin.query('checkpoint')
      expect(secretsIn(place, secrets, before)).toEqual([])
      // A long body is compressed: then only the row shows it.
      const found = (text: string) => secrets.filter(each => spellings(each).some(as => Buffer.from(text).includes(as)))
      expect(found(await rows())).toEqual([])
      await plant(store, card.creditCardNumber)
      await admin.query('checkpoint')
      expect(secretsIn(place, secrets, before).length).toBeGreaterThan(1)
      expect(found(await rows())).toEqual([card.creditCardNumber])
    } finally {
      await end()
      await own?.stop()
    }
  })
})
