/**
 * A campaign: payments are taken, the primary is lost, the standby takes over, everything is compared; again and again.
 *
 * @module
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createFakeGateway } from '@tillkit/testing'
import { programOf, removeProgram } from '../bundle.js'
import { randomFrom } from '../kills/campaign.js'
import { proxyBefore } from '../postgres/support/proxy.js'
import { shopDatabase } from './database.js'
import { lostWrites } from './ledger.js'
import { serverPair } from './pair.js'
import { buy, openShop, type Shop } from './shops.js'
import { type Ground, type Loss, type Lost, lose } from './strike.js'

export interface FailoversOptions {
  /** How many primaries are lost. */
  readonly times: number
  readonly seed: number
  readonly processes?: number
  /** How many payments are begun around each loss. */
  readonly payments?: number
  /** Default: half of them are killed, a quarter each are cut off and waiting. */
  readonly losses?: readonly Loss[]
  /** A mistake that is planted: `deaf`: no warning of the server is heard; `asynchronous`: no commit waits for the standby. */
  readonly planted?: 'deaf' | 'asynchronous' | undefined
  readonly onProgress?: ((text: string) => void) | undefined
}

/** The figures of one kind of loss. */
export interface Figures {
  failovers: number
  payments: number
  /** Orders that the gateway has approved. */
  charges: number
  /** Writes that the store has answered. */
  acknowledged: number
  /** Writes that were tried on a primary that was alone, */
  triedAlone: number
  /** and those that it has acknowledged. */
  acknowledgedAlone: number
  /** Waits for the standby that a person has cancelled. */
  cancelled: number
}

/** The result of a campaign. */
export interface Failovers {
  readonly figures: { readonly [Name in Loss]: Figures }
  /** Each with its story. */
  readonly violations: readonly string[]
}

const half: readonly Loss[] = ['killed', 'cut-off', 'killed', 'waiting']
const noFigures = (): Figures => ({
  failovers: 0,
  payments: 0,
  charges: 0,
  acknowledged: 0,
  triedAlone: 0,
  acknowledgedAlone: 0,
  cancelled: 0,
})

/** Runs a campaign. It ends early once something was found wrong. */
export async function failovers(options: FailoversOptions): Promise<Failovers> {
  const { times, seed, processes = 8, payments = 16, losses = half, planted, onProgress = () => {} } = options
  const random = randomFrom(seed)
  const figures = { killed: noFigures(), 'cut-off': noFigures(), waiting: noFigures() }
  const violations: string[] = []
  const program = await programOf(new URL('../till/kills/shop.ts', import.meta.url))
  const pair = await serverPair({ synchronous: planted !== 'asynchronous' })
  const fronts = { most: await proxyBefore(pair.primary().url), few: await proxyBefore(pair.primary().url) }
  const gateway = createFakeGateway({ seed, processingTime: 5, maxCalls: 1_000 })
  await gateway.listen()
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const database = shopDatabase(pair, gateway)
  const { schema } = database
  const session = planted === 'deaf' ? '-c client_min_messages=error' : ''
  const shops: Shop[] = []

  const open = async (nth: number): Promise<void> => {
    const url = new URL((isFew(nth) ? fronts.few : fronts.most).url)
    if (session !== '') url.searchParams.set('options', session)
    const store = { engine: 'postgres', url: url.href, schema } as const
    const account = { baseUrl: String(baseUrl), endpointId, login, controlKey }
    shops[nth] = await openShop(program, { store, gateway: account, storeTimeout: 3_000 })
  }
  /** A quarter of the processes are on the side of a primary that is cut off. */
  const isFew = (nth: number) => nth % 4 === 3 || nth === processes - 1

  const round = async (loss: Loss, nth: number): Promise<void> => {
    const began = performance.now()
    const story: string[] = []
    const note = (text: string) => story.push(`${Math.round(performance.now() - began)} ms: ${text}`)
    const references = Array.from({ length: payments }, (_, at) => `round-${nth}-${at}`)
    let isOver = false
    const market = { shops, gateway, random, isOver: () => isOver }
    for (const { ends } of shops) ends.length = 0
    const customers = references.map(async reference => {
      await pause(Math.floor(1_200 * random()))
      note(`${reference} begins`)
      await buy(reference, market)
      note(`${reference} is paid`)
    })
    const all = Promise.all(customers)
    // In the middle of the payments, by what they have written, and not by a clock: that holds on any machine.
    const enough = Math.floor(4 * payments * random())
    while (shops.reduce((sum, { ends }) => sum + ends.length, 0) < enough) await pause(5)
    note(`the primary is lost: ${loss}`)
    const ground: Ground = { pair, fronts, schema, probe: `probe-${nth}`, session }
    const lost = await lose[loss](ground)
    note('there is a new standby')
    await flush()
    const own = figures[loss]
    countAlone(own, lost)
    const found: string[] = []
    if (own.acknowledgedAlone > 0) found.push('a primary that was alone has acknowledged a write')
    else {
      const ended = await database.untilOver(all, references)
      if (!ended.isOver) found.push('the payments did not come to their end')
      found.push(...ended.wrong)
      own.charges += ended.charges
    }
    isOver = true
    await flush()
    const ends = [...shops.flatMap(each => each.ends), ...lost.tried]
    own.acknowledged += ends.filter(({ version }) => version !== undefined).length
    found.push(...lostWrites(ends, await database.documents(ends.map(({ key }) => key))))
    if (found.length > 0) violations.push([`round ${nth}, seed ${seed}: ${loss}`, ...found, ...story].join('\n  '))
    onProgress(`${nth} ${loss}: ${Math.round(performance.now() - began)} ms, ${violations.length} violations`)
  }

  const flush = () => Promise.all(shops.map(each => each.flush()))
  const countAlone = (own: Figures, { alone, tried, cancelled }: Lost): void => {
    const ends = shops.flatMap(({ ends }, at) => (alone?.by === 'few' && !isFew(at) ? [] : ends))
    const whileAlone = [...ends, ...tried].filter(
      ({ began, ended, version }) =>
        alone !== undefined && began > alone.from && (version === undefined ? began < alone.to : ended < alone.to),
    )
    own.failovers += 1
    own.payments += payments
    own.triedAlone += whileAlone.length
    own.acknowledgedAlone += whileAlone.filter(({ version }) => version !== undefined).length
    own.cancelled += cancelled
  }

  try {
    await database.prepare()
    await Promise.all(Array.from({ length: processes }, (_, nth) => open(nth)))
    for (let nth = 1; nth <= times && violations.length === 0; nth += 1)
      await round(losses[(nth - 1) % losses.length] ?? 'killed', nth)
  } finally {
    for (const shop of shops) await shop.close()
    await gateway.close()
    await Promise.all([fronts.most.close(), fronts.few.close()])
    await pair.stop()
    removeProgram(program)
  }
  return { figures, violations }
}
