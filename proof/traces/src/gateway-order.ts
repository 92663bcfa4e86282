/**
 * Judges what was sent by all processes together against the gateway's log and books. Its order is its log: each request that creates or
 * changes and that arrived was sent by one effect, and each effect was sent once at most. An effect without an answer may have arrived or
 * not: the log says which. What was answered is what the log says; status says what the books had between question and answer.
 *
 * @module
 */
import { type AnyOperation, operations, type StatusResponse } from '@tillkit/protocol'
import { requestOf } from '../../../packages/till/src/engine/run.js'
import type { Answer } from '../../../packages/till/src/rules/answer.js'
import type { KnownAttempt } from '../../../packages/till/src/state/known.js'
import type { BookedLine, BookedStage, LoggedLine } from './lines.js'
import { type LivedRun, type LivedStep, Refused } from './replay.js'
import type { Trace } from './trace.js'

/** A request that a run sends. */
interface Sending {
  readonly attempt: KnownAttempt
  readonly start: LivedStep
  /** The step at which its end was heard; undefined: nobody heard it. */
  readonly heard: LivedStep | undefined
}

const refuse = (message: string): never => {
  throw new Refused('gateway', message)
}

type Books = Pick<Trace, 'booked' | 'logged' | 'slack'>

/** @throws {Refused} where no gateway could have answered so, or a request was sent twice. */
export function judgeGateway(books: Books, runs: readonly LivedRun[]): void {
  const steps = runs.flatMap(({ steps }) => steps.map((start, place) => ({ start, heard: steps[place + 1] })))
  judgeRequests(
    books,
    steps.flatMap(({ start, heard }) =>
      start.effect.kind === 'request' ? [{ attempt: requestOf(start.run, start.effect), start, heard }] : [],
    ),
  )
  for (const { start, heard } of steps)
    if (start.effect.kind === 'ask' && heard?.event.kind === 'asked')
      judgeStatus(books, { answer: heard.event.answer, start, heard })
}

/** Finds, for each request that arrived, the effect that sent it. */
function judgeRequests(books: Books, sendings: readonly Sending[]): void {
  const arrived = books.logged.filter(({ operation }) => effectOf(operation) !== 'reads')
  const left = new Set(arrived)
  const open: Sending[] = []
  for (const each of sendings) {
    const { event } = each.heard ?? {}
    const end = event?.kind === 'sent' ? event.end : undefined
    if (end?.kind === 'not-sent') continue
    if (end?.serialNumber === undefined) {
      open.push(each)
      continue
    }
    const { serialNumber } = end
    const entry =
      [...left].find(({ reply }) => reply?.['serial-number'] === serialNumber) ??
      refuse(`${textOf(each)} was answered with ${serialNumber}, which the log has not.`)
    if (!mayBe(each, entry, books)) refuse(`${textOf(each)} was answered with what another request was.`)
    const { reply = {} } = entry
    const isTaken = reply['error-code'] === undefined
    const [orderId, redirectUrl] = [reply['paynet-order-id'], reply['redirect-url']]
    if (end.kind === 'accepted' && !isTaken) refuse(`${textOf(each)} was heard as accepted, and was refused.`)
    if (end.kind === 'refused' && isTaken) refuse(`${textOf(each)} was heard as refused, and was accepted.`)
    if (end.orderId !== undefined && end.orderId !== orderId) refuse(`${textOf(each)} was heard of another order.`)
    if (end.redirectUrl !== undefined && end.redirectUrl !== redirectUrl) refuse(`${textOf(each)} has another form.`)
    left.delete(entry)
  }
  // Both ways: what has arrived of these is in the log.
  matchAll([...left], open, books)
}

/** @throws {Refused} where a request that has arrived was sent by nobody, or by one that has another one. */
function matchAll(entries: readonly LoggedLine[], sendings: readonly Sending[], books: Books): void {
  const owner = new Map<Sending, LoggedLine>()
  const find = (entry: LoggedLine, seen: Set<Sending>): boolean =>
    sendings.some(each => {
      if (seen.has(each) || !mayBe(each, entry, books)) return false
      seen.add(each)
      const other = owner.get(each)
      if (other !== undefined && !find(other, seen)) return false
      owner.set(each, entry)
      return true
    })
  for (const entry of entries)
    if (!find(entry, new Set()))
      refuse(
        `Request ${entry.number}, ${entry.operation} of ${entry.clientOrderId ?? entry.orderId}, was sent by nobody.`,
      )
}

