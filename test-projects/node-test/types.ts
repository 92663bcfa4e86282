import * as runner from 'node:test'
import { after, afterEach } from 'node:test'
import { assertOrder, assertReceived, type FakeGateway, useFakeGateway } from '@tillkit/testing'

export const gateway: FakeGateway = useFakeGateway({ afterEach, after })
export const another: FakeGateway = useFakeGateway(runner)

assertReceived(gateway, { operation: 'sale', verdict: 'accepted' })
assertOrder(gateway, { id: 'o-1', stage: 'sale', status: 'approved' })
// @ts-expect-error there is no such stage
assertOrder(gateway, { id: 'o-1', stage: 'sail' })
