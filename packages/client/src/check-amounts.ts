/**
 * Checks of amounts and currencies, before anything is sent.
 *
 * @module
 */
import { type AnyOperation, type Operations, operations, type RequestOf, type WireProfile } from '@tillkit/protocol'
import { currencyDigits, fromMinorUnits, InvalidInputError, toMinorUnits } from '@tillkit/signing'
import { type FieldTexts, hasText, textOf } from './field-texts.js'
import { type RequestSubject, requestMistake } from './request-mistake.js'
import { whenNeeded } from './when-needed.js'

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
  { values, profile }: { readonly values: FieldTexts; readonly profile: WireProfile },
): void {
  checkAbsent(subject, values)
  checkTogether(subject, values)
  const currency = textOf(values, 'currency')
  if (currency === undefined) return
  const minor = (field: string, amount: string) => {
    try {
      const units = toMinorUnits(amount, currency, profile.minorUnits.value)
      if (units === '0') refuseZero(subject, field)
      return units
    } catch (cause) {
      throw amountMistake(subject, { field, cause })
    }
  }
  checkCurrency(subject, currency)
  for (const field of amountFields) {
    const amount = textOf(values, field)
    if (amount !== undefined) minor(field, amount)
  }
  for (const amount of textOf(values, 'enumerateAmounts')?.split(',') ?? []) minor('enumerateAmounts', amount.trim())
  const [from, to] = [textOf(values, 'amountFrom'), textOf(values, 'amountTo')]
  if (from !== undefined && to !== undefined && BigInt(minor('amountFrom', from)) > BigInt(minor('amountTo', to))) {
    throw requestMistake(subject, { field: 'amountFrom', problem: '"amountFrom" is more than "amountTo".' })
  }
}

const amountFields = ['amount', 'amountFrom', 'amountTo'] as const

/** A record may have a currency and no amount. */
function checkCurrency(subject: RequestSubject, currency: string): void {
  if (currencyDigits(currency) !== undefined) return
  try {
    fromMinorUnits('0', currency)
  } catch (cause) {
    throw amountMistake(subject, { field: 'currency', cause })
  }
}

function amountMistake(
  subject: RequestSubject,
  { field, cause }: { readonly field: string; readonly cause: unknown },
): unknown {
  if (!(cause instanceof InvalidInputError)) return cause
  const at = cause.field === 'amount' ? field : 'currency'
  return requestMistake(subject, { field: at, problem: cause.message.replace('"amount"', `"${at}"`), cause })
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

const amountlessRows = /* @__PURE__ */ whenNeeded(
  (): ReadonlySet<AnyOperation> =>
    new Set(Object.entries(operations).flatMap(([name, row]) => (Object.hasOwn(amountless, name) ? [row] : []))),
)

/** Whoever gives an amount to a void believes that it is a partial one, and there is none. */
function checkAbsent(subject: RequestSubject, values: FieldTexts): void {
  if (!amountlessRows().has(subject.row)) return
  const field = ['amount', 'currency'].find(each => hasText(values, each))
  if (field === undefined) return
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
  if (row.effect !== 'changes' || row.required.includes('amount') || amountlessRows().has(row)) return
  throw requestMistake(subject, {
    field,
    problem:
      `"${field}" is there and undefined, and without an amount the ${subject.name} operation is over the whole one. ` +
      'Give "amount" and "currency", or leave both keys out where the whole amount is meant.',
  })
}

function checkTogether(subject: RequestSubject, values: FieldTexts): void {
  if (hasText(values, 'amount') && !hasText(values, 'currency')) {
    throw requestMistake(subject, {
      field: 'currency',
      problem: '"amount" came without "currency". Give both, or neither where the whole amount is meant.',
    })
  }
  if (subject.row.request === 'RecurringPaymentForCreation') {
    checkRecurring(subject, values)
  } else if (hasText(values, 'currency') && !hasText(values, 'amount') && !hasRecurring(values)) {
    throw requestMistake(subject, {
      field: 'amount',
      problem: '"currency" came without "amount". Give both, or neither where the whole amount is meant.',
    })
  }
}

const hasRecurring = (values: FieldTexts): boolean => recurringAmounts.some(field => hasText(values, field))

function checkRecurring(subject: RequestSubject, values: FieldTexts): void {
  const ways = [
    hasText(values, 'amount'),
    hasText(values, 'amountFrom') || hasText(values, 'amountTo'),
    hasText(values, 'amountSequence'),
  ].filter(Boolean).length
  const halfRange = hasText(values, 'amountFrom') !== hasText(values, 'amountTo')
  if (ways === 1 && !halfRange) return
  throw requestMistake(subject, {
    field: 'amount',
    problem: 'give exactly one of "amount", "amountFrom" with "amountTo", or "amountSequence".',
  })
}
