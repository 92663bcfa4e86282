import {
  type AnyOperation,
  cardFieldOf,
  carriesLogin,
  describeNoId,
  describeValue,
  excessLength,
  fieldKind,
  isNoId,
  maxLength,
  operations,
  resolveSigning,
  type WireProfile,
  wireName,
} from '@tillkit/protocol'
import { controlItems, currencyDigits } from '@tillkit/signing'
import { addressProblem } from '../config/addresses.js'
import { oncePer } from '../config/lazy.js'
import { InvalidRequestError } from '../errors/errors.js'
import { invalidRequest, type RequestSubject } from '../errors/messages.js'
import { checkAmounts, presenceProblem, refuseCardNumbers, requiredProblem, undefinedProblem } from './field-rules.js'
import { textOf } from './form.js'
import type { FieldPlan, Form, FormField, OperationPlan, ValidRequest } from './types.js'
import { checkExtra, unknownField } from './unknown-fields.js'

type Given = Readonly<Record<string, unknown>>

/**
 * Checks a request and turns it into text. Values are trimmed, for the service ignores white space at their ends.
 *
 * @see Interface specification, sections 2 and 4
 */
export function validateRequest(plan: OperationPlan, request: unknown): ValidRequest {
  const { name, row, profile } = plan
  // A copy: getters are read once, so that what was checked is what is signed and sent.
  const given: Given = isRecord(request) ? { ...request } : {}
  refuseCardNumbers(plan, given)
  const clientOrderId = textOrNothing(given.clientOrderId)
  const orderId = textOrNothing(given.orderId)
  const subject = { name, row, clientOrderId, orderId }
  if (!isRecord(request)) {
    throw invalidRequest(subject, {
      field: 'request',
      problem: 'the request must be an object with the record’s fields.',
    })
  }
  const names = Object.keys(given)
  checkFields(subject, plan, given)
  const values: FormField[] = []
  let mayBeTooLong = false
  for (const each of names) {
    const known = plan.field(each)
    if (known === undefined || given[each] === undefined) continue
    const { name: wireName, field, shownAs, maxLength } = known
    const value = readValue(subject, known, given[each])
    // Characters are never more than UTF-16 units, so most values need no counting.
    mayBeTooLong ||= maxLength !== undefined && value.length > maxLength
    values.push({ name: wireName, value, field, shownAs })
  }
  if (mayBeTooLong) checkLengths(subject, values, profile)
  const minorUnits = checkAmounts(subject, values, profile)
  const extra = given.extra === undefined ? [] : checkExtra(subject, given.extra, values, plan)
  return { subject, values, extra, minorUnits }
}

/** Checks that the operation has every field of a request, and the request every field that the operation needs. */
function checkFields(subject: RequestSubject, plan: OperationPlan, given: Given): void {
  for (const name of Object.keys(given)) {
    const problem =
      given[name] === undefined
        ? undefinedProblem(subject, name)
        : name === 'extra' || plan.field(name) !== undefined
          ? undefined
          : unknownField(subject.row, name)
    if (problem !== undefined) throw invalidRequest(subject, problem)
  }
  const problem = presenceProblem(subject, field => given[field] !== undefined)
  if (problem !== undefined) throw invalidRequest(subject, problem)
}

