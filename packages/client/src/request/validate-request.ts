import {
  type AnyOperation,
  describeNoId,
  excessLength,
  isNoId,
  nearName,
  type WireProfile,
  wireNames,
} from '@tillkit/protocol'
import { controlItems, currencyDigits } from '@tillkit/signing'
import { checkAddress, isAddressName } from '../config/addresses.js'
import type { InvalidRequestError } from '../errors/errors.js'
import { invalidRequest, type RequestSubject } from '../errors/invalid-request.js'
import { checkAmounts } from './amounts.js'
import { checkCardNumbers } from './card-numbers.js'
import { textOf } from './form.js'
import type { FieldPlan, OperationPlan } from './operation-plan.js'
import { requiredProblem, undefinedProblem } from './presence.js'
import { type RequestForm, type RequestShape, recordOf } from './request-shape.js'
import { checkExtra, fieldSynonym } from './unknown-fields.js'

/** A request as it will be sent: text, trimmed, in the caller's order. */
export interface ValidRequest {
  /** The record's fields. */
  readonly values: RequestForm
  /** Other fields by wire name. */
  readonly extra: readonly (readonly [name: string, value: string])[]
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
  /** `amount` in minor units; `''` where there is none. */
  readonly minorUnits: string
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
export function validateRequest({ row, plan, request, profile }: CheckRequestInput): ValidRequest {
  const { name } = plan
  // A copy: getters are read once, so that what was checked is what is signed and sent.
  const given: Given = isRecord(request) ? { ...request } : {}
  const names = Object.keys(given)
  const whole = plan.shape(names)
  checkCardNumbers({ name, row }, { given, plan, fields: whole?.ids ?? names })
  const clientOrderId = textOrNothing(given.clientOrderId)
  const orderId = textOrNothing(given.orderId)
  const subject = { name, row, clientOrderId, orderId }
  if (!isRecord(request)) {
    throw invalidRequest(subject, {
      field: 'request',
      problem: 'the request must be an object with the record’s fields.',
    })
  }
  const values = readValues(subject, { given, plan, profile, whole })
  const { extra } = given
  const minorUnits = checkAmounts(subject, { values, profile })
  if (extra === undefined) return { values, extra: none, clientOrderId, orderId, minorUnits }
  const checked = checkExtra(subject, { extra, values, profile })
  for (const [wireName, value] of checked) {
    if (isAddressName(wireName)) checkAddress(subject, `extra.${wireName}`, value)
  }
  return { values, extra: checked, clientOrderId, orderId, minorUnits }
}

const none: readonly never[] = []

type Given = Readonly<Record<string, unknown>>

interface ValuesInput extends Pick<CheckRequestInput, 'plan' | 'profile'> {
  readonly given: Given
  /** The shape of all that was given, where it is nothing but fields of the record. */
  readonly whole: RequestShape | undefined
}

/** The record's fields as text, each checked for itself. */
function readValues(subject: RequestSubject, { given, plan, profile, whole }: ValuesInput): RequestForm {
  const all = Object.values(given)
  const isWhole = whole !== undefined && !all.includes(undefined)
  const shape = isWhole ? whole : shapeOfPart(subject, { given, plan })
  if (shape.problem !== undefined) throw invalidRequest(subject, shape.problem)
  const { fields, names } = shape
  const values = isWhole ? all : names.map(name => given[name])
  let mayBeTooLong = false
  const texts = fields.map((field, at) => {
    const text = readValue(subject, field, values[at])
    // Characters are never more than UTF-16 units, so most values need no counting.
    if (field.maxLength !== undefined && text.length > field.maxLength) mayBeTooLong = true
    return text
  })
  const read = { shape, texts }
  if (mayBeTooLong) checkLengths(subject, { values: read, profile })
  return read
}

/** The shape of what is there of a request, besides `extra`. */
function shapeOfPart(
  subject: RequestSubject,
  { given, plan }: { readonly given: Given; readonly plan: OperationPlan },
): RequestShape {
  const names = Object.keys(given).filter(name => {
    if (given[name] !== undefined) return name !== 'extra'
    const problem = undefinedProblem(subject, name)
    if (problem !== undefined) throw invalidRequest(subject, problem)
    return false
  })
  const shape = plan.shape(names)
  if (shape === undefined) throw unknownField(subject, { names, plan })
  return shape
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' ? value.trim() : undefined)

function unknownField(
  subject: RequestSubject,
  { names, plan }: { readonly names: readonly string[]; readonly plan: OperationPlan },
): InvalidRequestError {
  const field = names.find(name => name === 'login' || plan.field(name) === undefined) ?? ''
  if (field === 'login') {
    return invalidRequest(subject, { field, problem: '"login" is an option of createClient, not a field of requests.' })
  }
  const known = [...Object.keys(wireNames), ...Object.keys(subject.row.wireNames ?? {})].filter(
    each => each !== 'login',
  )
  const near = fieldSynonym(field) ?? nearName(field, known)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  return invalidRequest(subject, {
    field,
    problem: `it has no field "${field.slice(0, 60)}".${hint} Send fields this library does not know by their wire name in "extra".`,
  })
}

/** Besides ids and addresses these are never true or false either. */
const signedFields: ReadonlySet<string> = new Set(Object.values(controlItems).flat())

function readValue(subject: RequestSubject, known: FieldPlan, value: unknown): string {
  const { field, isAmount, isId, isAddress, isNeeded } = known
  if (typeof value !== 'string') return readOther(subject, known, value)
  // An amount is checked as it was written: what is wrong with it is for its writer to see.
  const text = isAmount ? value : trimmed(value)
  if (isId) checkId(subject, field, text)
  if (isAddress) checkAddress(subject, field, text)
  if (isNeeded && text === '') {
    throw invalidRequest(subject, { field, problem: requiredProblem(field, 'empty', subject.row) })
  }
  return text
}

/** Most texts have nothing to trim, and two looks are faster than to call. */
function trimmed(text: string): string {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1)) ? text : text.trim()
}

