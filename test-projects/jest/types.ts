/// <reference path="node_modules/@types/jest/index.d.ts" />
import * as globals from '@jest/globals'
import { type FakeGateway, useFakeGateway } from '@tillkit/testing'
import { gatewayMatchers } from '@tillkit/testing/jest'

// With the globals of @types/jest.
expect.extend(gatewayMatchers)
export const gateway: FakeGateway = useFakeGateway({ afterEach, afterAll })
expect(gateway).toHaveReceived('sale', { times: 1 })
expect(gateway).not.toHaveMovedMoney([{ money: 'captured' }])
export const promised: Promise<void> = expect(Promise.resolve('text')).resolves.toHoldNoSecrets(['key'])
// @ts-expect-error there is no such money
expect(gateway).toHaveMovedMoney([{ money: 'cash' }])

// With the exports of @jest/globals.
globals.expect.extend(gatewayMatchers)
export const another: FakeGateway = useFakeGateway(globals)
globals.expect(gateway).toHaveOrder('o-1', { status: 'approved' })
export const alsoPromised: Promise<void> = globals.expect(Promise.resolve(gateway)).resolves.toHaveRefusedNothing()
// @ts-expect-error times is a number
globals.expect(gateway).toHaveCalledBack('o-1', { times: '1' })
