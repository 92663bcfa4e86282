import {
  type AnyOperation,
  alternativeProblem,
  alternativesInWords,
  amountFields,
  cardFieldOf,
  cardNumberFields,
  operations,
  type WireProfile,
} from '@tillkit/protocol'
import { currencyDigits, fromMinorUnits, InvalidInputError, toMinorUnits } from '@tillkit/signing'
import { type FieldProblem, invalidRequest, type RequestSubject } from '../errors/messages.js'
import { textOf } from './form.js'
import type { Form, OperationPlan } from './types.js'

type Subject = Pick<RequestSubject, 'name' | 'row'>

/** What is missing from a request, or has no place in it. @see Interface specification, section 3 (rule 4) and section 4 */
export function presenceProblem(subject: Subject, has: Has): FieldProblem | undefined {
  return missing(subject.row, has) ?? outOfPlace(subject, has) ?? noAlternative(subject.row, has) ?? unpaired(has)
}

type Has = (field: string) => boolean

function missing(row: AnyOperation, has: Has): FieldProblem | undefined {
  const field = row.required.find(each => !has(each))
  return field === undefined ? undefined : { field, problem: requiredProblem(field, 'missing', row) }
}

/** What to say of a required field without a value, or of one that an alternative needs. */
export const requiredProblem = (field: string, found: 'missing' | 'empty', row: AnyOperation): string =>
  row.required.includes(field)
    ? `"${field}" is ${found}. Set it: the operation needs ${row.required.join(', ')}.`
    : `"${field}" is ${found}. The operation needs ${alternativesInWords(row)}.`

/** A card or a reference to one, not both and not neither: the gateway would choose, or charge what was not meant. */
function noAlternative(row: AnyOperation, has: Has): FieldProblem | undefined {
  const found = alternativeProblem(row, has)
  if (found === undefined) return undefined
  const { field, beside } = found
  if (beside === undefined) return { field, problem: requiredProblem(field, 'missing', row) }
  return {
    field,
    problem: `"${field}" came together with "${beside}". The operation needs ${alternativesInWords(row)}, never two of them.`,
  }
}

/** An amount in a void request shows that its writer expects a partial void, which does not exist. */
function outOfPlace({ name, row }: Subject, has: Has): FieldProblem | undefined {
  if (row.takes?.amount !== false) return undefined
  const field = ['amount', 'currency'].find(has)
  if (field === undefined) return undefined
  return { field, problem: `"${field}" has no place in it: the ${name} operation takes no amount. Leave it out.` }
}

/**
 * What is wrong where a field is there and `undefined`, and leaving it out means the whole amount: what was a part and got
 * lost on its way must not become everything.
 */
export function undefinedProblem({ name, row }: Subject, field: string): FieldProblem | undefined {
  if (field !== 'amount' && field !== 'currency') return undefined
  if (row.effect !== 'changes' || row.required.includes('amount') || row.takes?.amount === false) return undefined
  return {
    field,
    problem:
      `"${field}" is there and undefined, and without an amount the ${name} operation is over the whole one. ` +
      'Give "amount" and "currency", or leave both keys out where the whole amount is meant.',
  }
}

/** Amount and currency come together. */
function unpaired(has: Has): FieldProblem | undefined {
  const problem = (there: string, field: string): FieldProblem => ({
    field,
    problem: `"${there}" came without "${field}". Give both, or neither where the whole amount is meant.`,
  })
  if (has('amount') && !has('currency')) return problem('amount', 'currency')
  return has('currency') && !amountFields.some(has) ? problem('currency', 'amount') : undefined
}

/**
 * Checks that amounts are decimal strings above zero with exactly the currency's digits: those of the profile's
 * `currencyDigits`, else of ISO 4217. @see Interface specification, sections 2 and 3 (rule 4)
 *
 * @returns `amount` in minor units; `''` where there is none.
 */
