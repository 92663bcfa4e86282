import type { FaultOptions, OutcomePlan } from '@tillkit/testing'
import { orderActions } from '@tillkit/testing'
import { faultNames, longestStep, plannableOutcomes, tellingApart } from '@tillkit/testing/gateway'
import type { Schema } from '../../schema.js'

/** The faults that a sentence arms. Each strikes once. */
export interface FaultPreset {
  readonly fault: FaultOptions
  /** The acquirer has to decide this before the fault means anything. */
  readonly outcome?: OutcomePlan
  /** Says what will happen, where the sentence of the fault says too little. */
  readonly does?: string
}

const tenSeconds = 10_000

/** A person wants to see a shop go through these, in a person's words. */
export const faultPresets: Readonly<Record<string, FaultPreset>> = {
  'The answer is lost after the money moved': { fault: { fault: 'commit-then-drop' } },
  'A proxy sends the request twice': { fault: { fault: 'repeated-on-the-way' } },
  'Callback twice': { fault: { fault: 'callback-twice' } },
  'Callback before the answer': { fault: { fault: 'callback-before-answer' } },
  'Bank says no, then yes': {
    fault: { fault: 'corrected-later', status: 'approved', delay: tenSeconds },
    outcome: { outcome: 'declined' },
    does: 'The next payment is declined; ten seconds later, on the clock above, the gateway says approved.',
  },
  'Ten seconds late': {
    fault: { fault: 'slow-body', delay: tenSeconds },
    does: 'Carries the next operation out and begins its answer; the rest of it comes ten seconds later, on the clock above.',
  },
}

/** One field of an input. Its description is one sentence, units included. */
export type ControlField = Schema & {
  /** It may be left out. Default: false. */
  readonly optional?: true
}

export type ControlFields = Readonly<Record<string, ControlField>>

export function objectSchema(fields: ControlFields): Schema {
  const required = Object.keys(fields).filter(name => fields[name]?.optional !== true)
  const properties = Object.entries(fields).map(([name, { optional: _, ...schema }]) => [name, schema])
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties: Object.fromEntries(properties) }
}

const described =
  <const Type extends string>(type: Type) =>
  (description: string) => ({ type, description })

const [text, whole, number] = [described('string'), described('integer'), described('number')]
const perhaps = <Field extends ControlField>(field: Field) => ({ ...field, optional: true }) as const

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below {@link controlPath}. Segments in braces are input. */
  readonly path: string
  readonly does: string
  /** Fields of the path, and of the query of a GET or the body of a POST. */
  readonly input: ControlFields
}

/** Where the control API begins. */
export const controlPath = '/__gateway/api'

const routeOf =
  <Method extends ControlRoute['method']>(method: Method) =>
  <const Input extends ControlFields>(path: string, does: string, input: Input) => ({
    method,
    path,
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
  readGateway: get('/', 'Tells the time of the gateway, its address and how much it remembers.', {}),
  readDocument: get('/openapi.json', 'Says what each request takes, as OpenAPI 3.1.', {}),
  listOrders: get('/orders', 'Lists the latest orders.', { limit }),
  readOrder: get('/orders/{id}', 'Shows an order.', { id }),
  actOnOrder: post('/orders/{id}/actions', 'Does to an order what no request asks for, and calls back about it.', {
    id,
    action,
    status: { ...perhaps(text(correct.takes.status)), enum: ['approved', 'declined', 'filtered', 'error'] },
    stage: count(correct.takes.stage),
    amount: perhaps(text(reverse.takes.amount)),
    toldApartBy: { ...perhaps(text(reverse.takes.toldApartBy)), enum: [...tellingApart] },
    errorCode: perhaps(text(decline.takes.errorCode)),
    errorMessage: perhaps(text(decline.takes.errorMessage)),
  }),
  resendCallback: post('/orders/{id}/callbacks', "Sends the callback of the order's latest final stage once more.", {
    id,
  }),
  listCalls: get('/calls', 'Lists the latest calls of the log, redacted.', {
    operation: perhaps(text('Calls of this operation only.')),
    after: perhaps({ ...whole('Calls with a higher number only.'), minimum: 0 }),
    limit,
  }),
  readCall: get('/calls/{number}', 'Shows a call with its signature taken apart.', {
    number: { ...whole('Its number.'), minimum: 1 },
  }),
  listCallbacks: get('/callbacks', 'Lists the latest deliveries of callbacks.', {
    id: perhaps(id),
    limit,
  }),
  listFaults: get('/faults', 'Lists the faults, armed and known.', {}),
  armFault: post('/faults', 'Arms a fault.', {
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
  armPreset: post('/faults/presets', 'Arms what a sentence says: faults, and the outcome they need.', {
    preset: { ...text('The sentence.'), enum: Object.keys(faultPresets) },
  }),
  disarmFault: remove('/faults/{number}', 'Disarms one fault.', {
    number: { ...whole('Its number in the list of armed ones.'), minimum: 1 },
  }),
  clearFaults: remove('/faults', 'Disarms every fault.', {}),
  listOutcomes: get('/outcomes', 'Lists the outcomes that are planned, the first that fits deciding.', {}),
  planOutcome: post('/outcomes', 'Plans what the acquirer decides next, before the security code does.', {
    outcome: { ...text('What it decides; 3ds asks the customer first.'), enum: plannableOutcomes },
    operation: perhaps(text('The only operation it decides. Default: any.')),
    amount: perhaps(text('The only amount it decides, in major units, such as 66.60. Default: any.')),
    clientOrderId: perhaps(text("The only order it decides, by the merchant's id. Default: any.")),
    times: count('How often it decides. Default: once; with an amount, without end.'),
    errorCode: perhaps(text('Of a refusal. Default: 100.')),
    errorMessage: perhaps(text('Of a refusal. Default: Decline.')),
  }),
  clearOutcomes: remove('/outcomes', 'Forgets the planned outcomes, except those of the option "outcomes".', {}),
  listScenarios: get('/scenarios', 'Lists what decides outcomes: security codes, cards, an account.', {}),
  readClock: get('/clock', 'Tells the time of the gateway.', {}),
  advanceClock: post('/clock', 'Moves the clock forward, and answers when everything that fell due is done.', {
    milliseconds: { ...whole('How far, ten years at most.'), minimum: 0, maximum: longestStep },
  }),
  listProblems: get(
    '/problems',
    'Lists requests to unknown paths, faults that never struck, outcomes that decided nothing and unused handlers.',
    {},
  ),
  reset: post(
    '/reset',
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