function isRecord(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' ? value.trim() : undefined)

/** Besides ids and addresses these are never true or false either. */
const signedFields: ReadonlySet<string> = new Set(Object.values(controlItems).flat())

function readValue(subject: RequestSubject, known: FieldPlan, value: unknown): string {
  const { field, kind, isNeeded } = known
  if (typeof value !== 'string') return readOther(subject, known, value)
  // An amount is checked as it was written: its writer must see what is wrong with it.
  const text = kind === 'amount' ? value : value.trim()
  if (kind === 'id') checkId(subject, field, text)
  const wrong = kind === 'address' ? addressProblem(text) : undefined
  if (wrong !== undefined) throw invalidRequest(subject, { field, problem: `"${field}" ${wrong}` })
  if (isNeeded && text === '') {
    throw invalidRequest(subject, { field, problem: requiredProblem(field, 'empty', subject.row) })
  }
  return text
}

function readOther(subject: RequestSubject, { field, kind }: FieldPlan, value: unknown): string {
  const isNeverOne = kind === 'id' || kind === 'address' || signedFields.has(field)
  if (typeof value === 'boolean' && !isNeverOne) return String(value)
  const [found, cure] =
    value === null
      ? ['null', 'Leave the field out instead.']
      : value instanceof Date
        ? ['a Date', 'Write it as a string, a day as YYYYMMDD.']
        : [
            Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`,
            'Write it as a string.',
          ]
  const ofAmounts = 'Write amounts as decimal strings in major units, such as "10.00": a number loses digits.'
  throw invalidRequest(subject, { field, problem: `"${field}" is ${found}. ${kind === 'amount' ? ofAmounts : cure}` })
}

/** Ids without which status would be asked about something else. */
const searchedBy = ['clientOrderId', 'orderId', 'byRequestSn']

/** An id with a line break in it is not found again: not in a log, not in a status reply that leaves it out. */
function checkId(subject: RequestSubject, field: string, text: string): void {
  if (text === '' && searchedBy.includes(field) && !subject.row.required.includes(field)) {
    throw invalidRequest(subject, { field, problem: `"${field}" is empty. Leave it out where it is not known.` })
  }
  if (text !== '' && isNoId(text)) {
    throw invalidRequest(subject, { field, problem: `"${field}" is ${describeNoId(text)}. Look where it comes from.` })
  }
  if (!/\p{Cc}/u.test(text)) return
  throw invalidRequest(subject, {
    field,
    problem: `"${field}" has a line break, a tab or another control character in it. Ids are printable text.`,
  })
}

function checkLengths(subject: RequestSubject, values: Form, profile: WireProfile): void {
  for (const { field = '', value } of values) {
    const excess = excessLength({ field, value }, { operation: subject.row, profile })
    if (excess === undefined) continue
    throw invalidRequest(subject, {
      field,
      problem:
        `"${field}" has ${excess.length} characters; the gateway takes ${excess.most}. ` +
        'Where yours takes more, say so with defineProfile({ maxLengths }) or operationMaxLengths.' +
        `${field === 'amount' ? withoutDecimals(values, value) : ''}`,
    })
  }
}

/** What else to do about a long amount whose decimals are zeros, such as 10000000.00 IDR. */
function withoutDecimals(values: Form, amount: string): string {
  const [whole = '', zeros] = amount.split('.')
  const currency = textOf(values, 'currency') ?? ''
  if (zeros === undefined || !/^0+$/.test(zeros) || currencyDigits(currency) === undefined) return ''
  return (
    ` Where it counts ${currency} without decimals, ` +
    `say that with defineProfile({ currencyDigits: { ${currency}: 0 } }) and write "${whole}".`
  )
}

/**
 * What is known of an operation under a profile. Worked out once for a row that is frozen, as those of the table and of
 * `operation()` are: what is not frozen may say something else next time.
 */
export function operationPlan(row: AnyOperation, profile: WireProfile): OperationPlan {
  const isFrozen = Object.isFrozen(row) && Object.isFrozen(profile)
  return isFrozen ? plansOf(profile)(row) : makePlan(row, profile)
}

const plansOf = /* @__PURE__ */ oncePer((profile: WireProfile) =>
  oncePer((row: AnyOperation) => makePlan(row, profile)),
)

function makePlan(row: AnyOperation, profile: WireProfile): OperationPlan {
  const source = { operation: row, profile }
  const fields = new Map<string, FieldPlan>()
  // A row that was not made with `operation()` may hold characters in its path that are sent encoded.
  const { pathname, search } = new URL(row.path, 'https://gate.example')
  const isOfAlternative = (asked: string) => row.oneOf?.some(({ needs }) => needs.includes(asked)) === true
  return {
    row,
    profile,
    name: Object.entries(operations).find(([, each]) => (each as AnyOperation) === row)?.[0] ?? row.name,
    signing: resolveSigning(row, profile),
    path: `${pathname}${search}`,
    carriesLogin: carriesLogin(source),
    field(asked) {
      const known = fields.get(asked)
      if (known !== undefined) return known
      // The login is an option of the client. `extra` is no field either, even if an operation of the user's own gives it a wire name.
      const name = asked === 'login' || asked === 'extra' ? undefined : wireName(asked, source)
      if (name === undefined) return undefined
      const plan = {
        name,
        field: asked,
        shownAs: cardFieldOf(name) ?? asked,
        kind: fieldKind(asked),
        isNeeded: row.required.includes(asked) || isOfAlternative(asked),
        maxLength: maxLength(asked, source),
      }
      fields.set(asked, plan)
      return plan
    },
  }
}

/** Checks what `client.send` is handed as an operation, for users without types. */
export function checkedOperation(row: AnyOperation): AnyOperation {
  const { path, signing, effect, required }: { readonly [Part in keyof AnyOperation]?: unknown } = row ?? {}
  const isEffect = effect === 'creates' || effect === 'changes' || effect === 'reads'
  const isOne = typeof path === 'string' && typeof signing === 'object' && isEffect && Array.isArray(required)
  if (isOne) return row
  throw new InvalidRequestError(
    `Nothing was sent: the first argument of client.send is ${describeValue(row)} and no operation. Pass what ` +
      'operation({ … }) returns, or one of "operations", such as operations.sale.',
    { operation: 'send', field: 'operation' },
  )
}
