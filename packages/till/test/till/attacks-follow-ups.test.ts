/** Follow-ups that cannot be sent for a while: each is sent once it can be, and once only. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createTill, type OutcomeHandler } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { capturesHolds, quiet } from './acts.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { byCard } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

type Account = ReturnType<typeof readyAccount>

/** A hold whose handler wants it captured, and tills with other accounts that come after the one that was told. */
async function owesCapture(gateway = createFakeGateway()) {
  const { clock } = gateway.clientOptions
  const store = memoryStore({ clock }) as Store<never>
  const warned = watchWarnings()
  const tillWith = (more: Partial<Account>, onOutcome: OutcomeHandler<never> = capturesHolds) =>
    createTill<never>({
      accounts: [{ ...readyAccount(gateway), retries: 0, ...more }],
      name: 'shop',
      store,
      address: 'https://shop.example/payments',
      returnTo: () => '/',
      clock,
      wait: quickWait,
      onOutcome,
    })
  const first = tillWith({}, (...given) => {
    // From here on nothing of the first till arrives any more.
    gateway.faults.arm({ fault: 'refuse-connection', times: 99_999 })
    return capturesHolds(...given)
  })
  gateway.faults.arm({ fault: 'callback-never', times: 9 })
  await first.pay({ ...byCard, hold: true })
  await gateway.clock.advance(quiet)
  await first.tick()
  await first.close()
  gateway.faults.clear()
  onTestFinished(() => gateway.close())
  return {
    warned,
    captures: () => gateway.calls('capture').map(({ verdict }) => verdict),
    /** A till with other settings works for three rounds. @returns How the payment is then. */
    async works(more: Partial<Account>, pause = quiet): Promise<string> {
      const till = tillWith(more)
      for (let round = 0; round < 3; round += 1) {
        await gateway.clock.advance(pause)
        await till.tick()
      }
      const { state } = await till.payment('basket-7')
      await till.close()
      return state
    },
  }
}

it('a follow-up whose signature the gateway refuses, however often, is sent once the key is right again', async () => {
  const shop = await owesCapture()
  await shop.works({ controlKey: '00000000-0000-4000-8000-000000000001' })
  expect(shop.captures()).toEqual(['refused'])
  expect(await shop.works({}, 20 * quiet)).toBe('paid')
  expect(shop.captures()).toEqual(['refused', 'accepted'])
  expect(shop.warned('WARN_WISH_GONE')).toEqual([])
})

it('a follow-up whose account is not there for a while is sent once it is back', async () => {
  const shop = await owesCapture()
  expect(await shop.works({ login: 'another' })).toBe('held')
  expect(shop.captures()).toEqual([])
  expect(shop.warned('WARN_WISH_POSTPONED').join()).toContain('has no account "')
  expect(await shop.works({}, 20 * quiet)).toBe('paid')
  expect(shop.captures()).toEqual(['accepted'])
  expect(shop.warned('WARN_WISH_GONE')).toEqual([])
})
