import type { ResolvedSigning } from '@tillkit/protocol'
import { type Parameter, parseAuthorizationHeader } from '@tillkit/signing'
import type { FaultName } from '../faults/fault-table.js'
import type { GatewayRequest } from '../http/message.js'
import type { ComparedSignature } from '../replies/refusal.js'
import { type Reply, type ReplyPairs, replyText } from '../replies/reply.js'
import type { FakeClock } from '../time/clock.js'
import { createRing } from '../time/ring.js'
import { maskValue, publicOAuthParameters, type Redaction, redactParameters, redactText } from './redact.js'

/** One request and what became of it. Holds no card number beyond 6 + 4, CVV, expiry, control value, signature or key. */
export interface Call {
  /** 1 for the gateway's first; it goes on after a reset. */
  readonly number: number
  /** When it came, in milliseconds since the epoch, on the gateway's clock. */
  readonly at: number
  /** Milliseconds on the gateway's clock until it was answered, what a fault makes of that included. */
  readonly duration: number
  /** Name of the operation; undefined when the path belongs to none. */
  readonly operation: string | undefined
  readonly path: string
  readonly scheme: ResolvedSigning['scheme'] | undefined
  /** Of an OAuth request: what its signature covers besides the body. */
  readonly oauth?: SentOAuth
  /** Body parameters, redacted, in the order they came. */
  readonly fields: readonly Parameter[]
  readonly verdict: 'accepted' | 'refused'
  /** Why it was refused. */
  readonly explanation?: string
  /** Of a signature that does not match: both sides, redacted. Absent where the request is too long to be searched. */
  readonly compared?: ComparedSignature
  /** Fields that public documents call required and the request lacks, and a merchant order id that was used before. */
  readonly warnings?: readonly string[]
  /** The fault that struck it. */
  readonly fault?: FaultName
  /** Absent when the connection broke without an answer. */
  readonly httpStatus?: number
  /** Reply under wire names, redacted. */
  readonly reply?: Readonly<Record<string, string>>
}

/** What an OAuth request carries outside its body. */
export interface SentOAuth {
  /** Scheme and host it was sent to. */
  readonly origin: string
  /** Parameters of the `Authorization` header, the signature hidden. */
  readonly parameters: readonly Parameter[]
}

export type CallLog = ReturnType<typeof createCallLog>

export function createCallLog(size: number) {
  const calls = createRing<Call>(size)
  let count = 0
  return {
    add(call: Omit<Call, 'number'>): void {
      count += 1
      calls.add(Object.freeze({ number: count, ...call }))
    },
    list: (operation?: string): readonly Call[] =>
      calls.list().filter(call => operation === undefined || call.operation === operation),
    clear: calls.clear,
  }
}

type Said = 'operation' | 'scheme' | 'warnings' | 'explanation' | 'compared' | 'fault'

interface CallRecord
  extends Pick<Call, 'at' | 'path'>,
    Readonly<Partial<{ [Field in Said]: Call[Field] | undefined }>> {
  /** Milliseconds that a fault puts off the end of the answer. Default: 0. */
  readonly delay?: number | undefined
  readonly parameters?: readonly Parameter[]
  /** Absent where the path belongs to no operation. */
  readonly request?: Pick<GatewayRequest, 'headers' | 'url'>
  readonly reply?: Reply | undefined
}

interface CallLogger {
  readonly log: CallLog
  readonly clock: FakeClock
  readonly settings: { readonly redaction: Redaction; readonly warn: (text: string) => void }
}

export function logCall(record: CallRecord, { log, clock, settings }: CallLogger): void {
  const { at, delay = 0, operation, scheme, parameters = [], warnings = [] } = record
  const { explanation, compared, reply, fault } = record
  const { redaction } = settings
  const oauth = readOAuth(record, redaction)
  log.add({
    at,
    duration: clock.now() - at + delay,
    operation,
    path: redactText(record.path, redaction),
    scheme,
    fields: redactParameters(parameters, redaction),
    ...(oauth === undefined ? {} : { oauth }),
    verdict: explanation === undefined ? 'accepted' : 'refused',
    ...(explanation === undefined ? {} : { explanation: redactText(explanation, redaction) }),
    ...(compared === undefined ? {} : { compared: redactCompared(compared, redaction) }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(fault === undefined ? {} : { fault }),
    ...(reply === undefined ? {} : { httpStatus: reply.status, reply: shownReply(reply.pairs, redaction) }),
  })
  if (warnings.length > 0) settings.warn(`${operation}, said once: ${warnings.join('. ')}.`)
}

function redactCompared({ lines, ...said }: ComparedSignature, redaction: Redaction): ComparedSignature {
  const shown = lines.map(({ name, ours, theirs, ...line }) => ({
    name: redactText(name, redaction),
    ...(ours === undefined ? {} : { ours: maskValue([name, ours], redaction) }),
    ...(theirs === undefined ? {} : { theirs: maskValue([name, theirs], redaction) }),
    ...line,
  }))
  const texts = Object.entries(said).map(([name, text]) => [name, redactText(text, redaction)])
  return { lines: shown, ...Object.fromEntries(texts) }
}

const shownReply = (pairs: ReplyPairs, redaction: Redaction): Readonly<Record<string, string>> =>
  Object.fromEntries(
    redactParameters(
      pairs.map(([name, value]): Parameter => [name, replyText(value)]),
      redaction,
    ),
  )

function readOAuth({ scheme, request }: CallRecord, redaction: Redaction): SentOAuth | undefined {
  const { authorization } = request?.headers ?? {}
  if (scheme === 'control' || request === undefined || authorization === undefined) return undefined
  const header = parseAuthorizationHeader(authorization)
  if (header === undefined) return undefined
  const parameters = header.parameters.map(
    ([name, value]): Parameter =>
      publicOAuthParameters.has(name)
        ? [name, redactText(value, redaction)]
        : [redactText(name, redaction), '<hidden>'],
  )
  return { origin: request.url.origin, parameters }
}
