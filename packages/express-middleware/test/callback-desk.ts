/**
 * A merchant that receives callbacks about one order, with a status that says what a test wants it to.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import type { StatusRequest, StatusResponse } from '@tillkit/protocol'
import { createFakeClock } from '@tillkit/testing'
import type { OrderStatus, Rejection, ReportedResult } from '../src/core.js'
import { type ReceiveCallbacksOptions, receiveCallbacks } from '../src/index.js'

/** What every order here costs. */
export const price = { amount: '10.00', currency: 'EUR' } as const
export const controlKey = '7e1d0a36-control-key-of-tests'

/** What status says of order `o-1` / `77`, unless told otherwise. */
export function statusReply(own: Partial<StatusResponse> = {}): StatusResponse {
  return {
    clientOrderId: 'o-1',
    orderId: '77',
    status: 'approved',
    transactionType: 'sale',
    ...price,
    raw: {},
    ...own,
  }
}

/** The query of a callback, signed as section 8 of the public documents says, independently of our own code. */
export function callbackQuery(own: Readonly<Record<string, string>> = {}, key = controlKey): string {
  const said = { status: 'approved', orderid: '77', merchant_order: 'o-1', ...own }
  const control = createHash('sha1').update(`${said.status}${said.orderid}${said.merchant_order}${key}`).digest('hex')
  return new URLSearchParams({ ...said, control }).toString()
}

/** A merchant's desk: everything that its function was called with, reported and refused. */
export function callbackDesk(own: Partial<ReceiveCallbacksOptions> = {}) {
  const clock = createFakeClock({ base: () => 1_767_605_400_000 })
  const desk = {
    clock,
    /** What status answers next; an error is thrown. */
    status: (_request: StatusRequest): StatusResponse | Promise<StatusResponse> => statusReply(),
    asked: [] as StatusRequest[],
    told: [] as OrderStatus[],
    reports: [] as ReportedResult[],
    rejections: [] as Rejection[],
    /** The merchant's function. */
    handle: (_status: OrderStatus): void | Promise<void> => undefined,
  }
  const client = {
    status: async (request: StatusRequest) => {
      desk.asked.push(request)
      return desk.status(request)
    },
  }
  const options = {
    merchant: { controlKeys: controlKey, client },
    onStatus: (status: OrderStatus) => {
      desk.told.push(status)
      return desk.handle(status)
    },
    onReport: (each: ReportedResult) => void desk.reports.push(each),
    onRejected: (each: Rejection) => void desk.rejections.push(each),
    clock: clock.now,
    wait: clock.wait,
    interval: 0,
    ...own,
  } satisfies ReceiveCallbacksOptions
  return { ...desk, desk, client, options, handler: receiveCallbacks(options) }
}
