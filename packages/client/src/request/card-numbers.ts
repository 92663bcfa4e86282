import { cardFieldOf, cardNumberFields } from '@tillkit/protocol'
import { invalidRequest, type RequestSubject } from '../errors/invalid-request.js'
import type { OperationPlan } from './operation-plan.js'

type Given = Readonly<Record<string, unknown>>

/** What an id is compared with. */
export interface CheckCardNumbersInput {
  /** The request as it was handed over. */
  readonly given: Given
  readonly plan: OperationPlan
}

/**
 * Refuses ids among `fields` that hold a card number of the same request. It comes before every other check, because their
 * messages name the order.
 *
 * @throws {@link InvalidRequestError} naming the field. It holds no id.
 */
export function checkCardNumbers(
  subject: Pick<RequestSubject, 'name' | 'row'>,
  { given, plan, fields }: CheckCardNumbersInput & { readonly fields: readonly string[] },
): void {
  for (const field of fields) {
    if (plan.field(field)?.isId !== true) continue
    checkId(subject, { field, id: given[field], given, plan })
  }
}

/** The id that is checked. */
export interface CheckIdInput extends CheckCardNumbersInput {
  readonly field: string
  readonly id: unknown
}

/** @throws {@link InvalidRequestError} when an id holds a card number of the request, see {@link checkCardNumbers}. */
export function checkId({ name }: Pick<RequestSubject, 'name'>, { field, id, given, plan }: CheckIdInput): void {
  if (typeof id !== 'string' || !mayHoldOne(id)) return
  const plain = id.replace(separators, '')
  if (!twelveDigits.test(plain) || !numbersOf(given, plan).some(number => plain.includes(number))) return
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

const twelveDigits = /\d{12}/

const separators = /[\s._/-]/g

/**
 * Whether a look at an id is worth while: it has digits enough in a row, with nothing but separators between them, or
 * something that is not ASCII and so may be one. A loop, for nearly every request ends here.
 */
function mayHoldOne(id: string): boolean {
  let digits = 0
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at)
    if (code > 0x7e) return true
    if (code >= 0x30 && code <= 0x39) digits += 1
    else if (code > 0x20 && code !== 0x5f && (code < 0x2d || code > 0x2f)) digits = 0
    if (digits >= fewestDigits) return true
  }
  return false
}

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
