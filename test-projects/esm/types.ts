import { createClient } from '@tillkit/client'
import { customerReturn, redirectToHostedForm, verifyCallback } from '@tillkit/express-middleware'
import type { AsyncResponse, CaptureRequest } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'

const client = createClient(createFakeGateway().clientOptions)
const capture: (request: CaptureRequest) => Promise<AsyncResponse> = client.capture
// @ts-expect-error amounts are text
client.capture({ clientOrderId: 'o-1', orderId: '77', amount: 1, currency: 'EUR' })

export { capture, customerReturn, redirectToHostedForm, verifyCallback }
