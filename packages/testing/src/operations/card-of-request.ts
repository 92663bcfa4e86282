import { type StoredCard, storeCard } from '../orders/card.js'
import { refuse } from '../replies/refusal.js'
import type { AcceptedCall } from '../verification/check-request.js'
import { fieldName } from '../verification/fields.js'

/** What the fields of a request are called in its body, for messages. */
export const namesIn =
  ({ row, gateway }: AcceptedCall) =>
  (field: string): string =>
    fieldName(field, { row, profile: gateway.settings.profile })

/** The card whose number a request carries. Holder and expiry of a request are not those of the card that receives. */
export function readCard(call: AcceptedCall, byNumber: CardSource = 'creditCardNumber'): StoredCard {
  const { fields } = call
  const name = namesIn(call)
  const { cardPrintedName: holder, expireMonth, expireYear } = fields
  const own = byNumber === 'destinationCardNo' ? {} : { holder, expireMonth, expireYear }
  return storeCard(
    { number: fields[byNumber] ?? '', ...own },
    { number: name(byNumber), expireMonth: name('expireMonth'), expireYear: name('expireYear') },
  )
}

/** The stored card that a request names. */
export function storedCard(call: AcceptedCall): StoredCard {
  const { cardRefId = '' } = call.fields
  const name = namesIn(call)('cardRefId')
  return (
    call.gateway.orders.cardRef(cardRefId) ??
    refuse('unknown-reference', `"${name}" is "${cardRefId.slice(0, 40)}", no known card reference.`)
  )
}

type CardSource =
  | 'creditCardNumber'
  | 'cardRecurringPaymentId'
  | 'destinationCardNo'
  | 'destinationCardRecurringPaymentId'
  | 'destinationCardRefId'
  | 'sendingCardNumber'
  | 'sendingCardRefId'

/**
 * The card that two fields name: the first by number, the second by reference. The number counts where both are there, as
 * in the specification's own example of a transfer.
 */
export function cardOf(call: AcceptedCall, [byNumber, byReference]: readonly [CardSource, CardSource]) {
  const { fields } = call
  const name = namesIn(call)
  const reference = fields[byReference]
  if (fields[byNumber] === undefined) {
    if (reference === undefined) refuse('missing-field', `"${name(byNumber)}" or "${name(byReference)}" is needed.`)
    const found = byReference.endsWith('RefId')
      ? call.gateway.orders.cardRef(reference)
      : call.gateway.orders.recurringPayment(reference)
    return (
      found ??
      refuse('unknown-reference', `"${name(byReference)}" is "${reference.slice(0, 40)}", which was never given out.`)
    )
  }
  return readCard(call, byNumber)
}
