import { type FakeGateway, useFakeGateway } from '@tillkit/testing'
import { gatewayMatchers } from '@tillkit/testing/vitest'
import * as vitest from 'vitest'
import { afterAll, afterEach, expect } from 'vitest'

expect.extend(gatewayMatchers)
export const gateway: FakeGateway = useFakeGateway({ afterEach, afterAll })
export const another: FakeGateway = useFakeGateway(vitest)

expect(gateway).toHaveReceived('sale', { times: 1, fields: { clientOrderId: 'o-1' } })
expect(gateway).not.toHaveMovedMoney([{ clientOrderId: 'o-1', money: 'captured' }])
export const promised: Promise<void> = expect(Promise.resolve('text')).resolves.toHoldNoSecrets(['key'])
// @ts-expect-error there is no such money
expect(gateway).toHaveMovedMoney([{ money: 'cash' }])
// @ts-expect-error the last hook is missing
useFakeGateway({ afterEach })
