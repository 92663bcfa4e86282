import { orderActions } from '@tillkit/testing'
import { faultNames, longestStep, plannableOutcomes } from '@tillkit/testing/gateway'
import type { ControlFields, controlShapes } from './shapes.js'

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below {@link controlPath}. Segments in braces are input. */
  readonly path: string
  /** What it does, in one sentence. */
  readonly does: string
  /** Fields of the path, and of the query of a GET or the body of a POST. */
  readonly input: ControlFields
  /** Name of the shape it answers. */
  readonly output: keyof typeof controlShapes & string
}

/** Where the control API begins. */
export const controlPath = '/__gateway/api'

const text = <const Description extends string>(description: Description) => ({ type: 'string', description }) as const
const optionalText = (description: string) => ({ type: 'string', optional: true, description }) as const
const optionalCount = (description: string) => ({ type: 'integer', minimum: 1, optional: true, description }) as const

const id = text("The gateway's id of the order, or the merchant's.")
const limit = optionalCount('At most so many, the latest. Default: 100.')
const none = {}

export const controlRoutes = {
  readGateway: {
    method: 'GET',
    path: '/',
    does: 'Tells the time of the gateway, its address and how much it remembers.',
    input: none,
    output: 'Gateway',
  },
  readDocument: {
    method: 'GET',
    path: '/openapi.json',
    does: 'Describes all of this as OpenAPI 3.1.',
    input: none,
    output: 'Document',
  },
  listOrders: { method: 'GET', path: '/orders', does: 'Lists the latest orders.', input: { limit }, output: 'Orders' },
  readOrder: { method: 'GET', path: '/orders/{id}', does: 'Shows an order.', input: { id }, output: 'Order' },
  actOnOrder: {
    method: 'POST',
    path: '/orders/{id}/actions',
    does: 'Does to an order what no request asks for, and calls back about it.',
    input: {
      id,
      action: { ...text('What to do.'), enum: Object.keys(orderActions) },
      status: {
        ...optionalText(orderActions.correct.takes.status),
        enum: ['approved', 'declined', 'filtered', 'error'],
      },
      amount: optionalText(orderActions.reverse.takes.amount),
      errorCode: optionalText(orderActions.decline.takes.errorCode),
      errorMessage: optionalText(orderActions.decline.takes.errorMessage),
    },
    output: 'Order',
  },
  resendCallback: {
    method: 'POST',
    path: '/orders/{id}/callbacks',
    does: "Sends the callback of the order's latest final stage once more.",
    input: { id },
    output: 'Callbacks',
  },
  listCalls: {
    method: 'GET',
    path: '/calls',
    does: 'Lists the latest calls of the log, redacted.',
    input: {
      operation: optionalText('Calls of this operation only.'),
      after: { type: 'integer', minimum: 0, optional: true, description: 'Calls with a higher number only.' },
      limit,
    },
    output: 'Calls',
  },
  readCall: {
    method: 'GET',
    path: '/calls/{number}',
    does: 'Shows a call with its signature taken apart.',
    input: { number: { type: 'integer', minimum: 1, description: 'Its number.' } },
    output: 'Call',
  },
  listCallbacks: {
    method: 'GET',
    path: '/callbacks',
    does: 'Lists the latest deliveries of callbacks.',
    input: { id: optionalText(id.description), limit },
    output: 'Callbacks',
  },
  listFaults: {
    method: 'GET',
    path: '/faults',
    does: 'Lists the faults, armed and known.',
    input: none,
    output: 'Faults',
  },
  armFault: {
    method: 'POST',
    path: '/faults',
    does: 'Arms a fault.',
    input: {
      fault: { ...text('Its name.'), enum: faultNames },
      operation: optionalText('The only operation it strikes. Default: any.'),
      times: optionalCount('How often it strikes. Default: once; with a probability, without end.'),
      probability: {
        type: 'number',
        optional: true,
        description: 'How likely it strikes, above 0 and up to 1. Default: 1.',
      },
      delay: {
        type: 'number',
        minimum: 0,
        maximum: longestStep,
        optional: true,
        description: "In milliseconds on the gateway's clock, ten years at most.",
      },
      status: optionalText('A word of status, for faults that take one.'),
    },
    output: 'Faults',
  },
  clearFaults: { method: 'DELETE', path: '/faults', does: 'Disarms every fault.', input: none, output: 'Faults' },
  listOutcomes: {
    method: 'GET',
    path: '/outcomes',
    does: 'Lists the outcomes that are planned, the first that fits deciding.',
    input: none,
    output: 'Outcomes',
  },
  planOutcome: {
    method: 'POST',
    path: '/outcomes',
    does: 'Plans what the acquirer decides next, before the security code does.',
    input: {
      outcome: { ...text('What it decides; 3ds asks the customer first.'), enum: plannableOutcomes },
      operation: optionalText('The only operation it decides. Default: any.'),
      amount: optionalText('The only amount it decides, in major units, such as 66.60. Default: any.'),
      clientOrderId: optionalText("The only order it decides, by the merchant's id. Default: any."),
      times: optionalCount('How often it decides. Default: once; with an amount, without end.'),
      errorCode: optionalText('Of a refusal. Default: 100.'),
      errorMessage: optionalText('Of a refusal. Default: Decline.'),
    },
    output: 'Outcomes',
  },
  clearOutcomes: {
    method: 'DELETE',
    path: '/outcomes',
    does: 'Forgets the planned outcomes, except those of the option "outcomes".',
    input: none,
    output: 'Outcomes',
  },
  listScenarios: {
    method: 'GET',
    path: '/scenarios',
    does: 'Lists what decides outcomes: security codes, cards, an account.',
    input: none,
    output: 'Scenarios',
  },
  readClock: { method: 'GET', path: '/clock', does: 'Tells the time of the gateway.', input: none, output: 'Clock' },
  advanceClock: {
    method: 'POST',
    path: '/clock',
    does: 'Moves the clock forward, and answers when everything that fell due is done.',
    input: {
      milliseconds: { type: 'integer', minimum: 0, maximum: longestStep, description: 'How far, ten years at most.' },
    },
    output: 'Clock',
  },
  listProblems: {
    method: 'GET',
    path: '/problems',
    does: 'Lists requests to unknown paths, faults that never struck, outcomes that decided nothing and unused handlers.',
    input: none,
    output: 'Problems',
  },
  reset: {
    method: 'POST',
    path: '/reset',
    does: 'Forgets orders, cards, calls, callbacks, handlers, faults and planned outcomes. Identifiers and the clock go on.',
    input: none,
    output: 'Gateway',
  },
} as const satisfies Readonly<Record<string, ControlRoute>>

export type ControlRouteName = keyof typeof controlRoutes

type InputOf<Name extends ControlRouteName> = (typeof controlRoutes)[Name]['input']
type OptionalField<Fields> = {
  [Field in keyof Fields]: Fields[Field] extends { readonly optional: true } ? Field : never
}[keyof Fields]
type ValueOf<Field> = Field extends { readonly type: 'integer' | 'number' } ? number : string

/** What a request says once it has been read by the fields of its route. */
export type ControlInput<Name extends ControlRouteName, Fields = InputOf<Name>> = {
  readonly [Field in Exclude<keyof Fields, OptionalField<Fields>>]: ValueOf<Fields[Field]>
} & { readonly [Field in OptionalField<Fields>]?: ValueOf<Fields[Field]> }
