import type { RawReply, ReplyField, Scrubber, WireProfile } from '@tillkit/protocol'
import { mediaType } from '../request/form.js'
import type { RawAnswer } from '../transport/types.js'
import { type FlatForm, readFlatForm, typeOfForm } from './form-reply.js'

/** A reply under its wire names, or why there is none; `problem` completes "the answer …". */
export type ParsedReply =
  | { readonly kind: 'reply'; readonly raw: RawReply }
  | { readonly kind: 'unreadable'; readonly problem: string }

interface ParseOptions {
  readonly scrubber: Scrubber
  readonly profile: WireProfile
  /** Wire names that an operation of your own adds to those of the profile. */
  readonly ownNames?: readonly string[]
}

/**
 * Parses an answer. Numbers become their digits as text, `true` and `false` text, null is left out.
 *
 * Refused are other media types, compressed bodies, bodies over the limit, text that is not UTF-8 or not one JSON object,
 * nested values and repeated keys: to read such a reply is to guess.
 */
export function parseReply(answer: RawAnswer, options: ParseOptions): ParsedReply {
  const { scrubber, profile } = options
  const { headers, body, isTooLong } = answer
  const type = headerText(headers['content-type'])
  const form = isMediaType(type, formType) ? formIn(answer) : undefined
  const isTaken = isMediaType(type) || (form !== undefined && profile.formReplies.value)
  if (!isTaken) {
    return unreadable(form !== undefined && isOfRecord(answer, profile) ? formUnasked : notOurs(type, scrubber))
  }
  if (isEncoded(answer)) return unreadable('is compressed, which was not asked for')
  if (isTooLong) return unreadable('is longer than "maxReplyBytes" allows')
  if (form !== undefined) return judgeForm(form, options)
  const text = decode(body)
  if (text === undefined) return unreadable('is not UTF-8')
  const raw = readFlatJson(text)
  return raw === undefined ? unreadable(problemOf(text)) : { kind: 'reply', raw: Object.freeze(raw) }
}

/** Hosts that ignore `Accept` call their forms so. A page by a proxy has the same media type. */
const formType = 'text/html'

const notOurs = (type: string | undefined, scrubber: Scrubber): string =>
  `${describeType(type, scrubber)}, not ${mediaType}: a proxy or another server may have answered`

const formUnasked =
  `is a form that is called "${formType}", not ${mediaType}: if this gateway ignores "Accept", as old hosts do, give the client ` +
  'a profile made by defineProfile with formReplies: true'

const formIn = ({ body }: RawAnswer): FlatForm | undefined => readFlatForm(lenientUtf8.decode(body))

function isOfRecord({ body }: RawAnswer, { replyTypes }: WireProfile): boolean {
  const type = typeOfForm(lenientUtf8.decode(body))
  return Object.values(replyTypes.value).some(each => each === type)
}

/** Takes a form whose undecodable values decide nothing. */
function judgeForm(form: FlatForm, { profile, scrubber, ownNames = [] }: ParseOptions): ParsedReply {
  if (form.kind === 'broken') return unreadable(form.problem)
  const { raw, undecoded } = form
  const needed = undecoded.find(name => ownNames.includes(name) || isNeeded(name, profile))
  if (needed === undefined) return { kind: 'reply', raw: Object.freeze(raw) }
  return unreadable(`is a form whose ${JSON.stringify(scrubber.prose(needed))} is not UTF-8 in percent-encoding`)
}

/** Fields that people read. Nothing that this client does depends on them, except on whether they are there. */
const forPeople: readonly ReplyField[] = [
  'errorMessage',
  'bankMessage',
  'filterMessage',
  'fraudMessage',
  'descriptor',
  'originalDescriptor',
  'cardholderName',
  'cardPrintedName',
  'firstName',
  'lastName',
  'bankName',
  'destinationBankName',
  'loyaltyMessage',
  'loyaltyProgram',
  'paymentProductName',
  'paymentTypeName',
  'merchantData',
]

const isNeeded = (name: string, { replyFields }: WireProfile): boolean =>
  Object.entries(replyFields.value).some(
    ([field, names]) => names.includes(name) && !forPeople.some(each => each === field),
  )

/** Whether an answer says that it is the gateway's own: what anything in between answers proves nothing. */
export const isGateways = (answer: RawAnswer, { formReplies }: WireProfile): boolean => {
  const type = headerText(answer.headers['content-type'])
  if (isMediaType(type)) return true
  const mayBeForm = formReplies.value && isMediaType(type, formType) && !answer.isTooLong && !isEncoded(answer)
  return mayBeForm && formIn(answer)?.kind === 'form'
}

