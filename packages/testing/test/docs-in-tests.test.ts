import { useFakeGateway } from '../src/index.js'
import { gatewayMatchers } from '../src/vitest.js'
import { afterAll, afterEach, expect, it } from 'vitest'
import { createShop } from './your-shop.js'

expect.extend(gatewayMatchers)
const gateway = useFakeGateway({ afterEach, afterAll })
const shop = createShop(gateway.clientOptions) // hands them to createClient

it('charges once, though the answer was lost and the customer pressed again', async () => {
  gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
  await shop.pay({ order: 'o-1', amount: '10.00' })
  await shop.pay({ order: 'o-1', amount: '10.00' })
  expect(gateway).toHaveMovedMoney([{ clientOrderId: 'o-1', money: 'captured', amount: '10.00', currency: 'EUR' }])
  expect(gateway).toHaveReceived('sale', { times: 1 })
  expect(shop.log).toHoldNoSecrets({ 'control key': gateway.clientOptions.controlKey })
})