/** Whether an effect may have sent a request. One that is not answered may arrive long after its sender has given up. */
function mayBe({ attempt, start, heard }: Sending, entry: LoggedLine, { booked, slack }: Books): boolean {
  const { clientOrderId, orderId, amount } = entry
  const isAnswered = heard?.event.kind === 'sent' && heard.event.end.kind !== 'unknown'
  const id = clientOrderId ?? booked.find(each => each.orderId === orderId)?.clientOrderId
  const isSame = (one: string | undefined, other: string | undefined): boolean =>
    one === undefined || other === undefined || one === other
  return (
    attempt.operation === entry.operation &&
    isSame(attempt.clientOrderId, id) &&
    isSame(attempt.orderId, orderId) &&
    isSame(attempt.amount, amount) &&
    start.line.now - slack <= entry.at &&
    (!isAnswered || entry.at <= heard.line.now + slack)
  )
}

interface Asking {
  readonly answer: Answer
  readonly start: LivedStep
  readonly heard: LivedStep
}

function judgeStatus({ booked, logged, slack }: Books, { answer, start, heard }: Asking): void {
  const { question } = answer
  // A millisecond is a thousand lines, where processes have a clock in common.
  const [from, until] = [start.line.t - 1_000 * slack, heard.line.t + 1_000 * slack] as const
  const name = `the question about ${question.clientOrderId} in step ${heard.line.nth} of ${heard.line.run}`
  if (answer.kind === 'no-answer') return
  const entries = logged.filter(
    each =>
      each.operation === 'status' &&
      each.clientOrderId === question.clientOrderId &&
      each.bySerialNumber === question.bySerialNumber &&
      start.line.now - slack <= each.at &&
      each.at <= heard.line.now + slack,
  )
  if (answer.kind === 'reply') {
    const { reply } = answer
    if (!entries.some(each => isReply(each, reply))) refuse(`No status was answered so to ${name}.`)
    if (!isBooked(reply, question.bySerialNumber, booked, [from, until]))
      refuse(`The books had nothing like ${reply.status} for ${name}.`)
    return
  }
  const isRefused = ({ reply }: LoggedLine): boolean =>
    reply?.['error-code'] !== undefined && (answer.kind !== 'refused' || reply['error-code'] === answer.errorCode)
  if (!entries.some(isRefused)) refuse(`No status was refused so to ${name}.`)
  const isThere = booked.some(each => each.clientOrderId === question.clientOrderId && each.t < from)
  if (answer.kind === 'never-seen' && isThere) refuse(`The gateway had the order, and denied it to ${name}.`)
}

/** Fields of a status reply, and their names in the log. */
const shown = {
  serialNumber: 'serial-number',
  clientOrderId: 'merchant-order-id',
  orderId: 'paynet-order-id',
  status: 'status',
  amount: 'amount',
  currency: 'currency',
  transactionType: 'transaction-type',
  orderStage: 'order-stage',
  approvalCode: 'approval-code',
  processorRrn: 'processor-rrn',
  byRequestSn: 'by-request-sn',
  errorCode: 'error-code',
} as const satisfies Partial<Record<keyof StatusResponse, string>>

const isReply = ({ reply = {} }: LoggedLine, said: StatusResponse): boolean =>
  Object.entries(shown).every(([field, name]) => Reflect.get(said, field) === reply[name])

/** Whether the books had that stage so at some moment between the two. */
function isBooked(
  { clientOrderId, status, amount }: StatusResponse,
  bySerialNumber: string | undefined,
  booked: readonly BookedLine[],
  [from, until]: readonly [number, number],
): boolean {
  const own = booked.filter(each => each.clientOrderId === clientOrderId && each.t <= until)
  const first = own.findLastIndex(({ t }) => t <= from)
  const isSo = ({ stages }: BookedLine): boolean => {
    const stage: BookedStage | undefined =
      bySerialNumber === undefined
        ? stages.at(-1)
        : stages.find(({ serialNumbers }) => serialNumbers.includes(bySerialNumber))
    return stage?.status === status && (amount === undefined || stage.amount === amount)
  }
  return own.slice(Math.max(0, first)).some(isSo)
}

const effectOf = (name: string): AnyOperation['effect'] | undefined =>
  (operations as Readonly<Record<string, AnyOperation>>)[name]?.effect

const textOf = ({ attempt: { operation, clientOrderId, reservation } }: Sending): string =>
  `${operation} of ${clientOrderId} (${reservation})`
