import type { FaultAt, FaultName } from '../faults/fault-table.js'
import type { StruckFault } from '../faults/faults.js'
import type { WrittenAnswer } from '../http/message.js'
import { logCall } from '../log/call-log.js'
import { errorReply, RefusedRequest } from '../replies/refusal.js'
import { type Reply, type ReplyPairs, type ReplyRecord, replyPairs } from '../replies/reply.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import type { AnyHandler, HandlerTable } from '../state/handlers.js'
import { byRow } from './by-row.js'
import type { OperationHandler } from './handler.js'
import { strikeAnswer, strikeOrder } from './order-faults.js'
import { operationHandlers } from './table.js'

/** What a request came to. */
export interface Ending {
  /** Absent when the connection breaks, or a page is sent in its place. */
  readonly reply?: Reply
  readonly page?: WrittenAnswer
  readonly explanation?: string
  /** The fault that struck it. */
  readonly fault?: FaultName
  /** Breaks the connection after half of the reply. */
  readonly cut?: boolean
  /** Waited for between the halves of the reply; without a reply, before the connection breaks. */
  readonly wait?: () => Promise<void>
}

/**
 * Carries a request out.
 *
 * @throws {@link RefusedRequest} when it turns out not to be allowed; no fault is used up then.
 */
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

/** What each fault of a request makes of it. */
const endings: { readonly [Name in FaultAt<'request'>]: Fate } = {
  drop: () => ({}),
  'maintenance-page': () => ({ page: maintenancePage }),
  'commit-then-drop': async call => {
    await commit(call)
    return {}
  },
  'commit-then-timeout': async (call, { delay }) => {
    await commit(call)
    return { wait: () => call.gateway.schedule.wait(delay) }
  },
  'server-error-after-commit': async call => {
    await commit(call)
    const message = 'The gateway failed. Whether it acted is not known.'
    return { reply: errorReply({ reason: 'failure', message }, call) }
  },
  'half-answer': async call => ({ ...(await commit(call)), cut: true }),
  'slow-body': async (call, { delay }) => ({ ...(await commit(call)), wait: () => call.gateway.schedule.wait(delay) }),
  'delayed-commit': (call, { delay }) => {
    const { schedule, clock } = call.gateway
    schedule.add(clock.now() + delay, () => commitLate(call))
    return {}
  },
}

async function commit(call: AcceptedCall): Promise<Ending> {
  const asked = answerByHandler(call)
  const own = asked === undefined ? undefined : await asked
  if (own === 'hang-up') return {}
  if (own !== undefined) return { reply: own }
  const pairs = handlerOf(call.operation)(call)
  if (call.gateway.faults.waits('order')) strikeOrder(call)
  if (call.gateway.faults.waits('answer')) await strikeAnswer(call)
  return { reply: { status: 200, pairs } }
}

/** Nobody hears of a refusal that comes too late; the call log does. */
async function commitLate(call: AcceptedCall): Promise<void> {
  const { operation, gateway, row, endpointId } = call
  try {
    await commit(call)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const explanation = `The delayed commit came to nothing: ${text}`
    const path = `${gateway.settings.prefix}${row.path}/${endpointId}`
    const nothing = { parameters: [], warnings: [], reply: undefined, scheme: undefined }
    logCall({ operation, path, ...nothing, refused: true, explanation, fault: 'delayed-commit' }, gateway)
  }
  await gateway.callbackSender.flush()
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

/** What a handler answers. */
export type HandlersAnswer = { readonly status: number; readonly pairs: ReplyPairs } | 'hang-up' | undefined

/**
 * Asks the handler of an operation.
 *
 * @returns undefined to leave the request to the gateway, at once where there is no handler.
 */
export function answerByHandler(call: AcceptedCall): Promise<HandlersAnswer> | undefined {
  const handler = call.gateway.handlers.use(call.operation)
  return handler === undefined ? undefined : ask(handler, call)
}

async function ask(handler: AnyHandler, { operation, fields, serialNumber, gateway }: AcceptedCall) {
  const answer = await handler(fields)
  if (answer === undefined || answer === null) return undefined
  if (typeof answer !== 'object') {
    throw new TypeError(
      `The handler of "${operation}" returned a ${typeof answer}; it must return a record, hangUp() or nothing.`,
    )
  }
  if ('hangUp' in answer) return 'hang-up' as const
  const {
    httpStatus = 200,
    extra = {},
    ...record
  } = answer as {
    readonly httpStatus?: number
    readonly extra?: Readonly<Record<string, string>>
  } & ReplyRecord
  const pairs = replyPairs({ serialNumber, ...record }, gateway.settings.profile)
  return { status: httpStatus, pairs: [...pairs, ...Object.entries(extra)] }
}

/** Makes an empty table of handlers. */
export function createHandlerTable(): HandlerTable {
  const table = new Map<string, AnyHandler>()
  const used = new Set<string>()
  return {
    set(handlers, operations) {
      for (const [operation, handler] of Object.entries(handlers)) {
        if (!operations.includes(operation)) {
          throw new TypeError(`There is no operation "${operation}" to handle. There are: ${operations.join(', ')}.`)
        }
        if (typeof handler !== 'function') throw new TypeError(`The handler of "${operation}" is not a function.`)
        table.set(operation, handler as AnyHandler)
        used.delete(operation)
      }
    },
    use(operation) {
      used.add(operation)
      return table.get(operation)
    },
    unused: () => [...table.keys()].filter(operation => !used.has(operation)),
    clear() {
      table.clear()
      used.clear()
    },
  }
}
