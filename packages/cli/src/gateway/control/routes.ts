import { orderActions } from '@tillkit/testing'
import { faultNames, longestStep, plannableOutcomes, tellingApart } from '@tillkit/testing/gateway'
import { faultPresets } from './fault-presets.js'
import { type ControlFields, number, perhaps, text, whole } from './shapes.js'

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below {@link controlPath}. Segments in braces are input. */
  readonly path: string
  /** Name of the shape it answers. */
  readonly output: string
  /** What it does, in one sentence. */
  readonly does: string
  /** Fields of the path, and of the query of a GET or the body of a POST. */
  readonly input: ControlFields
}

/** Where the control API begins. */
export const controlPath = '/__gateway/api'

const routeOf =
  <Method extends ControlRoute['method']>(method: Method) =>
  <const Input extends ControlFields>(path: string, output: string, does: string, input: Input) => ({
    method,
    path,
    output,
    does,
    input,
  })

const [get, post, remove] = [routeOf('GET'), routeOf('POST'), routeOf('DELETE')]

const count = (description: string) => perhaps({ ...whole(description), minimum: 1 })

const id = text("The gateway's id of the order, or the merchant's.")
const limit = count('At most so many, the latest. Default: 100.')
const action = { ...text('What to do.'), enum: Object.keys(orderActions) }
const { correct, reverse, decline } = orderActions

export const controlRoutes = {
  readGateway: get('/', 'Gateway', 'Tells the time of the gateway, its address and how much it remembers.', {}),
  readDocument: get('/openapi.json', 'Document', 'Describes all of this as OpenAPI 3.1.', {}),
  listOrders: get('/orders', 'Orders', 'Lists the latest orders.', { limit }),
  readOrder: get('/orders/{id}', 'Order', 'Shows an order.', { id }),
  actOnOrder: post(
    '/orders/{id}/actions',
    'Order',
    'Does to an order what no request asks for, and calls back about it.',
    {
      id,
      action,
      status: { ...perhaps(text(correct.takes.status)), enum: ['approved', 'declined', 'filtered', 'error'] },
      stage: count(correct.takes.stage),
      amount: perhaps(text(reverse.takes.amount)),
      toldApartBy: { ...perhaps(text(reverse.takes.toldApartBy)), enum: [...tellingApart] },
      errorCode: perhaps(text(decline.takes.errorCode)),
      errorMessage: perhaps(text(decline.takes.errorMessage)),
    },
  ),
  resendCallback: post(
    '/orders/{id}/callbacks',
    'Callbacks',
    "Sends the callback of the order's latest final stage once more.",
    { id },
  ),
  listCalls: get('/calls', 'Calls', 'Lists the latest calls of the log, redacted.', {
    operation: perhaps(text('Calls of this operation only.')),
    after: perhaps({ ...whole('Calls with a higher number only.'), minimum: 0 }),
    limit,
  }),
  readCall: get('/calls/{number}', 'Call', 'Shows a call with its signature taken apart.', {
    number: { ...whole('Its number.'), minimum: 1 },
  }),
  listCallbacks: get('/callbacks', 'Callbacks', 'Lists the latest deliveries of callbacks.', {
    id: perhaps(id),
    limit,
  }),
  listFaults: get('/faults', 'Faults', 'Lists the faults, armed and known.', {}),
  armFault: post('/faults', 'Faults', 'Arms a fault.', {
    fault: { ...text('Its name.'), enum: faultNames },
    operation: perhaps(text('The only operation it strikes. Default: any.')),
    times: count('How often it strikes. Default: once; with a probability, without end.'),
    probability: perhaps(number('How likely it strikes, above 0 and up to 1. Default: 1.')),
    delay: perhaps({
      ...number("In milliseconds on the gateway's clock, ten years at most."),
      minimum: 0,
      maximum: longestStep,
    }),
    questions: count('How many questions about the order, for faults that take a number of them.'),
    status: perhaps(text('A word of status, for faults that take one.')),
  }),
  armPreset: post('/faults/presets', 'Faults', 'Arms what a sentence says: faults, and the outcome they need.', {
    preset: { ...text('The sentence.'), enum: Object.keys(faultPresets) },
  }),
  disarmFault: remove('/faults/{number}', 'Faults', 'Disarms one fault.', {
    number: { ...whole('Its number in the list of armed ones.'), minimum: 1 },
  }),
  clearFaults: remove('/faults', 'Faults', 'Disarms every fault.', {}),
  listOutcomes: get('/outcomes', 'Outcomes', 'Lists the outcomes that are planned, the first that fits deciding.', {}),
  planOutcome: post('/outcomes', 'Outcomes', 'Plans what the acquirer decides next, before the security code does.', {
    outcome: { ...text('What it decides; 3ds asks the customer first.'), enum: plannableOutcomes },
    operation: perhaps(text('The only operation it decides. Default: any.')),
    amount: perhaps(text('The only amount it decides, in major units, such as 66.60. Default: any.')),
    clientOrderId: perhaps(text("The only order it decides, by the merchant's id. Default: any.")),
    times: count('How often it decides. Default: once; with an amount, without end.'),
    errorCode: perhaps(text('Of a refusal. Default: 100.')),
    errorMessage: perhaps(text('Of a refusal. Default: Decline.')),
  }),
  clearOutcomes: remove(
    '/outcomes',
    'Outcomes',
    'Forgets the planned outcomes, except those of the option "outcomes".',
    {},
  ),
  listScenarios: get('/scenarios', 'Scenarios', 'Lists what decides outcomes: security codes, cards, an account.', {}),
  readClock: get('/clock', 'Clock', 'Tells the time of the gateway.', {}),
  advanceClock: post('/clock', 'Clock', 'Moves the clock forward, and answers when everything that fell due is done.', {
    milliseconds: { ...whole('How far, ten years at most.'), minimum: 0, maximum: longestStep },
  }),
  listProblems: get(
    '/problems',
    'Problems',
    'Lists requests to unknown paths, faults that never struck, outcomes that decided nothing and unused handlers.',
    {},
  ),
  reset: post(
    '/reset',
    'Gateway',
    'Forgets orders, cards, calls, callbacks, handlers, faults and planned outcomes. Identifiers and the clock go on.',
    {},
  ),
} satisfies Readonly<Record<string, ControlRoute>>

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
