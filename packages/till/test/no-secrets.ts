/** Every operation with secrets in all fields, answered by a gateway that echoes them; then the bytes of a database are searched. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestDispatcher } from '@tillkit/client'
import { testPrivateKey as privateKey } from '@tillkit/testing'
import { createTill } from '@tillkit/till'
import { expect } from 'vitest'
import vectors from '../../client/test/vectors/requests.json' with { type: 'json' }
import type { Store } from '../src/store/store.js'

export const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
export const card = { creditCardNumber: '4111111111111111', cvv2: '95173', cardPrintedName: 'CANARY SEPTIMUS' }
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
export async function sendEverything(store: Store): Promise<readonly string[]> {
  const sent = new Set<string>()
  const till = createTill<never>({
    account: {
      baseUrl: 'https://gate.example/paynet',
      endpointId: 39,
      login: 'merchant',
      controlKey,
      privateKey,
      dispatcher: echoing(sent),
      retries: 0,
    },
    store: store as Store<never>,
    returnTo: () => '/',
    onOutcome: 'told-elsewhere',
  })
  type Method = (request: object, options: { readonly attemptId: string }) => Promise<unknown>
  const methods = till.client as unknown as { readonly [operation: string]: Method | undefined }
  let operations = 0
  for (const { title, operation, request } of vectors) {
    if (title !== 'every field') continue
    operations += 1
    const own = Object.entries(cards).filter(([field]) => Object.hasOwn(request, field))
    const given = { ...request, ...Object.fromEntries(own), clientOrderId: `o-${operations}` }
    const ids = Object.hasOwn(request, 'clientOrderId') ? given : { ...request, ...Object.fromEntries(own) }
    await methods[operation]?.(ids, { attemptId: `part-${operations}` }).catch(() => {})
  }
  await till.close()
  expect(operations).toBeGreaterThan(26)
  expect(sent.size).toBeGreaterThan(10)
  return [...planted, ...sent]
}

/** A secret as it is, as a form has it, and in base64 wherever it begins. */
export function spellings(secret: string): readonly Buffer[] {
  const inBase64 = [0, 1, 2].map(before =>
    Buffer.from(`${'.'.repeat(before)}${secret}`)
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1, -4),
  )
  return [secret, encodeURIComponent(secret), ...inBase64].map(each => Buffer.from(each))
}

/** When each file of a directory was last written. A server may take files away meanwhile. */
export const timesIn = (place: string): ReadonlyMap<string, number> =>
  new Map(
    readdirSync(place, { recursive: true })
      .map(String)
      .flatMap(file => {
        const stats = statSync(join(place, file), { throwIfNoEntry: false })
        return stats?.isFile() ? [[file, stats.mtimeMs] as const] : []
      }),
  )

/** The secrets that stand in a directory, and in which file. Files that were not written since are as they were `before`. */
export function secretsIn(place: string, secrets: readonly string[], before: ReadonlyMap<string, number> = new Map()) {
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

export const plant = (store: Store, body: string) =>
  store.write(`planted-${body.length}`, { body: JSON.stringify(body), due: null, list: null }, { id: 'p' })
