import type { ControlItem, SigningProfile } from '@tillkit/signing'
import type { wireNames } from './fields.js'
import type { Reply } from './records/replies.js'
import type { OwnReplyFields, ResponseRecordName } from './reply-fields.js'
import type { StageName } from './stages.js'

/** Items resolved from the merchant's configuration rather than from the request. */
export type Credential = 'endpointId' | 'login'

/** Entries of the wire profile that give a scheme to an operation for which the specification shows none. */
type SchemeEntry = {
  [Entry in keyof SigningProfile]: SigningProfile[Entry]['value'] extends { readonly scheme: string } ? Entry : never
}[keyof SigningProfile]

/** How one operation is authenticated. @see Interface specification, section 5 */
export type Signing<Request> =
  | { readonly scheme: 'control'; readonly items: readonly (Credential | (keyof Request & string))[] }
  | { readonly scheme: 'oauth-hmac-sha1' }
  | { readonly scheme: 'oauth-rsa-sha256' }
  | { readonly scheme: 'profile'; readonly entry: SchemeEntry }

/**
 * What an operation does to the world, and so what identifies an attempt at it.
 *
 * - `creates` a new order, found again by the merchant's `clientOrderId`;
 * - `changes` an order that exists: it carries the original order's ids and none of its own;
 * - `reads`, and may be repeated freely.
 */
export type Effect = 'creates' | 'changes' | 'reads'

/** One row of section 4 of the interface specification. */
export interface Operation<Request, Response> {
  /** Name used by the interface specification, e.g. `CAPTURE`; ours where it shows none. */
  readonly name: string
  /** Path below the base address, without the endpoint. */
  readonly path: `/api/${string}`
  readonly signing: Signing<Request>
  readonly effect: Effect
  /** Name of the request record. */
  readonly request: string
  /** Name of the record that HTTP 200 carries; or the fields of your own that such a reply must carry, with their wire names. */
  readonly response: ResponseRecordName | ResponseFields<Response>
  /** Fields without which the request is refused before it is sent. */
  readonly required: readonly (keyof Request & string)[]
  /** Sets of fields of which a request has one besides, such as a card or a reference to one. Default: none. */
  readonly oneOf?: readonly Alternative<keyof Request & string>[]
  /** Stages that this operation may start; status replies about it name one of them. */
  readonly stages: readonly StageName[]
  /**
   * Whether its record has an amount, and a callback address. Without an amount, a request that names one is refused: it would be
   * a void of a part. With a callback address, a request that creates and has none is sent the client's default; one that changes
   * an order is not, since public pages of these commands do not list it (ADR 0036). Default: nothing is refused, no default is
   * sent.
   */
  readonly takes?: {
    readonly amount: 'amount' extends keyof Request ? true : false
    readonly callback: 'serverCallbackUrl' extends keyof Request ? true : false
  }
  /**
   * What to do about an unknown outcome where status shows no stage of it. `repeat`: it moves no money, send it again. `order`:
   * the outcome of its order says enough. `profile`: `statusFindsRecurringPayments` of the wire profile says whether status finds
   * it. Default: a person looks it up.
   */
  readonly whenUnknown?: 'repeat' | 'order' | 'profile'
  /** Fields that the connection check sends, and no others: nothing can come of such a request. Default: it is not used for that. */
  readonly probe?: readonly (keyof typeof wireNames)[]
  /** Wire names that differ from the common table. */
  readonly wireNames?: { readonly [Field in keyof Request & string]?: string }
  /** Whether the body also carries the merchant login. Default: what the wire profile's `loginInBody` says. */
  readonly loginInBody?: boolean
  /** Carries the types; never set. A function, so that the request stays contravariant. */
  readonly '~types'?: (request: Request) => Response
}

/** Fields that a response always has, and those that no reply of the table shares with it, with their wire names. */
export type ResponseFields<Response> = object & {
  readonly [Field in keyof Response & string as Field extends 'raw'
    ? never
    : Field extends keyof Reply
      ? Record<never, never> extends Pick<Response, Field>
        ? never
        : Field
      : Field]-?: string
}

/** Any operation, for code that walks a table. */
export type AnyOperation = Omit<
  Operation<never, unknown>,
  'signing' | 'response' | 'required' | 'oneOf' | 'wireNames' | 'takes'
