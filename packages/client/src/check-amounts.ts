/**
 * Checks of amounts and currencies, before anything is sent.
 *
 * @module
 */
import { type AnyOperation, type Operations, operations, type RequestOf, type WireProfile } from '@tillkit/protocol'
import { fromMinorUnits, InvalidInputError, toMinorUnits } from '@tillkit/signing'
import { type RequestSubject, requestMistake } from './request-mistake.js'

type Values = ReadonlyMap<string, string>

const recurringAmounts = ['amountFrom', 'amountTo', 'amountSequence'] as const

/**
 * Checks that amounts are decimal strings above zero with exactly the currency's digits, and that amount and currency
 * come together.
 *
 * @throws {@link InvalidRequestError} naming the field.
 * @see Interface specification, sections 2 and 3 (rule 4)
 */
export function checkAmounts(
  subject: RequestSubject,
  { values, profile }: { readonly values: Values; readonly profile: WireProfile },
): void {
  checkAbsent(subject, values)
  checkTogether(subject, values)
  const currency = values.get('currency')
  if (currency === undefined) return
  const attempt = <Result>(field: string, convert: () => Result): Result => {
    try {
      return convert()
    } catch (cause) {
      if (!(cause instanceof InvalidInputError)) throw cause
      const at = cause.field === 'amount' ? field : 'currency'
      throw requestMistake(subject, { field: at, problem: cause.message.replace('"amount"', `"${at}"`), cause })
    }
  }
  attempt('currency', () => fromMinorUnits('0', currency))
  const minor = (field: string, amount: string) => {
    const units = attempt(field, () => toMinorUnits(amount, currency, profile.minorUnits.value))
    if (units === '0') refuseZero(subject, field)
    return units
  }
  for (const field of ['amount', 'amountFrom', 'amountTo']) {
    const amount = values.get(field)
    if (amount !== undefined) minor(field, amount)
  }
  for (const amount of values.get('enumerateAmounts')?.split(',') ?? []) minor('enumerateAmounts', amount.trim())
  const [from, to] = [values.get('amountFrom'), values.get('amountTo')]
  if (from !== undefined && to !== undefined && BigInt(minor('amountFrom', from)) > BigInt(minor('amountTo', to))) {
    throw requestMistake(subject, { field: 'amountFrom', problem: '"amountFrom" is more than "amountTo".' })
  }
}

const rows: ReadonlySet<AnyOperation> = new Set(Object.values(operations))

/** No operation of the interface moves money of zero. What one of the user's own takes, its gateway knows. */
function refuseZero(subject: RequestSubject, field: string): void {
  const { row, name } = subject
  if (!rows.has(row)) return
  const found = field === 'enumerateAmounts' ? 'has an amount of zero in it' : 'is zero'
  const cure = !row.required.includes('currency')
    ? 'Leave "amount" and "currency" out where the whole amount is meant.'
    : row.required.includes('email')
      ? 'Give more, or use accountVerification, which checks a card without an amount.'
      : 'Give more.'
  throw requestMistake(subject, {
    field,
    problem: `"${field}" ${found}, and the ${name} operation moves money. ${cure}`,
  })
}

type WithoutAmount = {
  [Name in keyof Operations]: 'amount' extends keyof RequestOf<Operations[Name]> ? never : Name
}[keyof Operations]

/** Operations whose record has no amount; a type error here means that the table has changed. */
const amountless: Readonly<Record<WithoutAmount, true>> = {
  uploadCresResult: true,
  uploadMethodUrlResult: true,
  uploadParesResult: true,
  accountVerificationForm: true,
  accountVerification: true,
  createCardRef: true,
  getCardInfo: true,
  status: true,
  void: true,
  createCardRefV4: true,
  panEligibilitySend: true,
  payoutPay: true,
}

const amountlessRows: ReadonlySet<AnyOperation> = new Set(
  Object.entries(operations).flatMap(([name, row]) => (Object.hasOwn(amountless, name) ? [row] : [])),
)

/** Whoever gives an amount to a void believes that it is a partial one, and there is none. */
function checkAbsent(subject: RequestSubject, values: Values): void {
  const field = ['amount', 'currency'].find(each => values.has(each))
  if (field === undefined || !amountlessRows.has(subject.row)) return
  const problem = `"${field}" has no place in it: the ${subject.name} operation takes no amount. Leave it out.`
  throw requestMistake(subject, { field, problem })
}

/**
 * Refuses an amount that is there and `undefined` where leaving it out means the whole amount: what was a part and got
 * lost on its way must not become everything.
 *
 * @throws {@link InvalidRequestError} naming the field.
 */
export function refuseUndefined(subject: RequestSubject, field: string): void {
  const { row } = subject
  if (field !== 'amount' && field !== 'currency') return
  if (row.effect !== 'changes' || row.required.includes('amount') || amountlessRows.has(row)) return
  throw requestMistake(subject, {
    field,
    problem:
      `"${field}" is there and undefined, and without an amount the ${subject.name} operation is over the whole one. ` +
      'Give "amount" and "currency", or leave both keys out where the whole amount is meant.',
  })
}

function checkTogether(subject: RequestSubject, values: Values): void {
  const hasRecurring = recurringAmounts.some(field => values.has(field))
  if (values.has('amount') && !values.has('currency')) {
    throw requestMistake(subject, {
      field: 'currency',
      problem: '"amount" came without "currency". Give both, or neither where the whole amount is meant.',
    })
  }
  if (subject.row.request === 'RecurringPaymentForCreation') {
    checkRecurring(subject, values)
  } else if (values.has('currency') && !values.has('amount') && !hasRecurring) {
    throw requestMistake(subject, {
      field: 'amount',
      problem: '"currency" came without "amount". Give both, or neither where the whole amount is meant.',
    })
  }
}

function checkRecurring(subject: RequestSubject, values: Values): void {
  const ways = [
    values.has('amount'),
    values.has('amountFrom') || values.has('amountTo'),
    values.has('amountSequence'),
  ].filter(Boolean).length
  const halfRange = values.has('amountFrom') !== values.has('amountTo')
  if (ways === 1 && !halfRange) return
  throw requestMistake(subject, {
    field: 'amount',
    problem: 'give exactly one of "amount", "amountFrom" with "amountTo", or "amountSequence".',
  })
}