export function checkAmounts(subject: RequestSubject, values: Form, profile: WireProfile): string {
  const currency = textOf(values, 'currency')
  if (currency === undefined) return ''
  const minor = (field: string, amount: string) => {
    try {
      const units = toMinorUnits(amount, currency, profile.minorUnits.value, profile.currencyDigits.value)
      if (units === '0') refuseZero(subject, field)
      return units
    } catch (cause) {
      throw amountMistake(subject, field, cause)
    }
  }
  for (const amount of textOf(values, 'enumerateAmounts')?.split(',') ?? []) minor('enumerateAmounts', amount.trim())
  const [from, to] = (['amountFrom', 'amountTo'] as const).map(field => {
    const amount = textOf(values, field)
    return amount === undefined ? undefined : BigInt(minor(field, amount))
  })
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidRequest(subject, { field: 'amountFrom', problem: '"amountFrom" is more than "amountTo".' })
  }
  const amount = textOf(values, 'amount')
  if (amount !== undefined) return minor('amount', amount)
  checkCurrency(subject, currency, profile)
  return ''
}

/** A record may have a currency and no amount. */
function checkCurrency(subject: RequestSubject, currency: string, profile: WireProfile): void {
  const own = profile.currencyDigits.value
  if (currencyDigits(currency, own) !== undefined) return
  try {
    fromMinorUnits('0', currency, 'iso-4217', own)
  } catch (cause) {
    throw amountMistake(subject, 'currency', cause)
  }
}

function amountMistake(subject: RequestSubject, field: string, cause: unknown): unknown {
  if (!(cause instanceof InvalidInputError)) return cause
  const at = cause.field === 'amount' ? field : 'currency'
  return invalidRequest(subject, { field: at, problem: cause.message.replace('"amount"', `"${at}"`), cause })
}

/** No operation of the interface moves money of zero. What one of the user's own takes, its gateway knows. */
function refuseZero(subject: RequestSubject, field: string): void {
  const { row, name } = subject
  if (!Object.values<AnyOperation>(operations).includes(row)) return
  const found = field === 'enumerateAmounts' ? 'has an amount of zero in it' : 'is zero'
  const cure = !row.required.includes('currency')
    ? 'Leave "amount" and "currency" out where the whole amount is meant.'
    : row.required.includes('email')
      ? 'Give more, or use accountVerification, which checks a card without an amount.'
      : 'Give more.'
  throw invalidRequest(subject, {
    field,
    problem: `"${field}" ${found}, and the ${name} operation moves money. ${cure}`,
  })
}

type Given = Readonly<Record<string, unknown>>

/**
 * Refuses a request with an id that holds a card number of the same request: an id is logged, stored and shown. This comes
 * before every other check, because their messages name the order.
 */
export function refuseCardNumbers(plan: OperationPlan, given: Given): void {
  for (const field of Object.keys(given)) {
    if (plan.field(field)?.kind === 'id') refuseCardNumber(plan, given, field, given[field])
  }
}

/** Does the same for one id. */
export function refuseCardNumber(plan: OperationPlan, given: Given, field: string, id: unknown): void {
  const plain = typeof id === 'string' ? id.replace(separators, '') : ''
  if (!/\d{12}/.test(plain) || !numbersOf(given, plan).some(number => plain.includes(number))) return
  throw invalidRequest(
    { name: plan.name, clientOrderId: undefined, orderId: undefined },
    {
      field,
      problem: `"${field}" holds the card number of the same request. Ids are logged and shown: give it one of your own.`,
    },
  )
}

/** Fewest digits that a card number has. @see ISO/IEC 7812-1 */
const fewestDigits = 12

const separators = /[\s._/-]/g

const numberFields: ReadonlySet<string | undefined> = new Set<string>(cardNumberFields)

function numbersOf(given: Given, plan: OperationPlan): readonly string[] {
  const { extra } = given
  const own = Object.entries(given).filter(([field]) => numberFields.has(plan.field(field)?.shownAs))
  const more = typeof extra === 'object' && extra !== null ? Object.entries(extra) : []
  const all = [...own, ...more.filter(([name]) => numberFields.has(cardFieldOf(name)))]
  const texts = all.map(([, value]: readonly [string, unknown]) =>
    typeof value === 'string' ? value.replace(separators, '') : '',
  )
  return texts.filter(text => text.length >= fewestDigits)
}
