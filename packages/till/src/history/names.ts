import {
  type FinalOutcome,
  finalOutcome,
  operationInWords,
  quote,
  stageNames,
  type WireProfile,
} from '@tillkit/protocol'
import type { CallbackSaid } from '../state/known.js'
import { partKeyIn } from '../store/keys.js'

/** Major units. */
interface Money {
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}

/** An amount and its currency, as they were written. */
export const moneyOf = ({ amount = 'an amount that is not known', currency }: Money): string =>
  currency === undefined ? amount : `${amount} ${currency}`

/** The same, where an amount is known. */
export const overMoney = (money: Money): string => (money.amount === undefined ? '' : ` over ${moneyOf(money)}`)

/** Names the request in words, such as `a return over 3.00 EUR`; a part comes with the merchant's name of it. */
export function requestInWords({
  operation,
  attemptId = '',
  recipient,
  ...money
}: Money & {
  readonly operation: string
  readonly attemptId?: string
  readonly recipient?: string | undefined
}): string {
  const key = partKeyIn(attemptId)
  const to = recipient === undefined ? '' : ` to ${recipient}`
  return `${operationInWords(operation)}${overMoney(money)}${to}${key === undefined ? '' : keyOf(key)}`
}

/** The merchant's name of a part. */
export const keyOf = (key: string): string => ` (key ${quote(key)})`

/** How a stage ended, in plain words; `other` for a word of the gateway that ends nothing. */
export const endings: { readonly [Outcome in FinalOutcome | 'other']: (status: string) => string } = {
  approved: () => 'is approved',
  declined: () => 'was declined',
  filtered: () => 'was filtered out',
  error: () => 'ended with an error',
  other: status => `is ${quote(status)}`,
}

/** The same for a word of the gateway. */
export const endingOf = (word: string, profile: WireProfile): string =>
  endings[finalOutcome(word, profile) ?? 'other'](word)

/** A callback in words, such as `the chargeback over 10.00 is approved`. @param ofWhich Such as ` of order basket-7`, or empty. */
export const saidInWords = ({ status, stage, amount }: CallbackSaid, ofWhich: string, profile: WireProfile): string => {
  const what = stage === undefined ? 'a movement' : `the ${stageNames[stage]}`
  return `${what}${ofWhich}${overMoney({ amount })} ${endingOf(status, profile)}`
}

/** An order, by the id that there is. */
export const nameOf = ({ clientOrderId }: { readonly clientOrderId: string }): string =>
  clientOrderId === '' ? 'an order without an id of the merchant' : `order ${clientOrderId}`

/** The same request with a definite article. */
export const theOf = (what: string): string => what.replace(/^a /, 'the ')