/** Of ASCII; no number at all is that of a character that is not there. */
const isVisible = (code: number): boolean => code > 0x20 && code < 0x7f

function readOther(subject: RequestSubject, { field, isAmount, isId, isAddress }: FieldPlan, value: unknown): string {
  const isNeverOne = isId || isAddress || signedFields.has(field)
  if (typeof value === 'boolean' && !isNeverOne) return String(value)
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
  throw invalidRequest(subject, { field, problem: `"${field}" is ${found}. ${cure}` })
}

/** Ids without which status would be asked about something else. */
const searchedBy = ['clientOrderId', 'orderId', 'byRequestSn']

/** An id with a line break in it is found by nobody: not in a log, not in a status reply that leaves it out. */
function checkId(subject: RequestSubject, field: string, text: string): void {
  if (text === '' && searchedBy.includes(field) && !subject.row.required.includes(field)) {
    throw invalidRequest(subject, { field, problem: `"${field}" is empty. Leave it out where it is not known.` })
  }
  if (text !== '' && isNoId(text)) {
    throw invalidRequest(subject, { field, problem: `"${field}" is ${describeNoId(text)}. Look where it comes from.` })
  }
  if (!hasControlCharacter(text)) return
  throw invalidRequest(subject, {
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

function checkLengths(
  subject: RequestSubject,
  { values, profile }: { readonly values: RequestForm; readonly profile: WireProfile },
): void {
  for (const [field, value] of Object.entries(recordOf(values))) {
    const excess = excessLength({ field, value }, { operation: subject.row, profile })
    if (excess === undefined) continue
    throw invalidRequest(subject, {
      field,
      problem: `"${field}" has ${excess.length} characters; the gateway takes ${excess.most}. Where yours takes more, say so with defineProfile({ maxLengths }) or operationMaxLengths.${field === 'amount' ? withoutDecimals(values, value) : ''}`,
    })
  }
}

/** What else to do about a long amount whose decimals are zeros, such as 10000000.00 IDR. */
function withoutDecimals(values: RequestForm, amount: string): string {
  const [whole = '', zeros] = amount.split('.')
  const currency = textOf(values, 'currency') ?? ''
  if (zeros === undefined || !/^0+$/.test(zeros) || currencyDigits(currency) === undefined) return ''
  return ` Where it counts ${currency} without decimals, say that with defineProfile({ currencyDigits: { ${currency}: 0 } }) and write "${whole}".`
}
