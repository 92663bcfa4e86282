/**
 * Input checks: what would cost money or time to learn from the gateway is found before anything is reserved or sent.
 *
 * @module
 */
import { type AnyOperation, excessLength, type WireProfile, wireNames } from '@tillkit/protocol'
import { controlItems } from '@tillkit/signing'
import type { FormField } from './build-request.js'
import { checkAddresses } from './check-addresses.js'
import { checkAmounts, refuseUndefined } from './check-amounts.js'
import { checkCardNumbers } from './check-card-numbers.js'
import { checkExtra } from './check-extra.js'
import type { InvalidRequestError } from './errors.js'
import { fieldSynonym } from './field-synonyms.js'
import { type FieldTexts, textOf } from './field-texts.js'
import { nearName } from './near-name.js'
import type { OperationPlan } from './operation-plan.js'
import { type RequestSubject, requestMistake } from './request-mistake.js'

/** A request as it will be sent: text, trimmed, in the caller's order. */
export interface CheckedRequest {
  /** Under the names of the record. */
  readonly values: FieldTexts
  /** The same as fields of a form. */
  readonly form: readonly FormField[]
  /** Other fields by wire name. */
  readonly extra: readonly (readonly [name: string, value: string])[]
}

/** What to check. */
export interface CheckRequestInput {
  readonly row: AnyOperation
  readonly plan: OperationPlan
  readonly request: unknown
  readonly profile: WireProfile
}

/**
 * Checks a request and turns it into text. Values are trimmed, for the service ignores white space at their ends.
 *
 * @throws {@link InvalidRequestError} naming the field and the cure.
 * @see Interface specification, sections 2 and 4
 */
export function checkRequest({ row, plan, request, profile }: CheckRequestInput): CheckedRequest {
  // A copy: getters are read once, so that what was checked is what is signed and sent.
  const given: Readonly<Record<string, unknown>> = isRecord(request) ? { ...request } : {}
  checkCardNumbers({ name: plan.name, row }, { given, plan })
  const subject = {
    name: plan.name,
    row,
    clientOrderId: textOrNothing(given.clientOrderId),
    orderId: textOrNothing(given.orderId),
  }
  if (!isRecord(request)) {
    throw requestMistake(subject, {
      field: 'request',
      problem: 'the request must be an object with the record’s fields.',
    })
  }
  const { extra } = given
  const [fields, texts, form]: [string[], string[], FormField[]] = [[], [], []]
  let mayBeTooLong = false
  for (const field of Object.keys(given)) {
    const value = given[field]
    if (field === 'extra') continue
    if (value === undefined) {
      refuseUndefined(subject, field)
      continue
    }
    const known = plan.field(field)
    if (known === undefined || field === 'login') throw unknownField(subject, field)
    const text = readValue(subject, field, value)
    if (known.isId) checkId(subject, field, text)
    fields.push(field)
    texts.push(text)
    form.push({ name: known.wireName, value: text, field: known.cardField ?? field, head: known.head })
    // Characters are never more than UTF-16 units, so most values need no counting.
    if (known.maxLength !== undefined && text.length > known.maxLength) mayBeTooLong = true
  }
  const values = { fields, texts }
  checkRequired(subject, values)
  if (mayBeTooLong) checkLengths(subject, { values, profile })
  checkAmounts(subject, { values, profile })
  const checked = { values, form, extra: checkExtra(subject, { extra, values, profile }) }
  checkAddresses(subject, checked)
  return checked
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' ? value.trim() : undefined)

function unknownField(subject: RequestSubject, field: string): InvalidRequestError {
  if (field === 'login') {
    return requestMistake(subject, { field, problem: '"login" is an option of createClient, not a field of requests.' })
  }
  const known = [...Object.keys(wireNames), ...Object.keys(subject.row.wireNames ?? {})].filter(
    each => each !== 'login',
  )
  const near = fieldSynonym(field) ?? nearName(field, known)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  return requestMistake(subject, {
    field,
    problem: `it has no field "${field.slice(0, 60)}".${hint} Send fields this library does not know by their wire name in "extra".`,
  })
}

/** Ids, amounts and the like are never true or false. */
const signedFields: ReadonlySet<string> = new Set(Object.values(controlItems).flat())

function readValue(subject: RequestSubject, field: string, value: unknown): string {
  const isAmount = field.startsWith('amount')
  // An amount is checked as it was written: what is wrong with it is for its writer to see.
  if (typeof value === 'string') return isAmount ? value : value.trim()
  if (typeof value === 'boolean' && !signedFields.has(field)) return String(value)
  const found =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : value instanceof Date
          ? 'a Date'
          : typeof value === 'object'
            ? 'an object'
            : `a ${typeof value}`
  const cure = isAmount
    ? 'Write amounts as decimal strings in major units, such as "10.00": a number loses digits.'
    : value === null
      ? 'Leave the field out instead.'
      : value instanceof Date
        ? 'Write it as a string, a day as YYYYMMDD.'
        : 'Write it as a string.'
  throw requestMistake(subject, { field, problem: `"${field}" is ${found}. ${cure}` })
}

/** An id with a line break in it is found by nobody: not in a log, not in a status reply that leaves it out. */
function checkId(subject: RequestSubject, field: string, text: string): void {
  if (!hasControlCharacter(text)) return
  throw requestMistake(subject, {
    field,
    problem: `"${field}" has a line break, a tab or another control character in it. Ids are printable text.`,
  })
}

/** A loop, which is faster than the pattern `\p{Cc}`. */
function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true
  }
  return false
}

function checkRequired(subject: RequestSubject, values: FieldTexts): void {
  const { required } = subject.row
  for (const field of required) {
    const value = textOf(values, field)
    if (value !== undefined && value !== '') continue
    const found = value === undefined ? 'missing' : 'empty'
    const problem = `"${field}" is ${found}. Set it: the operation needs ${required.join(', ')}.`
    throw requestMistake(subject, { field, problem })
  }
  for (const field of ['clientOrderId', 'orderId', 'byRequestSn']) {
    if (textOf(values, field) !== '') continue
    throw requestMistake(subject, { field, problem: `"${field}" is empty. Leave it out where it is not known.` })
  }
}

function checkLengths(
  subject: RequestSubject,
  { values, profile }: { readonly values: FieldTexts; readonly profile: WireProfile },
): void {
  for (const [at, field] of values.fields.entries()) {
    const value = values.texts[at] ?? ''
    const excess = excessLength({ field, value }, { operation: subject.row, profile })
    if (excess === undefined) continue
    throw requestMistake(subject, {
      field,
      problem: `"${field}" has ${excess.length} characters; the gateway takes ${excess.most}. Where yours takes more, say so with defineProfile({ maxLengths }) or operationMaxLengths.`,
    })
  }
}
