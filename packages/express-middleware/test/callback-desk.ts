/**
 * A merchant that receives callbacks about one order, with a status that says what a test wants it to.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import {
  type KnownAttempt,
  memoryStore,
  type ReceivedOutcome,
  type StatusRequest,
  type StatusResponse,
} from '@tillkit/protocol'
import { createFakeClock } from '@tillkit/testing'
import type { OutcomeContext, Rejection, ReportedResult } from '../src/core.js'
import { type ReceiveCallbacksOptions, receiveCallbacks } from '../src/index.js'
import { keepPayment, paymentsIn } from './kept-payments.js'

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

/**
 * A merchant's desk: everything that was told, reported and refused.
 *
 * @param attempts What was asked for of order `o-1`, by default a sale. A store that is handed over has its payments already.
 * @param replies What status has said of it before.
 */
export function callbackDesk(
  own: Partial<ReceiveCallbacksOptions> = {},
  attempts: readonly Partial<KnownAttempt>[] = [{}],
  replies: readonly StatusResponse[] = [],
) {
  const clock = createFakeClock({ base: () => 1_767_605_400_000 })
  const desk = {
    clock,
    /** What status answers next; an error is thrown. */
    status: (_request: StatusRequest): StatusResponse | Promise<StatusResponse> => statusReply(),
    asked: [] as StatusRequest[],
    told: [] as (ReceivedOutcome & OutcomeContext)[],
    reports: [] as ReportedResult[],
    rejections: [] as Rejection[],
    /** What becomes of an outcome. */
    handle: (_outcome: ReceivedOutcome, _context: OutcomeContext): void | Promise<void> => undefined,
  }
  const store = own.store ?? memoryStore({ clock: clock.now })
  const payments = paymentsIn(store)
  if (own.store === undefined) void keepPayment(payments, attempts, replies)
  const client = {
    payments,
    status: async (request: StatusRequest) => {
      desk.asked.push(request)
      return desk.status(request)
    },
  }
  const options: ReceiveCallbacksOptions = {
    merchant: { controlKeys: controlKey, client },
    store,
    onOutcome: (outcome, context) => {
      desk.told.push({ ...outcome, ...context })
      return desk.handle(outcome, context)
    },
    onReport: each => void desk.reports.push(each),
    onRejected: each => void desk.rejections.push(each),
    clock: clock.now,
    wait: clock.wait,
    interval: 0,
    ...own,
  }
  return { ...desk, desk, client, payments, options, handler: receiveCallbacks(options) }
}
