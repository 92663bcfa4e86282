import type { Schema } from '../../schema.js'

/** One field of an input or an output. Its description is one sentence, units included. */
export type ControlField = Schema & {
  /** Whether it may be left out. Default: false. */
  readonly optional?: true
}

export type ControlFields = Readonly<Record<string, ControlField>>

export function objectSchema(fields: ControlFields): Schema {
  const required = Object.keys(fields).filter(name => fields[name]?.optional !== true)
  const properties = Object.entries(fields).map(([name, { optional: _, ...schema }]) => [name, schema])
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties: Object.fromEntries(properties) }
}

/** The schema of one of {@link controlShapes} in the document. */
export const reference = (shape: string): Schema => ({ $ref: `#/components/schemas/${shape}` })

const described =
  <const Type extends string>(type: Type) =>
  (description: string) => ({ type, description })

export const text = described('string')
export const whole = described('integer')
export const number = described('number')
const flag = described('boolean')
const object = described('object')
const moment = (what: string) => whole(`${what}, in milliseconds since the epoch.`)
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const list = (shape: string, description: string) => ({ type: 'array', items: reference(shape), description })
const one = (shape: string, description: string) => ({ description, ...reference(shape) })
export const perhaps = <Field extends ControlField>(field: Field) => ({ ...field, optional: true }) as const

