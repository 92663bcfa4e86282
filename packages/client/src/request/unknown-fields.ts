import { type AnyOperation, fieldKind, nearName, wireName, wireNames } from '@tillkit/protocol'
import { addressProblem } from '../config/addresses.js'
import { lazy } from '../config/lazy.js'
import { type FieldProblem, invalidRequest, type RequestSubject } from '../errors/messages.js'
import { hasHalfPair, recordOf } from './form.js'
import type { Form, OperationPlan } from './types.js'

/**
 * Checks `extra` and returns its fields, trimmed.
 *
 * Refused are `oauth_*`, the control field, what the record sets itself, and what must be set in the record because it is
 * signed or checked there: an amount that came in here would be in the body and not in the control value.
 */
export function checkExtra(subject: RequestSubject, extra: unknown, values: Form, plan: OperationPlan) {
  if (typeof extra !== 'object' || extra === null || Array.isArray(extra)) {
    throw invalidRequest(subject, { field: 'extra', problem: '"extra" must be an object of texts by wire name.' })
  }
  const taken = takenNames(values, plan)
  return Object.entries(extra).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return []
    const field = `extra.${name}`
    const problem = nameProblem(name, taken, plan.profile.controlField.value)
    if (problem !== undefined) throw invalidRequest(subject, { field, problem })
    if (typeof value !== 'string') {
      throw invalidRequest(subject, { field, problem: `"${field}" is of type ${typeof value}. Write it as a string.` })
    }
    const text = value.trim()
    const wrong = isAddressName(name) ? addressProblem(text) : undefined
    if (wrong !== undefined) throw invalidRequest(subject, { field, problem: `"${field}" ${wrong}` })
    return [[name, text] as const]
  })
}

/** Wire names, without separators and letter case, that belong to the record, with the field to set instead. */
function takenNames(values: Form, { row, profile, signing }: OperationPlan): ReadonlyMap<string, string> {
  const signed = signing.scheme === 'control' ? signing.items : []
  const fields = [
    ...Object.keys(recordOf(values)),
    ...row.required,
    ...(row.oneOf ?? []).flatMap(({ needs, without = [] }) => [...needs, ...without]),
    ...signed.filter(item => item !== 'endpointId' && item !== 'login'),
  ]
  const named = fields.map(field => [wireName(field, { operation: row, profile }) ?? field, field] as const)
  const common = ['amount', 'currency', 'login', 'clientOrderId', 'orderId'] as const
  const all = [...named, ...common.map(field => [wireNames[field], field] as const)]
  return new Map(all.map(([name, field]) => [plain(name), field]))
}

/** `client-order-id` says what `client_orderid` says: which of the two a gateway believes is not known. */
function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}

function nameProblem(name: string, taken: ReadonlyMap<string, string>, controlField: string): string | undefined {
  if (name.trim() === '' || name !== name.trim()) return 'a name in "extra" is empty or has white space at its ends.'
  if (hasHalfPair(name)) return 'a name in "extra" holds half of a surrogate pair: it has no UTF-8 form.'
  if (/^oauth_/i.test(name)) return `"extra" must not hold "${name}": oauth_* goes in the Authorization header only.`
  if (plain(name) === plain(controlField))
    return `"extra" must not hold "${name}": the client computes the control value.`
  const field = taken.get(plain(name))
  if (field === 'login') return `"extra" must not hold "${name}": it is an option of createClient.`
  return field === undefined ? undefined : `"extra" must not hold "${name}". Set the field "${field}" instead.`
}

/** Whether a field of `extra` is an address that the gateway calls or sends the customer to, by its wire name. */
const isAddressName = (name: string): boolean =>
  Object.entries(wireNames).some(([field, wireName]) => wireName === name && fieldKind(field) === 'address')

/** What to say of a field that the operation does not have. */
export function unknownField(row: AnyOperation, field: string): FieldProblem {
  if (field === 'login') return { field, problem: '"login" is an option of createClient, not a field of requests.' }
  const known = [...Object.keys(wireNames), ...Object.keys(row.wireNames ?? {})].filter(each => each !== 'login')
  const near = fieldSynonym(field) ?? nearName(field, known)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  return {
    field,
    problem: `it has no field "${field.slice(0, 60)}".${hint} Send fields this library does not know by their wire name in "extra".`,
  }
}

/** What other interfaces call the fields of this one. */
const synonyms = lazy(
  (): ReadonlyMap<string, string> =>
    new Map(
      Object.entries({
        clientOrderId: 'merchantOrderId merchantOrder orderReference reference referenceId externalId',
        orderDesc: 'description orderDescription details',
        creditCardNumber: 'cardNumber card number pan ccNumber',
        cardPrintedName: 'cardHolder cardHolderName holder holderName nameOnCard cardName',
        expireMonth: 'expMonth expiryMonth expirationMonth',
        expireYear: 'expYear expiryYear expirationYear',
        cvv2: 'cvv cvc cvc2 securityCode cardCode',
        ipAddress: 'ip clientIp remoteIp userIp',
        address1: 'address street addressLine1 line1 streetAddress',
        zipCode: 'zip postcode postalCode',
        birthday: 'dob dateOfBirth birthDate',
        redirectUrl: 'returnUrl backUrl successUrl',
        serverCallbackUrl: 'callbackUrl webhookUrl webhook callback',
        notifyUrl: 'notificationUrl',
        accountNumber: 'iban account bankAccount accountNo',
        routingNumber: 'bic swift sortCode routing',
        byRequestSn: 'serialNumber requestSn',
      }).flatMap(([field, names]) => names.split(' ').map(name => [plain(name), field])),
    ),
)

/** Our name of what `name` is in other interfaces, undefined where none is known. */
export const fieldSynonym = (name: string): string | undefined => synonyms().get(plain(name))
