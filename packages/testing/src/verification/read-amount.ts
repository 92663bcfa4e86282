/**
 * Amounts of requests.
 *
 * @module
 */
import { readMinorUnits, type WireProfile } from '@tillkit/protocol'
import { currencyDigits, fromMinorUnits, InvalidInputError } from '@tillkit/signing'
import type { GatewaySettings } from '../merchants/options.js'
import type { Fields } from './fields.js'
import { refuse } from './refusal.js'

/** An amount of a request. */
export interface RequestAmount {
  /** Minor units, above zero. */
  readonly amount: bigint
  /** ISO 4217 code, or one of the profile's `currencyDigits`. */
  readonly currency: string
}

/**
 * Reads amount and currency of a request. As public pages have it, `10.5` is 10.50.
 *
 * @throws {@link RefusedRequest} when either is missing or cannot be right.
 */
export function readAmount(fields: Fields, settings: Pick<GatewaySettings, 'currency' | 'profile'>): RequestAmount {
  const { amount: text, currency } = fields
  if (text === undefined || currency === undefined) {
    const [given, missing] = text === undefined ? ['currency', 'amount'] : ['amount', 'currency']
    refuse(
      'missing-field',
      `There is "${given}" without "${missing}": send both, or neither where both may be left out.`,
    )
  }
  const { profile } = settings
  const own = profile.currencyDigits.value
  if (currencyDigits(currency, own) === undefined) {
    refuse(
      'invalid-field',
      `"currency" is ${JSON.stringify(currency.slice(0, 16))}, no ISO 4217 code such as "EUR". Where the gateway takes ` +
        'another one, give the fake a profile that has its digits: defineProfile({ currencyDigits }).',
    )
  }
  if (settings.currency !== undefined && currency !== settings.currency) {
    refuse('invalid-field', `"currency" is "${currency}"; the currency of this endpoint is "${settings.currency}".`)
  }
  const amount = minorUnits(text, { currency, profile })
  if (amount === undefined) {
    refuse(
      'invalid-field',
      `"amount" is ${JSON.stringify(text.slice(0, 24))}; for ${currency} it must look like "${fromMinorUnits('1000', currency, 'iso-4217', own)}": ` +
        'above zero, a point before the fraction.',
    )
  }
  return { amount, currency }
}

function minorUnits(
  text: string,
  { currency, profile }: { readonly currency: string; readonly profile: WireProfile },
): bigint | undefined {
  try {
    const amount = readMinorUnits(text, currency, profile)
    return amount > 0n ? amount : undefined
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}
