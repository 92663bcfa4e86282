/**
 * A trap for leaks: a client whose requests are full of secrets, a server that sees them, and everything that anybody gets
 * to see of it, collected to be searched.
 */

import { inspect } from 'node:util'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { assertNoSecrets } from '@tillkit/testing'
import { expect, vi } from 'vitest'
import { type CallOptions, type Client, type ClientOptions, createClient } from '../src/index.js'
import { type ArrivedRequest, type Behaviour, type GatewayServer, startServer } from './gateway-server.js'
import { importFresh } from './import-fresh.js'
import { otherPrivateKey as privateKey } from './other-keys.js'
import { controlKey, saleRequest } from './sample-requests.js'
import vectors from './vectors/requests.json' with { type: 'json' }

/** Secrets that are long enough to be looked for anywhere, in any encoding. */
const planted = {
  'card number': saleRequest.creditCardNumber,
  'card holder': saleRequest.cardPrintedName,
  'control key': controlKey,
  'private key': privateKey.split('\n')[3] ?? '',
}

/** Looked for where they stand alone: a random identifier may well hold four digits in a row. */
const alone = [saleRequest.cvv2, saleRequest.expireYear, `${saleRequest.expireMonth}/83`]

/** What is planted into every request that has such a field. */
const cardData = {
  creditCardNumber: saleRequest.creditCardNumber,
  destinationCardNo: saleRequest.creditCardNumber,
  sendingCardNumber: saleRequest.creditCardNumber,
  cardPrintedName: saleRequest.cardPrintedName,
  expireMonth: saleRequest.expireMonth,
  expireYear: saleRequest.expireYear,
  cvv2: saleRequest.cvv2,
}

type AnyMethod = (request: unknown, options?: CallOptions) => Promise<unknown>

export interface Trap {
  readonly server: GatewayServer
  readonly client: Client
  readonly privateKey: string
  /** Another client that is watched like the first. */
  open(options?: Partial<ClientOptions>): Client
  /** Collects a value, in every way that it may be printed. */
  show(value: unknown): void
  /** Sets what the server does; secrets of the requests are noted. */
  behave(behaviour: Behaviour): void
  /** Sends a request of every operation, and shows what they are rejected with. */
  sendEverything(options?: CallOptions & { readonly client?: Client }): Promise<void>
  /** Expects that none of the secrets was shown, and that something was. */
  expectClean(): void
  close(): Promise<void>
}

/** Sets a trap. */
export async function setTrap(): Promise<Trap> {
  const server = await startServer(() => {})
  const shown: string[] = []
  const sent = new Set<string>()
  const show = (value: unknown) => void shown.push(...printed(value))
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  const recipe = new URL('recipes/opentelemetry.ts', import.meta.url)
  const { tracing } = await importFresh<typeof import('./recipes/opentelemetry.js')>(recipe)
  const output = (['log', 'info', 'warn', 'error', 'debug'] as const).map(name =>
    vi.spyOn(console, name).mockImplementation(show),
  )
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(show)
  const clients: Client[] = []

  const open = (options: Partial<ClientOptions> = {}): Client => {
    const client = createClient({
      baseUrl: server.baseUrl,
      endpointId: 39,
      login: 'merchant',
      controlKey,
      privateKey,
      retries: 0,
      random: () => 0,
      wait: async () => {},
      // In steps of ten seconds: a duration of 2083 ms is not the year on a card.
      clock: () => Math.floor(Date.now() / 10_000) * 10_000,
      observer: {
        requestStart(request) {
          show(request)
          tracing.requestStart?.(request)
        },
        requestEnd(request) {
          show(request)
          tracing.requestEnd?.(request)
        },
        signed: show,
        exchange: show,
        attempt: (...told) => show(told),
        poll: show,
        warning: show,
      },
      ...options,
    })
    clients.push(client)
    show(client)
    return client
  }

  const client = open()
  return {
    server,
    client,
    privateKey,
    open,
    show,
    behave(behaviour) {
      server.behave((socket, request) => {
        for (const secret of secretsOf(request)) sent.add(secret)
        behaviour(socket, request)
      })
    },
    async sendEverything({ client: sender = client, ...options } = {}) {
      const methods = sender as unknown as Record<string, AnyMethod>
      const calls = vectors
        .filter(({ title }) => title === 'every field')
        .map(({ operation, request }) => methods[operation]?.({ ...request, ...plantedInto(request) }, options))
      expect(calls.length).toBeGreaterThan(26)
      for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') show(result.reason)
    },
    expectClean() {
      for (const { name, attributes, events, status } of exporter.getFinishedSpans())
        show({ name, attributes, events, status })
      const text = [...new Set(shown)].join('\n')
      assertNoSecrets(text, planted)
      expect([...sent].filter(secret => text.includes(secret))).toEqual([])
      expect(piecesIn(text, [...Object.values(planted), ...sent])).toEqual([])
      expect(alone.filter(secret => new RegExp(`(?<![\\w-])${secret}(?![\\w-])`).test(text))).toEqual([])
      expect(text.length).toBeGreaterThan(0)
    },
    async close() {
      for (const spy of [...output, warnings]) spy.mockRestore()
      trace.disable()
      await server.close()
      await Promise.all(clients.map(each => each.close()))
    },
  }
}

/** Shorter than any part of a secret that is worth something, and longer than what a masked card number shows. */
const pieceLength = 10

/** The pieces of secrets that stand in a text: a cut must not let one through by making it unrecognizable. */
export function piecesIn(text: string, secrets: readonly string[]): readonly string[] {
  const pieces = new Set(secrets.flatMap(windows))
  return windows(text).filter(piece => pieces.has(piece))
}

const windows = (text: string): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - pieceLength + 1) }, (_, at) => text.slice(at, at + pieceLength))

/** A value as it may be printed: inspected to the last hidden property, as JSON, and an error as its message and stack. */
function printed(value: unknown): readonly string[] {
  const all = { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null, maxArrayLength: null }
  const texts = [inspect(value, all), String(JSON.stringify(value)), String(value)]
  if (!(value instanceof Error)) return texts
  return [...texts, value.message, String(value.stack), ...(value.cause === undefined ? [] : printed(value.cause))]
}

const plantedInto = (request: object): object =>
  Object.fromEntries(Object.entries(cardData).filter(([field]) => Object.hasOwn(request, field)))

/** The control value or signature of a request, as it was sent. */
function secretsOf({ head, body }: ArrivedRequest): readonly string[] {
  const secret = new URLSearchParams(body).get('control') ?? /oauth_signature="([^"]+)"/.exec(head)?.[1]
  return secret === undefined ? [] : [secret, decodeURIComponent(secret)]
}

/** What a careless gateway might write into its answer: all of the request, and the card in other spellings. */
export function echo({ head, body }: ArrivedRequest): string {
  const form = new URLSearchParams(body)
  const first = (...names: readonly string[]) => names.map(name => form.get(name)).find(each => each !== null) ?? ''
  const [number, month, year] = [
    first('credit_card_number', 'credit-card-number', 'destination-card-no', 'sending-card-number'),
    first('expire_month', 'expire-month'),
    first('expire_year', 'expire-year'),
  ]
  const spelled = [
    number.replace(/(.{4})(?=.)/g, '$1 '),
    ...(year === '' ? [] : [`${month}/${year}`, `${month}/${year.slice(2)}`]),
    first('cvv2'),
  ]
  return `${decodeURIComponent(body)} ${spelled.join(', ')} ${controlKey} ${head.split('\r\n').slice(1).join(' ')}`
}
