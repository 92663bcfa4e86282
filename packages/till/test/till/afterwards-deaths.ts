/** A process that dies while it tells an outcome whose handler wants something afterwards. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { readDocument } from '../../src/rules/kept/entry.js'
import { documentKey } from '../../src/store/keys.js'
import type { Store } from '../../src/store/store.js'
import { capturesHolds, minute, passes, quiet, sent, stages } from './acts.js'
import { type Death, dyingStore } from './dying-store.js'
import type { Engine } from './engines.js'
import { placeOf } from './place.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, card, openShop } from './shop.js'

/** Defines a test for each death of a till that learns of a hold, which its handler captures. */
export const afterwardsSurvives = (deaths: readonly Death[], engine: Engine): void => {
  it.each(deaths)(
    `till on ${engine.name}, hold learnt, dies $when call $at of its store: captures once`,
    async death => {
      const gateway = createFakeGateway()
      const store = engine.open(gateway.clientOptions.clock)
      const shop = await openShop({ gateway, store: store as Store<never>, onOutcome: capturesHolds })
      gateway.faults.arm({ fault: 'callback-never', operation: 'preauth' })
      await shop.till.pay({ ...basket, ...card, hold: true })
      // The card was charged, and nobody knows: this till learns it, and dies somewhere on the way.
      const dying = dyingStore(store, death)
      const doomed = createTill({
        account: readyAccount(gateway),
        store: dying.store as Store<never>,
        address: `${shop.origin}/payments`,
        returnTo: () => '/',
        onOutcome: capturesHolds,
        clock: gateway.clientOptions.clock,
        wait: quickWait,
      })
      await gateway.clock.advance(quiet)
      await Promise.race([doomed.tick(), dying.died])
      expect(dying.isDead()).toBe(true)
      for (let round = 0; round < 6; round += 1) await passes(shop, quiet)
      if (sent(shop, 'capture') === 0) {
        // It died between the reservation and the request: status cannot show that nothing was sent, so a person must.
        const key = documentKey({ clientOrderId: 'basket-7' }, placeOf(shop.till))
        const { stored } = await store.read(key)
        const capture = stored && readDocument(stored).orders[0]?.attempts.find(each => each.operation === 'capture')
        if (capture === undefined) throw new Error('What was wanted is lost.')
        expect(capture.end).toBeUndefined()
        const said = { kind: 'failed', request: capture.reservation, who: 'ada', why: 'ticket 7' } as const
        expect(await shop.till.decide('basket-7', said)).toMatchObject({ kind: 'done' })
        for (let round = 0; round < 2; round += 1) await passes(shop, 60 * minute)
      }
      expect(stages(shop)).toEqual(['preauth 10.00 approved', 'capture 10.00 approved'])
      expect(sent(shop, 'capture')).toBe(1)
      expect(shop.told).toContain('basket-7 paid 10.00')
    },
  )
}
