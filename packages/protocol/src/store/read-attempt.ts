/**
 * Attempts that were kept: a store is somebody else's code, and writes null where nothing was.
 *
 * @module
 */

import { noIdAmong, notText, withoutNulls } from '../reply/without-nulls.js'
import type { Attempt, AttemptEnd, RememberedAttempt, StatusSnapshot } from './attempt.js'

/**
 * Reads an attempt that was kept. A field that is null is absent, in `end` and `baseline` too.
 *
 * @returns The very attempt where nothing in it is null.
 * @throws {TypeError} when it is no attempt, naming the field that shows it. An amount that is a number is refused, since it
 * lost digits.
 */
export function readAttempt(stored: RememberedAttempt): RememberedAttempt {
  if (typeof stored !== 'object' || stored === null) throw notAnAttempt('it is no object')
  const attempt = withoutNulls(stored)
  const { effect, stages, end, baseline } = attempt
  if (effect !== 'creates' && effect !== 'changes') throw notAnAttempt('"effect" is neither "creates" nor "changes"')
  if (!Array.isArray(stages)) throw notAnAttempt('"stages" is no list')
  const missing = required.find(field => attempt[field] === undefined)
  if (missing !== undefined) throw notAnAttempt(`"${missing}" is missing`)
  checkTexts('', attempt, texts)
  checkIds('', attempt)
  const read = { end: readPart('end', end, endTexts), baseline: readPart('baseline', baseline, baselineTexts) }
  if (read.end === end && read.baseline === baseline) return attempt
  return { ...attempt, ...withoutUndefined(read) }
}

const required = ['attemptId', 'operation', 'login', 'baseUrl'] as const satisfies readonly (keyof Attempt)[]

const texts = [
  ...required,
  'endpointId',
  'endpointGroupId',
  'clientOrderId',
  'orderId',
  'amount',
  'currency',
  'fingerprint',
] satisfies (keyof Attempt)[]

const endTexts = ['kind', 'basis', 'note', 'orderId', 'serialNumber', 'connection'] satisfies (keyof AttemptEnd)[]

const baselineTexts = [
  'status',
  'outcome',
  'stage',
  'amount',
  'currency',
  'serialNumber',
] satisfies (keyof StatusSnapshot)[]

function readPart<Part extends object>(name: string, part: Part | undefined, fields: readonly string[]) {
  if (part === undefined) return undefined
  if (typeof part !== 'object') throw notAnAttempt(`"${name}" is a ${typeof part}`)
  const read = withoutNulls(part)
  checkTexts(`${name}.`, read, fields)
  checkIds(`${name}.`, read)
  return read
}

function checkTexts(prefix: string, of: object, fields: readonly string[]): void {
  const wrong = notText(of, fields)
  if (wrong !== undefined) throw notAnAttempt(`"${prefix}${wrong.field}" is ${wrong.found} and no text`)
}

function checkIds(prefix: string, of: object): void {
  const wrong = noIdAmong(of, ['attemptId', 'clientOrderId', 'orderId', 'serialNumber'])
  if (wrong !== undefined) throw notAnAttempt(`"${prefix}${wrong.field}" is ${wrong.found}`)
}

const notAnAttempt = (why: string): TypeError =>
  new TypeError(
    `What was kept is no attempt: ${why}. Hand over "attempt" of an OutcomeUnknownError, or one as it was reserved.`,
  )

const withoutUndefined = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
