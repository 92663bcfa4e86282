import type { VerifiedCallback } from '@tillkit/express-middleware/core'
import { defaultProfile } from '@tillkit/protocol'
import { expect, it } from 'vitest'
import type { Accounts } from '../payment/accounts.js'
import type { LookedAfterOrder } from '../payment/deliveries.js'
import { createLookingAfter } from './look-after.js'

const accounts = { all: [{ profile: defaultProfile }], ofLogin: () => undefined } as unknown as Accounts
const order = { login: 'merchant', clientOrderId: 'basket-7', orderId: '77' }
const callback = (n: string): VerifiedCallback => ({
  signed: { status: 'approved', orderId: '77', clientOrderId: 'basket-7' },
  unsigned: { n },
  keyLabel: 'key 1',
})

it('hands the callbacks of one order that come together to one run, and none of them to a later one', async () => {
  const runs: string[] = []
  const lookAfter = createLookingAfter({
    accounts,
    deliveries: {
      handlerTimeout: 30_000,
      lookAfter: async ({ clientOrderId, callbacks }: LookedAfterOrder) => {
        runs.push(`${clientOrderId} ${callbacks.map(({ unsigned }) => unsigned.n).join(' ')}`.trim())
        return { kind: 'no-order' }
      },
    },
    clock: () => 0,
    // Every pause is over at once, and no deadline ever.
    wait: milliseconds => (milliseconds < 60_000 ? Promise.resolve() : new Promise(() => {})),
  })
  const called = (...names: readonly string[]) => ({ ...order, callbacks: names.map(callback) })
  await Promise.all([
    lookAfter(called('1')),
    lookAfter(called('2', '3')),
    lookAfter({ ...called('4'), clientOrderId: 'basket-8' }),
    lookAfter(order),
  ])
  await lookAfter(called('5'))
  await lookAfter(order)
  expect(runs).toEqual(['basket-7 1 2 3', 'basket-8 4', 'basket-7 5', 'basket-7'])
})
