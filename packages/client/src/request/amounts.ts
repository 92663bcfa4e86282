import { type AnyOperation, operations, type WireProfile } from '@tillkit/protocol'
import { currencyDigits, fromMinorUnits, InvalidInputError, toMinorUnits } from '@tillkit/signing'
import { invalidRequest, type RequestSubject } from '../errors/invalid-request.js'
import { type Form, textOf } from './form.js'
import type { RequestForm } from './request-shape.js'

/** What amounts are checked with. */
export interface CheckAmountsInput {
  readonly values: RequestForm
  readonly profile: WireProfile
}

/**
 * Checks that amounts are decimal strings above zero with exactly the currency's digits: those of the profile's
 * `currencyDigits`, else of ISO 4217.
 *
 * @returns `amount` in minor units; `''` where there is none.
 * @throws {@link InvalidRequestError} naming the field.
 * @see Interface specification, sections 2 and 3 (rule 4)
 */
export function checkAmounts(subject: RequestSubject, { values, profile }: CheckAmountsInput): string {
  const currency = textOf(values, 'currency')
  if (currency === undefined) return ''
  const minor = (field: string, amount: string) => {
    try {
      const units = toMinorUnits(amount, currency, profile.minorUnits.value, profile.currencyDigits.value)
      if (units === '0') refuseZero(subject, field)
      return units
    } catch (cause) {
      throw amountMistake(subject, { field, cause })
    }
  }
  if (values.shape.hasSeveralAmounts) checkSeveral(subject, { values, minor })
  const amount = textOf(values, 'amount')
  if (amount !== undefined) return minor('amount', amount)
  checkCurrency(subject, { currency, profile })
  return ''
}

function checkSeveral(
  subject: RequestSubject,
  { values, minor }: { readonly values: Form; readonly minor: (field: string, amount: string) => string },
): void {
  for (const amount of textOf(values, 'enumerateAmounts')?.split(',') ?? []) minor('enumerateAmounts', amount.trim())
  const [from, to] = (['amountFrom', 'amountTo'] as const).map(field => {
    const amount = textOf(values, field)
    return amount === undefined ? undefined : BigInt(minor(field, amount))
  })
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidRequest(subject, { field: 'amountFrom', problem: '"amountFrom" is more than "amountTo".' })
  }
}

/** A record may have a currency and no amount. */
function checkCurrency(
  subject: RequestSubject,
  { currency, profile }: { readonly currency: string; readonly profile: WireProfile },
): void {
  const own = profile.currencyDigits.value
  if (currencyDigits(currency, own) !== undefined) return
  try {
    fromMinorUnits('0', currency, 'iso-4217', own)
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
