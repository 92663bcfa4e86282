import type { OperationName } from '@tillkit/protocol'
import type { FaultAt, FaultName } from '../faults/fault-table.js'
import type { StruckFault } from '../faults/faults.js'
import type { WrittenAnswer } from '../http/message.js'
import { logCall } from '../log/call-log.js'
import { errorReply, RefusedRequest } from '../replies/refusal.js'
import { type Reply, replyPairs } from '../replies/reply.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import type { AnyHandler, OwnHandlerReply } from '../state/handlers.js'
import { checkNewOrderId } from '../state/order-changes.js'
import { byRow } from './by-row.js'
import { createCardRef, createCardRefV4, getCardInfo, makeRebill } from './cards.js'
import { capture, payoutPay, returnOperation, voidOperation } from './changes.js'
import type { OperationHandler } from './handler.js'
import { strikeAnswer, strikeDecided } from './order-faults.js'
import { createRecurringPayment } from './recurring-payments.js'
import { status } from './status.js'
import { accountVerification, preauth, sale } from './take-payment.js'
import { uploadCresResult, uploadMethodUrlResult, uploadParesResult } from './three-d-secure.js'
import { panEligibilitySend, transfer, transferByRef } from './transfers.js'

/** What a request came to: a reply, a page in its place, or a connection that breaks. */
export type Ending = {
  readonly fault?: FaultName
  /** Milliseconds on the gateway's clock between the halves of a reply, or before the connection breaks. */
  readonly delay?: number
} & (
  | { readonly kind: 'reply'; readonly reply: Reply; readonly cut?: boolean }
  | { readonly kind: 'page'; readonly page: WrittenAnswer }
  | { readonly kind: 'broken' }
)

/** @throws {@link RefusedRequest} when the request turns out not to be allowed; no fault is used up then. */
export async function execute(call: AcceptedCall): Promise<Ending> {
  const { operation, row, gateway } = call
  const struck = gateway.faults.strike({ at: 'request', operation, effect: row.effect })
  if (struck === undefined) return commit(call)
  try {
    return { ...(await endings[struck.fault](call, struck)), fault: struck.fault }
  } catch (error) {
    if (error instanceof RefusedRequest) struck.undo()
    throw error
  }
}

type Fate = (call: AcceptedCall, struck: StruckFault) => Ending | Promise<Ending>

const broken: Ending = { kind: 'broken' }

const endings: { readonly [Name in FaultAt<'request'>]: Fate } = {
  drop: () => broken,
  'maintenance-page': () => ({ kind: 'page', page: maintenancePage }),
  'commit-then-drop': async call => {
    await commit(call)
    return broken
  },
  'commit-then-timeout': async (call, { delay }) => {
    await commit(call)
    return { ...broken, delay }
  },
  'server-error-after-commit': async call => {
    await commit(call)
    const message = 'The gateway failed. Whether it acted is not known.'
    return { kind: 'reply', reply: errorReply({ reason: 'failure', message }, call) }
  },
  'half-answer': async call => {
    const ending = await commit(call)
    return ending.kind === 'reply' ? { ...ending, cut: true } : ending
  },
  'slow-body': async (call, { delay }) => ({ ...(await commit(call)), delay }),
  'delayed-commit': (call, { delay }) => {
    commitLater(call, delay, 'delayed-commit')
    return broken
  },
  'repeated-on-the-way': async (call, { delay }) => {
    const ending = await commit(call)
    const repeated = { ...call, serialNumber: call.gateway.ids.serialNumber(), warnings: [], struck: [] }
    commitLater(repeated, delay, 'repeated-on-the-way')
    return ending
  },
}

function commitLater(call: AcceptedCall, delay: number, fault: FaultName): void {
  const { schedule, clock } = call.gateway
  schedule.add(clock.now() + delay, () => commitLate(call, fault))
}

async function commit(call: AcceptedCall): Promise<Ending> {
  const handler = call.gateway.handlers.use(call.operation)
  const own = handler === undefined ? undefined : await ask(handler, call)
  if (own !== undefined) return own
  if (call.row.effect === 'creates') checkNewOrderId(call)
  const pairs = handlerOf(call.operation)(call)
  if (call.gateway.faults.waits('order')) strikeDecided(call)
  if (call.gateway.faults.waits('answer')) await strikeAnswer(call)
  return { kind: 'reply', reply: { status: 200, pairs } }
}

/** A refusal that comes too late reaches no client; the call log has it. */
async function commitLate(call: AcceptedCall, fault: FaultName): Promise<void> {
  const { operation, gateway, row, endpointId } = call
  try {
    await commit(call)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const what = fault === 'delayed-commit' ? 'delayed commit' : 'repeated request'
    const explanation = `The ${what} came to nothing: ${text}`
    const path = `${gateway.settings.prefix}${row.path}/${endpointId}`
    logCall({ at: gateway.clock.now(), operation, path, explanation, fault }, gateway)
  }
  await gateway.callbackSender.flush()
}

/** Handlers of the operations that have rules of their own. Others are carried out as their rows say, see `byRow`. */
export const operationHandlers: { readonly [Name in OperationName]?: OperationHandler } = {
  uploadCresResult,
  uploadMethodUrlResult,
  uploadParesResult,
  accountVerification,
  capture,
  createCardRef,
  getCardInfo,
  makeRebill,
  preauth,
  return: returnOperation,
  sale,
  status,
  void: voidOperation,
  createCardRefV4,
  createRecurringPayment,
  panEligibilitySend,
  transfer,
  transferByRef,
  payoutPay,
}

function handlerOf(operation: string): OperationHandler {
  const handlers: Readonly<Record<string, OperationHandler | undefined>> = operationHandlers
  return (Object.hasOwn(handlers, operation) ? handlers[operation] : undefined) ?? byRow
}

const maintenancePage: WrittenAnswer = {
  status: 503,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '300' },
  body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Maintenance</title></head>
<body><h1>We will be back soon</h1><p>The service is down for maintenance.</p></body></html>
`,
}

/** Asks a handler of the test. @returns undefined to leave the request to the gateway. */
async function ask(
  handler: AnyHandler,
  { operation, fields, serialNumber, gateway }: AcceptedCall,
): Promise<Ending | undefined> {
  const answer = await handler(fields)
  if (answer === undefined || answer === null) return undefined
  if (typeof answer !== 'object') {
    throw new TypeError(
      `The handler of "${operation}" returned a ${typeof answer}; it must return a record, hangUp() or nothing.`,
    )
  }
  if ('hangUp' in answer) return broken
  const { httpStatus = 200, extra = {}, ...record } = answer as OwnHandlerReply
  const pairs = replyPairs({ serialNumber, ...record }, gateway.settings.profile)
  return { kind: 'reply', reply: { status: httpStatus, pairs: [...pairs, ...Object.entries(extra)] } }
}
