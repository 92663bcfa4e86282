// Resolution as it was before `exports`: each name of a package has to be found by what else the package says.

import { createClient } from '@tillkit/client'
import { verifyCallback } from '@tillkit/express-middleware'
import * as core from '@tillkit/express-middleware/core'
import { type AsyncResponse, operations } from '@tillkit/protocol'
import { controlItems } from '@tillkit/signing'
import { type ControlExplanation, explainControl } from '@tillkit/signing/explain'
import { createFakeGateway } from '@tillkit/testing'
import { gatewayMatchers } from '@tillkit/testing/jest'
import { vectors } from '@tillkit/testing/vectors'
import data from '@tillkit/testing/vectors.json'
import * as forVitest from '@tillkit/testing/vitest'
import { certify } from 'tillkit'
import schema from 'tillkit/config.schema.json'

const values = { login: 'm', clientOrderId: 'o-1', orderId: '' }
const explained: ControlExplanation = explainControl({ items: controlItems.status, values, controlKey: 'key' })
// @ts-expect-error the types are found, and are not any
const wrong: number = explained.controlString

const client = createClient(createFakeGateway().clientOptions)
const pay: (request: Parameters<typeof client.sale>[0]) => Promise<AsyncResponse> = client.sale

export { certify, core, data, forVitest, gatewayMatchers, operations, pay, schema, vectors, verifyCallback, wrong }
