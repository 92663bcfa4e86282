import { controlItems } from '@tillkit/signing'
import { expectTypeOf } from 'vitest'
import {
  type AsyncResponse,
  type CaptureRequest,
  control,
  defineProfile,
  operation,
  type operations,
  type Reply,
  type RequestOf,
  type ResponseOf,
  type StatusResponse,
  type VoidRequest,
} from '../src/index.js'

expectTypeOf<RequestOf<typeof operations.capture>>().toEqualTypeOf<CaptureRequest>()
expectTypeOf<RequestOf<typeof operations.void>>().toEqualTypeOf<VoidRequest>()
expectTypeOf<ResponseOf<typeof operations.capture>>().toEqualTypeOf<AsyncResponse>()
expectTypeOf<ResponseOf<typeof operations.status>>().toEqualTypeOf<StatusResponse>()

const row = {
  name: 'X',
  path: '/api/v2/x',
  effect: 'changes',
  request: 'VoidRequest',
  response: 'AsyncResponse',
  stages: [],
} as const

operation<VoidRequest, AsyncResponse>({ ...row, signing: control(controlItems.void), required: ['orderId'] })
// @ts-expect-error a void carries no amount, so its control value cannot cover one
operation<VoidRequest, AsyncResponse>({ ...row, signing: control(controlItems.capture), required: [] })
// @ts-expect-error there is no such item
control(['login', 'amuont'])
// @ts-expect-error a required field must be a field of the request
operation<VoidRequest, AsyncResponse>({ ...row, signing: control(controlItems.void), required: ['orderid'] })

const own = { ...row, signing: control(controlItems.void), required: [] }
type Ticket = Reply & { readonly ticket: string; readonly note?: string }
expectTypeOf<ResponseOf<ReturnType<typeof operation<VoidRequest, Ticket>>>>().toEqualTypeOf<Ticket>()
operation<VoidRequest, Ticket>({ ...own, response: { ticket: 'ticket', note: 'ticket-note' } })
// @ts-expect-error every field of its own needs a wire name
operation<VoidRequest, Ticket>({ ...own, response: { ticket: 'ticket' } })
// @ts-expect-error it has no such field
operation<VoidRequest, Ticket>({ ...own, response: { ticket: 'ticket', note: 'ticket-note', nota: 'x' } })
// @ts-expect-error an order id that is always there needs one as well
operation<VoidRequest, AsyncResponse>({ ...own, response: {} })
// @ts-expect-error there is no such record
operation<VoidRequest, Ticket>({ ...own, response: 'Ticket' })

// @ts-expect-error amount and currency travel together or not at all
const halfAmount: CaptureRequest = { clientOrderId: 'o-1', orderId: '77', amount: '1.00' }
// @ts-expect-error amounts are text
const numericAmount: CaptureRequest = { clientOrderId: 'o-1', orderId: '77', amount: 1, currency: 'EUR' }
// @ts-expect-error an operation is not a table entry of the profile
defineProfile({ capture: true })

export const unused = [halfAmount, numericAmount]
