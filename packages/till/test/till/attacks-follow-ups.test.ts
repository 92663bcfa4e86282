/** Follow-ups that cannot be sent for a while. */
import { memoryStore, type Store } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { capturesHolds, quiet } from './acts.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { byCard } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

it('a follow-up whose signature the gateway refuses, however often, is sent once the key is right again', async () => {
  const warned = watchWarnings()
  const gateway = createFakeGateway()
  const { clock } = gateway.clientOptions
  const store = memoryStore({ clock }) as Store<never>
  const tillWith = (more: { readonly controlKey?: string }, fails = false) =>
    createTill<never>({
      accounts: [{ ...readyAccount(gateway), retries: 0, ...more }],
      store,
      address: 'https://shop.example/payments',
      returnTo: () => '/',
      clock,
      wait: quickWait,
      onOutcome: (...given) => {
        // From here on nothing of the first till arrives any more.
        if (fails) gateway.faults.arm({ fault: 'refuse-connection', times: 99_999 })
        return capturesHolds(...given)
      },
    })
  const first = tillWith({}, true)
  gateway.faults.arm({ fault: 'callback-never', times: 9 })
  await first.pay({ ...byCard, hold: true })
  await gateway.clock.advance(quiet)
  await first.tick()
  await first.close()
  gateway.faults.clear()
  const wrong = tillWith({ controlKey: '00000000-0000-4000-8000-000000000001' })
  for (let round = 0; round < 3; round += 1) {
    await gateway.clock.advance(quiet)
    await wrong.tick()
  }
  await wrong.close()
  expect(gateway.calls('capture').map(({ verdict }) => verdict)).toEqual(['refused'])
  const right = tillWith({})
  for (let round = 0; round < 3; round += 1) {
    await gateway.clock.advance(20 * quiet)
    await right.tick()
  }
  expect(gateway.calls('capture').map(({ verdict }) => verdict)).toEqual(['refused', 'accepted'])
  expect(await right.payment('basket-7')).toMatchObject({ state: 'paid' })
  expect(warned('WARN_WISH_GONE')).toEqual([])
  await right.close()
  await gateway.close()
})