function isEncoded({ headers }: RawAnswer): boolean {
  const encoding = headerText(headers['content-encoding'])
  return encoding !== undefined && encoding.toLowerCase() !== 'identity'
}

const isMediaType = (type: string | undefined, wanted = mediaType): boolean =>
  type === wanted || type?.split(';')[0]?.trim().toLowerCase() === wanted

/** Shows a Content-Type only where it is shaped like a media type, and without secrets: it may be an echo of the request. */
function describeType(type: string | undefined, scrubber: Scrubber): string {
  if (type === undefined) return 'has no Content-Type'
  const shaped = /^[\w.+-]{1,40}\/[\w.+-]{1,40}(?=\s*(?:;|$))/.exec(type.trim())?.[0]
  return shaped === undefined
    ? 'has a Content-Type that is no media type'
    : `is ${JSON.stringify(scrubber.prose(shaped))}`
}

/** Why a text is no flat object. The parser's own messages quote the text, so they are not passed on. */
function problemOf(text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'is no complete JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is no JSON object'
  const isNested = Object.values(value).some(each => typeof each === 'object' && each !== null)
  return isNested ? 'holds nested values, while every record of the interface is flat' : 'has a key twice'
}

const unreadable = (problem: string): ParsedReply => ({ kind: 'unreadable', problem })

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bytes that are not UTF-8 become U+FFFD. */
const lenientUtf8 = new TextDecoder()

function decode(body: Buffer): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}

/** A header that came several times is no usable one. */
function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Reads `text` as RFC 8259 has it. Values are texts, the digits of a number as they were written, `true` or `false`; a key
 * whose value is null is left out.
 *
 * @returns Keys and values; `undefined` when the text is no JSON object, has a nested value or a key twice.
 */
export function readFlatJson(text: string): Record<string, string> | undefined {
  const values: Record<string, string> = {}
  let nulls: Set<string> | undefined
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== openBrace) return undefined
  at = skipSpace(text, at + 1)
  if (text.charCodeAt(at) === closeBrace) return skipSpace(text, at + 1) === text.length ? values : undefined
  for (;;) {
    const nameEnd = stringEnd(text, at)
    const name = unquote(text, at, nameEnd)
    if (nameEnd === undefined || name === undefined) return undefined
    at = skipSpace(text, nameEnd)
    if (text.charCodeAt(at) !== colon || Object.hasOwn(values, name) || nulls?.has(name)) return undefined
    at = skipSpace(text, at + 1)
    const isText = text.charCodeAt(at) === quote
    const end = isText ? stringEnd(text, at) : scalarEnd(text, at)
    const value = isText ? unquote(text, at, end) : scalar(text.slice(at, end))
    if (end === undefined || value === undefined) return undefined
    if (value === null) nulls = (nulls ?? new Set()).add(name)
    // Assigning to a key `__proto__` would change a prototype, or nothing; here it is a key like any other.
    else if (name === '__proto__') Object.defineProperty(values, name, { value, enumerable: true })
    else values[name] = value
    at = skipSpace(text, end)
    const separator = text.charCodeAt(at)
    if (separator === closeBrace) return skipSpace(text, at + 1) === text.length ? values : undefined
    if (separator !== comma) return undefined
    at = skipSpace(text, at + 1)
  }
}

const [openBrace, closeBrace, quote, backslash, colon, comma] = [0x7b, 0x7d, 0x22, 0x5c, 0x3a, 0x2c]

function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at += 1
  return at
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Where the string that begins at `from` is over; `undefined` when none begins there or it does not end. */
function stringEnd(text: string, from: number): number | undefined {
  if (text.charCodeAt(from) !== quote) return undefined
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === backslash) at += 1
    else if (code < 0x20) return undefined
  }
  return undefined
}

/** Where a number, `true`, `false` or `null` is over: at the next separator. */
function scalarEnd(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === comma || code === closeBrace || isSpace(code)) break
  }
  return at
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function scalar(written: string): string | null | undefined {
  if (number.test(written)) return written
  if (written === 'null') return null
  return written === 'true' || written === 'false' ? written : undefined
}

/** The text of a string in quotes; undefined where an escape in it is none. */
function unquote(text: string, from: number, end: number | undefined): string | undefined {
  if (end === undefined) return undefined
  const inner = text.slice(from + 1, end - 1)
  if (!inner.includes('\\')) return inner
  try {
    return JSON.parse(text.slice(from, end)) as string
  } catch {
    return undefined
  }
}
