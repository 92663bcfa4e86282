/** Several tills on one store: each takes its own due work, and leaves that of the others where it is. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store, Stored } from '../../src/store/store.js'
import { quiet } from './acts.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'

it('takes nothing of another name out of the store, and ends its own', async () => {
  const gateway = createFakeGateway()
  const { clock } = gateway.clientOptions
  const store = memoryStore({ clock }) as Store<never>
  const told: string[] = []
  const taken: Record<string, string[]> = {}
  const open = (name: string) => {
    taken[name] = []
    const till = createTill({
      account: readyAccount(gateway),
      name,
      store: {
        ...store,
        async take(options) {
          const handed = await store.take(options)
          taken[name]?.push(...handed.items.map(({ key }: Stored) => key))
          return handed
        },
      },
      address: 'http://127.0.0.1:1/payments',
      returnTo: () => '/',
      onOutcome: ({ payment: { reference, state } }) => void told.push(`${name}: ${reference} ${state}`),
      clock,
      wait: quickWait,
    })
    onTestFinished(() => till.close())
    return till
  }
  // "north" is where "north-east" begins.
  const tills = ['north', 'north-east', 'south'].map(name => ({ name, till: open(name) }))
  for (const { name, till } of tills) {
    for (const nth of [1, 2])
      await till.payout({
        reference: `${name}-${nth}`,
        amount: '10.00',
        currency: 'EUR',
        accountNumber: 'NL91ABNA0417164300',
      })
  }
  await gateway.clock.advance(quiet)
  for (const { name, till } of tills) {
    const before = told.length
    await till.tick()
    expect(told.slice(before).sort()).toEqual([`${name}: ${name}-1 sent`, `${name}: ${name}-2 sent`])
  }
  for (const keys of Object.values(taken)) keys.sort()
  expect(taken).toEqual({
    north: ['payment/production/north/north-1', 'payment/production/north/north-2'],
    'north-east': ['payment/production/north-east/north-east-1', 'payment/production/north-east/north-east-2'],
    south: ['payment/production/south/south-1', 'payment/production/south/south-2'],
  })
})
