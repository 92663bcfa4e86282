import { cardFieldOf, cardNumberFields } from '@tillkit/protocol'
import { invalidRequest } from '../errors/invalid-request.js'
import type { OperationPlan } from './types.js'

type Given = Readonly<Record<string, unknown>>

/** What ids are compared with. */
export interface CardNumbersInput {
  /** The request as it was handed over. */
  readonly given: Given
  readonly plan: OperationPlan
}

/**
 * Refuses a request with an id that holds a card number of the same request: an id is logged, stored and shown. This comes
 * before every other check, because their messages name the order.
 *
 * @param name Of the operation.
 * @throws {@link InvalidRequestError} naming the field. It holds no id.
 */
export function refuseCardNumbers(name: string, { given, plan }: CardNumbersInput): void {
  for (const field of Object.keys(given)) {
    if (plan.field(field)?.isId === true) refuseCardNumber(name, { field, id: given[field], given, plan })
  }
}

/** Does the same for one id. */
export function refuseCardNumber(
  name: string,
  { field, id, given, plan }: CardNumbersInput & { readonly field: string; readonly id: unknown },
): void {
  const plain = typeof id === 'string' ? id.replace(separators, '') : ''
  if (!/\d{12}/.test(plain) || !numbersOf(given, plan).some(number => plain.includes(number))) return
  throw invalidRequest(
    { name, clientOrderId: undefined, orderId: undefined },
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
