/** One field of an input or an output. */
export interface ControlField {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  /** What it means, units included, in one sentence. */
  readonly means: string
  /** Whether it may be left out. Default: false. */
  readonly optional?: true
  /** The only values it takes. */
  readonly oneOf?: readonly string[]
  /** Smallest number it takes. */
  readonly least?: number
  /** Largest number it takes. */
  readonly most?: number
  /** Of an object or the entries of an array: the name of their shape, or `string`. Default: any. */
  readonly of?: string
}

/** Fields by name. */
export type ControlFields = Readonly<Record<string, ControlField>>

type ValueOf<Field extends ControlField> = Field['type'] extends 'integer' | 'number' ? number : string

/** What a request says once it has been read by its fields. */
export type ControlInput<Fields extends ControlFields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly optional: true }
    ? ValueOf<Fields[Name]> | undefined
    : ValueOf<Fields[Name]>
}

const moment = (means: string): ControlField => ({
  type: 'integer',
  means: `${means}, in milliseconds since the epoch.`,
})
const text = (means: string): ControlField => ({ type: 'string', means })
const perhaps = (field: ControlField): ControlField => ({ ...field, optional: true })
const pairs = (means: string): ControlField => ({ type: 'array', of: 'Named', means })

/** Every shape by its name. */
export const controlShapes: Readonly<Record<string, ControlFields>> = {
  Gateway: {
    now: moment("The gateway's clock"),
    baseUrl: text('Base address for clients, path prefix included.'),
    merchants: { type: 'array', of: 'Merchant', means: 'Whose requests are answered.' },
    orders: { type: 'integer', means: 'How many orders there are.' },
    calls: { type: 'integer', means: 'How many calls the log holds.' },
    callbacks: { type: 'integer', means: 'How many deliveries the log holds.' },
    armedFaults: { type: 'integer', means: 'How many faults are armed.' },
  },
  Document: {
    openapi: text('Version of OpenAPI.'),
    info: { type: 'object', means: 'What it describes.' },
    paths: { type: 'object', means: 'What can be asked, by path and method.' },
    components: { type: 'object', means: 'Schemas of what is answered.' },
  },
  Merchant: {
    login: text('Merchant login.'),
    endpoints: { type: 'array', of: 'string', means: 'Merchant endpoints.' },
    groups: { type: 'array', of: 'string', means: 'Endpoint groups.' },
  },
  Orders: { orders: { type: 'array', of: 'Order', means: 'Oldest first.' } },
  Order: {
    orderId: text("The gateway's id."),
    clientOrderId: text("The merchant's id."),
    login: text('Merchant login.'),
    endpointId: text('The endpoint that took it, or the endpoint group.'),
    currency: perhaps(text('Code of ISO 4217.')),
    description: perhaps(text('What the merchant says it is for.')),
    email: perhaps(text("The customer's e-mail address.")),
    card: perhaps({ type: 'object', of: 'Card', means: 'First six and last four digits.' }),
    callbackUrl: perhaps(text('Where the callback about the first stage goes.')),
    notifyUrl: perhaps(text('Where callbacks about all stages go.')),
    redirectUrl: perhaps(text('Where the customer comes back to.')),
    stages: { type: 'array', of: 'Stage', means: 'Oldest first.' },
    actions: { type: 'array', of: 'string', means: 'What may be done to it now.' },
  },
  Card: { bin: text('First six digits.'), lastFourDigits: text('Last four digits.'), brand: text('Brand.') },
  Stage: {
    stage: text('What it is: sale, preauth, capture and so on.'),
    operation: perhaps(text('Operation that began it; absent for what nobody asked for.')),
    serialNumbers: { type: 'array', of: 'string', means: 'Serial numbers of the requests about it.' },
    status: text('The word that status answers.'),
    final: { type: 'boolean', means: 'Whether it has ended.' },
    amount: perhaps(text('Major units.')),
    createdAt: moment('When it began'),
    finalAt: perhaps(moment('When it ends or ended')),
    errorCode: perhaps(text('Why it failed.')),
    errorMessage: perhaps(text('Why it failed, in words.')),
    comment: perhaps(text('What the merchant said about it.')),
    threeDSecure: perhaps(text('The step of 3DS it waits for, or done.')),
  },
  Calls: { calls: { type: 'array', of: 'Call', means: 'Oldest first.' } },
  Call: {
    number: { type: 'integer', means: 'Counts from 1.' },
    at: moment('When it came'),
    operation: perhaps(text('Absent when the path belongs to none.')),
    path: text('The path it went to.'),
    scheme: perhaps(text('How the operation is signed.')),
    fields: pairs('The form, redacted.'),
    verdict: { type: 'string', oneOf: ['accepted', 'refused'], means: 'Whether it was carried out.' },
    explanation: perhaps(text('Why it was refused.')),
    warnings: perhaps({
      type: 'array',
      of: 'string',
      means: 'What public documents ask for and it lacks, and that its order id was used before.',
    }),
    fault: perhaps(text('The fault that struck it.')),
    httpStatus: perhaps({ type: 'integer', means: 'Absent when the connection broke.' }),
    reply: perhaps(pairs('The reply, redacted.')),
    signature: perhaps({ type: 'object', of: 'Signature', means: 'Of a single call: its signature taken apart.' }),
  },
  Named: { name: text('Wire name.'), value: text('Value, or what stands in its place.') },
  Signature: {
    scheme: text('control, oauth-hmac-sha1 or oauth-rsa-sha256.'),
    covered: pairs('Control items, or parameters in the order they are covered.'),
    text: perhaps(text('The items joined, or the signature base string; absent where an item cannot be read.')),
  },
  Callbacks: { callbacks: { type: 'array', of: 'Delivery', means: 'Oldest first.' } },
  Delivery: {
    at: moment('When it was sent'),
    orderId: text("The gateway's id of the order."),
    status: text('The word of status it told.'),
    url: text('The address that was requested.'),
    parameters: pairs('What was sent, the control value hidden.'),
    attempt: { type: 'integer', means: '1 for the first one.' },
    httpStatus: perhaps({ type: 'integer', means: "The merchant's answer." }),
    error: perhaps(text('Why there was none.')),
  },
  Faults: {
    armed: { type: 'array', of: 'ArmedFault', means: 'Faults that will still strike.' },
    known: { type: 'array', of: 'KnownFault', means: 'Every fault there is.' },
  },
  ArmedFault: {
    fault: text('Its name.'),
    operation: perhaps(text('The only operation it strikes.')),
    times: perhaps({ type: 'integer', means: 'How often it will still strike; absent without end.' }),
    probability: perhaps({ type: 'number', means: 'How likely it strikes.' }),
    delay: perhaps({ type: 'number', means: 'In milliseconds.' }),
    status: perhaps(text('The word of status it takes.')),
    struck: { type: 'integer', means: 'How often it struck.' },
  },
  KnownFault: {
    fault: text('Its name.'),
    does: text('What it does.'),
    at: text('Where it strikes.'),
    effect: text('What happens to money all the same.'),
    delay: perhaps({ type: 'number', means: 'Its delay when none is given, in milliseconds.' }),
  },
  Outcomes: { planned: { type: 'array', of: 'PlannedOutcome', means: 'The first that fits decides.' } },
  PlannedOutcome: {
    outcome: text('What it decides.'),
    operation: perhaps(text('The only operation it decides.')),
    amount: perhaps(text('The only amount it decides, in major units.')),
    clientOrderId: perhaps(text("The only order it decides, by the merchant's id.")),
    times: perhaps({ type: 'integer', means: 'How often it will still decide; absent without end.' }),
    errorCode: perhaps(text('Of a refusal.')),
    errorMessage: perhaps(text('Of a refusal, in words.')),
  },
  Scenarios: {
    cvv2: { type: 'array', of: 'Scenario', means: 'What each CVV2 does; every other one declines.' },
    declinedAccount: text('Bank account whose payouts are declined.'),
    testCard: text('A card number that passes the check digit.'),
    threeDSecure1Card: text('A card number that takes 3DS 1.0.2.'),
    silentMethodCard: text('A card number that takes 3DS 2 and whose method never notifies the shop.'),
    threeDSecurePassword: text('The code that approves at the bank.'),
  },
  Scenario: { cvv2: text('The CVV2.'), does: text('What it does.') },
  Clock: { now: moment("The gateway's clock") },
  Problems: { problems: { type: 'array', of: 'string', means: 'What was not handled, one sentence each.' } },
  Failure: { error: text('What is wrong and what to do.') },
}
