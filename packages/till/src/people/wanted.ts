import { describeNoId, isNoId, type Person, readPerson } from '@tillkit/protocol'
import type { WantedDecision } from '../rules/people/wanted.js'
import { isAmount } from './limits.js'

/** A decision, who takes it, and why. */
export type DecisionRequest = WantedDecision & Person

/** The longest id, in characters: an idempotency key has several ids in it. */
const longestId = 1_000

const fieldsOf = {
  failed: ['order', 'request'],
  arrived: ['order', 'request', 'orderId', 'serialNumber'],
  settled: ['order', 'stage', 'serialNumber', 'outcome', 'amount'],
  'give-back': ['order'],
  skip: ['outcome'],
} as const satisfies Record<WantedDecision['kind'], readonly string[]>

const isKind = (kind: unknown): kind is WantedDecision['kind'] =>
  typeof kind === 'string' && Object.hasOwn(fieldsOf, kind)

/**
 * Reads a decision that a person hands over, as a form of a back office may have sent it.
 *
 * @throws {TypeError} for what is none.
 */
export function readDecision(given: DecisionRequest): { readonly person: Person; readonly wanted: WantedDecision } {
  const person = readPerson('till.decide', given)
  const { kind }: { readonly kind?: unknown } = given
  if (!isKind(kind)) throw wrong('kind', `must be one of ${Object.keys(fieldsOf).join(', ')}`)
  const fields: readonly string[] = fieldsOf[kind]
  const other = Object.keys(given).find(field => !['kind', 'who', 'why', ...fields].includes(field))
  if (other !== undefined) throw wrong(other.slice(0, 60), `is no field of a decision of kind "${kind}"`)
  const entries = fields.flatMap(field => {
    const value: unknown = Reflect.get(given, field)
    if (value === undefined) return []
    if (typeof value !== 'string' || value.length > longestId)
      throw wrong(field, `must be text of at most ${longestId} characters`)
    if (isNoId(value)) throw wrong(field, `is ${describeNoId(value)}`)
    return [[field, value.trim()] as const]
  })
  const read: Partial<Record<string, string>> = Object.fromEntries(entries)
  for (const field of neededBy[kind]) if (read[field] === undefined) throw wrong(field, 'is missing')
  const { outcome = '', orderId, serialNumber, amount }: { readonly [Field in Checked]?: string } = read
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

type Checked = 'outcome' | 'orderId' | 'serialNumber' | 'amount'

const neededBy: Record<WantedDecision['kind'], readonly string[]> = {
  failed: [],
  arrived: [],
  settled: ['outcome'],
  'give-back': ['order'],
  skip: ['outcome'],
}

const outcomes: readonly string[] = ['approved', 'declined', 'filtered', 'error']

const wrong = (field: string, problem: string) => new TypeError(`till.decide: "${field}" ${problem}.`)
