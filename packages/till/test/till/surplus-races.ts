/** Two processes of a merchant that give a surplus back, or the other order, and a process that dies while it does. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTill, type Till } from '../../src/index.js'
import { sqliteStore } from '../../src/sqlite.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { directory } from '../sqlite/ground.js'
import { minute, passes, quiet } from './acts.js'
import { type Death, dyingStore } from './dying-store.js'
import type { Engine } from './engines.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { lineOf } from './shop.js'
import { laterReturned, openForms, owingShop, returnsOf, surplusShop } from './surplus-shop.js'

/** An act of another process, at one of the calls that a till makes of its store. */
interface Meanwhile {
  readonly at: number
  readonly act: (other: Till) => Promise<unknown>
}

/** Two tills: on one file of SQLite that each opens for itself, or on one memory. */
export async function twoTills(where: 'file' | 'memory', meanwhile?: Meanwhile) {
  const gateway = createFakeGateway()
  const file = `${directory()}/shop.db`
  const open = () => {
    const store = sqliteStore(file, { clock: gateway.clientOptions.clock })
    onTestFinished(() => store.close())
    return store as unknown as Store<never>
  }
  const mine = where === 'file' ? open() : (memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>)
  const theirs = where === 'file' ? open() : mine
  let calls = Number.NEGATIVE_INFINITY
  const step = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    calls += 1
    if (calls === meanwhile?.at) await meanwhile.act(other)
    return call()
  }
  const watched: DocumentStore = {
    read: key => step(() => mine.read(key)),
    write: (key, entry, options) => step(() => mine.write(key, entry, options)),
    postpone: (key, after, due) => mine.postpone(key, after, due),
    take: options => mine.take(options),
    list: options => mine.list(options),
    close: async () => {},
  }
  const { shop } = await owingShop({ gateway, store: watched as Store<never> })
  const other = createTill({
    account: readyAccount(gateway),
    store: theirs,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    onOutcome: () => {},
    surplus: 'return',
    clock: gateway.clientOptions.clock,
    wait: quickWait,
  })
  onTestFinished(() => other.close())
  await gateway.clock.advance(quiet)
  calls = 0
  return { shop, other, calls: () => calls }
}

/**
 * Lets another process return what was paid at each of some calls of a till that gives a surplus back: both orders never go back.
 *
 * @returns Which order went back first, for each call.
 */
export async function returnMeanwhile(
  where: 'file' | 'memory',
  calls: readonly number[],
): Promise<readonly (string | undefined)[]> {
  const firsts: (string | undefined)[] = []
  for (const at of calls) {
    const { shop, calls: made } = await twoTills(where, { at, act: other => other.return('basket-7.2r') })
    await shop.till.tick()
    expect(made()).toBeGreaterThanOrEqual(at)
    await passes(shop, quiet)
    const [first, ...more] = returnsOf(shop)
    firsts.push(first)
    // Who returns what was paid after the surplus was given back wants the customer to have both.
    expect(more).toEqual(first === 'basket-7' ? ['basket-7.2r'] : [])
  }
  return firsts
}

/** Defines a test for each death of a till that learns of a surplus. */
export const surplusSurvives = (deaths: readonly Death[], engine: Engine): void => {
  const told: string[] = []

  it.each(deaths)(
    `till on ${engine.name}, surplus learnt, dies $when call $at of its store: gives it back once`,
    async death => {
      const gateway = createFakeGateway()
      const store = engine.open(gateway.clientOptions.clock)
      let lingers = false
      const shop = await surplusShop({
        gateway,
        store: store as Store<never>,
        before({ url = '' }, response) {
          if (lingers && url.startsWith('/payments/return/')) response.writeHead(200).end('The customer lingers.')
        },
      })
      vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
      const { first, second } = await openForms(shop)
      await shop.customerPays(second)
      await shop.gateway.callbacks.idle()
      gateway.faults.arm({ fault: 'callback-never' })
      lingers = true
      await shop.customerPays(first)
      // The customer has paid twice: the doomed till learns it, and dies somewhere on the way.
      const dying = dyingStore(store, death)
      const doomed = createTill({
        account: readyAccount(gateway),
        store: dying.store as Store<never>,
        address: `${shop.origin}/payments`,
        returnTo: () => '/',
        onOutcome: outcome => void told.push(lineOf(outcome)),
        surplus: 'return',
        clock: gateway.clientOptions.clock,
        wait: quickWait,
      })
      await gateway.clock.advance(quiet)
      await Promise.race([doomed.tick(), dying.died])
      expect(dying.isDead()).toBe(true)
      for (let round = 0; round < 6; round += 1) await passes(shop, 30 * minute)
      if (returnsOf(shop).length === 0) {
        // It died between the reservation and the request: status cannot show that, and the report says so.
        const { unknown } = await shop.till.report()
        expect(unknown.items).toMatchObject([{ reference: 'basket-7', requests: [{ operation: 'return' }] }])
        return
      }
      expect([shop.books(), returnsOf(shop)]).toEqual([laterReturned, ['basket-7']])
      expect([...told.splice(0), ...shop.told]).toContain('basket-7 returned 10.00')
    },
  )
}