export const controlShapes: Readonly<Record<string, ControlFields>> = {
  Gateway: {
    now: moment("The gateway's clock"),
    baseUrl: text('Base address for clients, path prefix included.'),
    merchants: list('Merchant', 'Whose requests are answered.'),
    orders: whole('How many orders there are.'),
    calls: whole('How many calls the log holds.'),
    callbacks: whole('How many deliveries the log holds.'),
    armedFaults: whole('How many faults are armed.'),
  },
  Document: {
    openapi: text('Version of OpenAPI.'),
    info: object('What it describes.'),
    paths: object('What can be asked, by path and method.'),
    components: object('Schemas of what is answered.'),
  },
  Merchant: {
    login: text('Merchant login.'),
    endpoints: texts('Merchant endpoints.'),
    groups: texts('Endpoint groups.'),
  },
  Orders: { orders: list('Order', 'Oldest first.') },
  Order: {
    orderId: text("The gateway's id."),
    clientOrderId: text("The merchant's id."),
    login: text('Merchant login.'),
    endpointId: text('The endpoint that took it, or the endpoint group.'),
    currency: perhaps(text('Code of ISO 4217.')),
    description: perhaps(text('What the merchant says it is for.')),
    email: perhaps(text("The customer's e-mail address.")),
    card: perhaps(one('Card', 'First six and last four digits.')),
    callbackUrl: perhaps(text('Where the callback about the first stage goes.')),
    notifyUrl: perhaps(text('Where callbacks about all stages go.')),
    redirectUrl: perhaps(text('Where the customer comes back to.')),
    formEndsAt: perhaps(moment('When its hosted form ends or ended unpaid')),
    stages: list('Stage', 'Oldest first.'),
    actions: texts('What may be done to it now.'),
  },
  Card: { bin: text('First six digits.'), lastFourDigits: text('Last four digits.'), brand: text('Brand.') },
  Stage: {
    stage: text('What it is: sale, preauth, capture and so on.'),
    operation: perhaps(text('Operation that began it; absent where no request asked for it.')),
    serialNumbers: texts('Serial numbers of the requests about it; none where nobody can ask for it by number.'),
    status: text('The word that status answers.'),
    final: flag('Whether it has ended.'),
    amount: perhaps(text('Major units.')),
    amountShownAt: perhaps(moment('When status and callbacks begin to show its amount')),
    createdAt: moment('When it began'),
    finalAt: perhaps(moment('When it ends or ended')),
    errorCode: perhaps(text('Why it failed.')),
    errorMessage: perhaps(text('Why it failed, in words.')),
    comment: perhaps(text('What the merchant said about it.')),
    threeDSecure: perhaps(text('The step of 3DS it waits for, or done.')),
  },
  Calls: { calls: list('Call', 'Oldest first.') },
  Call: {
    number: whole('Counts from 1.'),
    at: moment('When it came'),
    duration: whole("Milliseconds on the gateway's clock until it was answered."),
    operation: perhaps(text('Absent when the path belongs to none.')),
    path: text('The path it went to.'),
    scheme: perhaps(text('How the operation is signed.')),
    fields: list('Named', 'The form, redacted.'),
    verdict: { ...text('Whether it was carried out.'), enum: ['accepted', 'refused'] },
    explanation: perhaps(text('Why it was refused.')),
    compared: perhaps(one('Compared', 'Of a signature that does not match: both sides, redacted.')),
    warnings: perhaps(texts('What public documents ask for and it lacks, and that its order id was used before.')),
    fault: perhaps(text('The fault that struck it.')),
    httpStatus: perhaps(whole('Absent when the connection broke.')),
    reply: perhaps(list('Named', 'The reply, redacted.')),
    signature: perhaps(one('Signature', 'Of a single call: its signature taken apart.')),
  },
  Named: { name: text('Wire name.'), value: text('Value, or what stands in its place.') },
  Signature: {
    scheme: text('control, oauth-hmac-sha1 or oauth-rsa-sha256.'),
    covered: list('Named', 'Control items, or parameters in the order they are covered.'),
    text: perhaps(text('The items joined, or the signature base string; absent where an item cannot be read.')),
  },
  Compared: {
    lines: list('ComparedLine', 'What is covered, in order.'),
    mistake: perhaps(text('The one mistake that makes the signature; absent when none is found.')),
    fix: perhaps(text('What to do about it.')),
  },
  ComparedLine: {
    name: text('method, address, control key, or the name of a parameter or an item.'),
    ours: perhaps(text('What the gateway covers; absent where it does not.')),
    theirs: perhaps(text('What the request was signed over; absent where it was not, or is not known.')),
    differs: perhaps(flag('Whether they differ; absent where nothing is known of the other side.')),
  },
  Callbacks: { callbacks: list('Delivery', 'Oldest first.') },
  Delivery: {
    at: moment('When it was sent'),
    orderId: text("The gateway's id of the order."),
    status: text('The word of status it told.'),
    url: text('The address that was requested.'),
    parameters: list('Named', 'What was sent, the control value hidden.'),
    attempt: whole('1 for the first one.'),
    httpStatus: perhaps(whole("The merchant's answer.")),
    error: perhaps(text('Why there was none.')),
    repeatsAt: perhaps(moment('When it is sent again')),
  },
  Faults: {
    armed: list('ArmedFault', 'Faults that will still strike.'),
    known: list('KnownFault', 'Every fault there is.'),
  },
  ArmedFault: {
    number: whole('Counts from 1; it can be disarmed by it.'),
    fault: text('Its name.'),
    operation: perhaps(text('The only operation it strikes.')),
    times: perhaps(whole('How often it will still strike; absent without end.')),
    probability: perhaps(number('How likely it strikes.')),
    delay: perhaps(number('In milliseconds.')),
    questions: perhaps(whole('How many questions about the order it takes.')),
    status: perhaps(text('The word of status it takes.')),
    struck: whole('How often it struck.'),
  },
  KnownFault: {
    fault: text('Its name.'),
    does: text('What it does.'),
    at: text('Where it strikes.'),
    effect: text('What happens to money all the same.'),
    delay: perhaps(number('Its delay when none is given, in milliseconds.')),
    questions: perhaps(whole('How many questions it takes when no number is given.')),
  },
  Outcomes: { planned: list('PlannedOutcome', 'The first that fits decides.') },
  PlannedOutcome: {
    outcome: text('What it decides.'),
    operation: perhaps(text('The only operation it decides.')),
    amount: perhaps(text('The only amount it decides, in major units.')),
    clientOrderId: perhaps(text("The only order it decides, by the merchant's id.")),
    times: perhaps(whole('How often it will still decide; absent without end.')),
    errorCode: perhaps(text('Of a refusal.')),
    errorMessage: perhaps(text('Of a refusal, in words.')),
  },
  Scenarios: {
    cvv2: list('Scenario', 'What each CVV2 does; every other one declines.'),
    declinedAccount: text('Bank account whose payouts are declined.'),
    testCard: text('A card number that passes the check digit.'),
    threeDSecure1Card: text('A card number that takes 3DS 1.0.2.'),
    silentMethodCard: text('A card number that takes 3DS 2 and whose method never notifies the shop.'),
    threeDSecurePassword: text('The code that approves at the bank.'),
  },
  Scenario: { cvv2: text('The CVV2.'), does: text('What it does.') },
  Clock: { now: moment("The gateway's clock") },
  Problems: { problems: texts('What was not handled, one sentence each.') },
  Failure: { error: text('What is wrong and what to do.') },
}
