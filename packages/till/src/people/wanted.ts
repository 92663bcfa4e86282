import { describeNoId, describeValue, isNoId, type Person, readPerson } from '@tillkit/protocol'
import type { AmountsByCurrency, WantedDecision } from '../rules/people/wanted.js'

/** A decision, who takes it, and why. */
export type DecisionRequest = WantedDecision & Person

/** The longest id, in characters: an idempotency key has several ids in it. */
const longestId = 1_000

const fieldsOf = {
  failed: ['order', 'request'],
  arrived: ['order', 'request', 'orderId', 'serialNumber'],
  settled: ['order', 'stage', 'serialNumber', 'outcome', 'amount'],
  'give-back': ['order'],
  abandon: ['order'],
  noted: ['order'],
  dismissed: ['order'],
  skip: ['outcome'],
} as const satisfies Record<WantedDecision['kind'], readonly string[]>

const isKind = (kind: unknown): kind is WantedDecision['kind'] =>
  typeof kind === 'string' && Object.hasOwn(fieldsOf, kind)

/** Reads a decision that a person hands over, as a form of a back office may have sent it. @throws {TypeError} for what is none. */
export function readDecision(given: DecisionRequest): { readonly person: Person; readonly wanted: WantedDecision } {
  const person = readPerson('till.decide', given)
  const { kind }: { readonly kind?: unknown } = given
  if (!isKind(kind)) throw wrong('kind', `must be one of ${Object.keys(fieldsOf).join(', ')}`)
  const fields: readonly string[] = fieldsOf[kind]
  const other = Object.keys(given).find(field => !['kind', 'who', 'why', ...fields].includes(field))
  if (other !== undefined) throw wrong(other.slice(0, 60), `is no field of a decision of kind "${kind}"`)
  const read: { [field: string]: string | undefined } = {}
  for (const field of fields) {
    const value: unknown = Reflect.get(given, field)
    if (value === undefined) continue
    if (typeof value !== 'string' || value.length > longestId)
      throw wrong(field, `must be text of at most ${longestId} characters`)
    if (isNoId(value)) throw wrong(field, `is ${describeNoId(value)}`)
    read[field] = value.trim()
  }
  const { outcome = '', orderId, serialNumber, amount } = read
  const needed = neededBy[kind]
  if (needed !== undefined && read[needed] === undefined) throw wrong(needed, 'is missing')
  if (kind === 'settled' && !outcomes.includes(outcome)) throw wrong('outcome', `must be one of ${outcomes.join(', ')}`)
  if (kind === 'arrived' && (orderId === undefined) === (serialNumber === undefined))
    throw wrong(
      'orderId',
      'is missing: say under which order id the gateway has the order, or with "serialNumber" under which one it has a change',
    )
  if (amount !== undefined && !isAmount(amount)) throw wrong('amount', 'must be an amount such as 10.00')
  // Each field was checked above.
  return { person, wanted: { kind, ...read } as WantedDecision }
}

const neededBy: { readonly [Kind in WantedDecision['kind']]?: string } = {
  settled: 'outcome',
  'give-back': 'order',
  skip: 'outcome',
}

const outcomes: readonly string[] = ['approved', 'declined', 'filtered', 'error']

const wrong = (field: string, problem: string) => new TypeError(`till.decide: "${field}" ${problem}.`)

/** Checks the amounts above which two persons have to decide. @throws {TypeError} for what is no amount, or no currency. */
export function readLimits(given: AmountsByCurrency | undefined): AmountsByCurrency | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'object' || given === null) throw noLimits(describeValue(given))
  for (const [currency, amount] of Object.entries(given)) {
    if (!/^[A-Z]{3}$/.test(currency) || typeof amount !== 'string' || !isAmount(amount))
      throw noLimits(`${describeValue(amount)} for ${JSON.stringify(currency)}`)
  }
  return { ...given }
}

/** Whether a text is an amount in major units. */
export const isAmount = (text: string): boolean => /^\d{1,15}(?:\.\d{1,4})?$/.test(text)

const noLimits = (found: string) =>
  new TypeError(
    `createTill: "secondPersonAbove" must have an amount as text for each currency, such as { EUR: '1000.00' }. Found: ${found}.`,
  )