> & {
  readonly takes?: { readonly amount: boolean; readonly callback: boolean }
  readonly response: ResponseRecordName | OwnReplyFields
  readonly signing:
    | { readonly scheme: 'control'; readonly items: readonly string[] }
    | Exclude<Signing<never>, { scheme: 'control' }>
  readonly required: readonly string[]
  readonly oneOf?: readonly Alternative[]
  readonly wireNames?: { readonly [field: string]: string | undefined }
}

/** The request record of an operation. */
export type RequestOf<Row> = Row extends Operation<infer Request, unknown> ? Request : never

/** The response record of an operation. */
export type ResponseOf<Row> = Row extends { readonly '~types'?: (request: never) => infer Response } ? Response : never

/** Below `/api/`, no slash at the end, nothing that would have to be encoded. */
const pathForm = /^\/api(\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/

/**
 * Declares an operation. Works for your own as well: gateways have more commands than the specification lists.
 *
 * `response` names the record whose required fields its reply carries: a reply that lacks them is not an answer, and an
 * operation that creates or changes then has an unknown outcome. Where no record fits, such as for a reply without an order id,
 * give the reply's own fields and their wire names: all of them are required.
 *
 * @example
 * ```ts
 * const updateRecurringPayment = operation<UpdateRecurringPayment, CreateRecurringPaymentResponse>({
 *   name: 'UPDATE_RP_V4', path: '/api/v4/update-recurring-payment', signing: { scheme: 'oauth-rsa-sha256' },
 *   effect: 'changes', request: 'UpdateRecurringPayment', response: 'CreateRecurringPaymentResponse',
 *   required: ['recurringPaymentId'], stages: [], wireNames: { recurringPaymentId: 'recurring-payment-id' },
 * })
 * ```
 *
 * @throws {TypeError} when the path cannot be one, or `response` names no field.
 */
export function operation<Request, Response>(row: Operation<Request, Response>): Operation<Request, Response> {
  const names = typeof row.response === 'object' ? Object.values(row.response) : undefined
  if (names !== undefined && (names.length === 0 || names.some(name => typeof name !== 'string' || name === ''))) {
    throw new TypeError(
      `The response of the operation ${row.name} must give at least one field and the wire name of each: ` +
        'any answer would pass for one without.',
    )
  }
  if (pathForm.test(row.path)) return Object.freeze(row)
  throw new TypeError(
    `The path of the operation ${row.name} is ${JSON.stringify(row.path)}; it must be like /api/v4/update-recurring-payment, ` +
      'without the endpoint, a query or a slash at its end.',
  )
}

/** Signed with a control value over these items, see `controlItems` of `@tillkit/signing`. */
export function control<const Items extends readonly ControlItem[]>(items: Items) {
  return { scheme: 'control', items } as const
}

/** One way to fill in what `required` of an operation leaves open. */
export interface Alternative<Field extends string = string> {
  /** Fields that it needs, all of them. */
  readonly needs: readonly Field[]
  /** Fields that have no place beside them. */
  readonly without?: readonly Field[]
}

/**
 * Why a request has none of the alternatives of its operation; `undefined` where it has one, or the operation has none.
 *
 * @param has Whether the request has a field.
 * @returns The field that is missing, or that has no place beside `beside`.
 */
export function alternativeProblem(
  { oneOf = [] }: Pick<AnyOperation, 'oneOf'>,
  has: (field: string) => boolean,
): { readonly field: string; readonly beside?: string } | undefined {
  const [first] = oneOf
  if (first === undefined) return undefined
  const whole = oneOf.filter(({ needs }) => needs.every(has))
  const strays = whole.map(({ without = [] }) => without.find(has))
  if (strays.includes(undefined)) return undefined
  const [stray] = strays
  const beside = whole[0]?.needs[0]
  if (stray !== undefined && beside !== undefined) return { field: stray, beside }
  // The alternative of which most is there is the one that was meant.
  const counts = oneOf.map(({ needs }) => needs.filter(has).length)
  const meant = oneOf[counts.indexOf(Math.max(...counts))] ?? first
  return { field: meant.needs.find(field => !has(field)) ?? '' }
}

/**
 * The alternatives of an operation in words: `either a, b and c, or d`.
 *
 * @param nameOf What a field is called where the words are read. Default: its name in the request record.
 */
export function alternativesInWords(
  { oneOf = [] }: Pick<AnyOperation, 'oneOf'>,
  nameOf: (field: string) => string = field => field,
): string {
  return `either ${oneOf.map(({ needs }) => inWords(needs.map(nameOf))).join(', or ')}`
}

const inWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
