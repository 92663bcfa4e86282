/** A standby that lags takes over: what was acknowledged is lost, and `start({ restored: true })` charges nobody twice after it. */
import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { orderPlace } from '../../src/store/keys.js'
import { programOf, removeProgram } from '../bundle.js'
import { proxyBefore } from '../postgres/support/proxy.js'
import { shopDatabase } from './database.js'
import { serverPair } from './pair.js'
import { keyOf } from './round-books.js'
import { buy, openShop, type Shop } from './shops.js'

const [payments, forgotten] = [50, 10]

it('a standby that lags forgets fifty payments: after a restore nobody is charged twice, without one all who press again', async () => {
  const program = await programOf(new URL('../till/kills/shop.ts', import.meta.url))
  const pair = await serverPair({ synchronous: false })
  const front = await proxyBefore(pair.primary().url)
  const gateway = createFakeGateway({ processingTime: 5, maxCalls: 1_000 })
  await gateway.listen()
  const database = shopDatabase(pair, gateway)
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const account = { baseUrl: String(baseUrl), endpointId, login, controlKey }
  const store = { engine: 'postgres', url: front.url, schema: database.schema } as const
  const open = (restored: boolean) => openShop(program, { store, gateway: account, restored, timeout: 10_000 })
  const references = Array.from({ length: payments }, (_, nth) => `lagging-${nth}`)
  /** Five customers at a time; no card is declined, and no button is pressed twice. */
  const buyAt = async (shop: Shop, wanted: readonly string[]): Promise<void> => {
    const waiting = [...wanted]
    const market = { shops: [shop], gateway, random: () => 0.9, isOver: () => false }
    const lane = async () => {
      for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) await buy(each, market)
    }
    await Promise.all(Array.from({ length: 5 }, lane))
  }
  const known = async () => (await database.documents(references.map(keyOf))).size
  const charges = (wanted: readonly string[]) => {
    const approved = gateway.orders.list().filter(({ stages }) => stages.some(({ status }) => status === 'approved'))
    return wanted.map(
      each => approved.filter(({ clientOrderId }) => orderPlace(clientOrderId).reference === each).length,
    )
  }
  const shops: Shop[] = []
  try {
    await database.prepare()
    await pair.caughtUp()
    shops.push(await open(false))
    pair.line.freeze()
    const [before] = shops as [Shop]
    expect(await database.untilOver(buyAt(before, references), references)).toMatchObject({ isOver: true, wrong: [] })
    expect([await known(), charges(references)]).toEqual([payments, references.map(() => 1)])
    await before.close()

    await pair.primary().kill()
    await pair.promote()
    await front.pointAt(pair.primary().url)
    expect(await known()).toBe(0)

    // The contrast: a shop that goes on as if nothing had happened.
    const [early, others] = [references.slice(0, forgotten), references.slice(forgotten)]
    const careless = await open(false)
    shops.push(careless)
    await buyAt(careless, early)
    expect(charges(early)).toEqual(early.map(() => 2))
    await careless.close()

    const careful = await open(true)
    shops.push(careful)
    expect(await database.untilOver(buyAt(careful, others), others)).toMatchObject({ isOver: true, wrong: [] })
    expect(charges(others)).toEqual(others.map(() => 1))
  } finally {
    for (const shop of shops) await shop.close()
    await gateway.close()
    await front.close()
    await pair.stop()
    removeProgram(program)
  }
})
