/** A process that dies while it takes up a payment that the backup lacks. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { minute } from './acts.js'
import { type Death, dyingStore } from './dying-store.js'
import { quickWait } from './quick-wait.js'
import { buys } from './restored-shop.js'
import { basket, openShop } from './shop.js'

const day = 24 * 60 * minute

/** A gateway that was paid, of which the stores here know nothing. */
async function paidGateway() {
  const gateway = createFakeGateway()
  await buys(await openShop({ gateway }))
  return gateway
}

/** @returns Whether the process died: a later call than its last one kills nobody. */
async function dieAndTakeUp({ clientOptions: account, clock }: Awaited<ReturnType<typeof paidGateway>>, death: Death) {
  const store = memoryStore({ clock: clock.now })
  const told: string[] = []
  const open = (kept: DocumentStore) =>
    createTill({
      account,
      address: 'http://127.0.0.1:1/payments',
      returnTo: () => '/',
      store: kept as Store<never>,
      clock: clock.now,
      wait: quickWait,
      onOutcome: ({ kind }) => void told.push(kind),
    })
  const first = open(store)
  await first.start({ restored: true })
  await first.close()
  const dying = dyingStore(store, death)
  await Promise.race([dying.died, open(dying.store).pay(basket)])
  const next = open(store)
  expect((await next.pay(basket)).kind).toBe('over')
  await clock.advance(day)
  await next.tick()
  expect(new Set(told)).toEqual(new Set(['paid']))
  await next.close()
  return dying.isDead()
}

/** Defines a test for each death of a till that takes up a payment that the backup lacks. */
export const restoredSurvives = (deaths: readonly Death[]): void => {
  it.each(deaths)(
    'till.pay, payment lacking in a backup, process dies $when call $at of its store: the next one takes it up',
    async death => {
      const gateway = await paidGateway()
      expect(await dieAndTakeUp(gateway, death)).toBe(true)
      expect(gateway.calls('saleForm')).toHaveLength(1)
    },
  )
}

/** Defines a test for the deaths before every call, and one for those after every call, however many there are. */
export const restoredSurvivesEverywhere = (): void => {
  it.each(['before', 'after'] as const)(
    'till.pay, payment lacking in a backup, process dies %s any call of its store: the next one takes it up',
    async when => {
      const gateway = await paidGateway()
      let at = 0
      while (await dieAndTakeUp(gateway, { at, when })) at += 1
      expect(at).toBe(6)
      expect(gateway.calls('saleForm')).toHaveLength(1)
    },
  )
}
