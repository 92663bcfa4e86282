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
  const value = parseJson(text)
  if (value === undefined) return 'is no complete JSON'
  if (!isObject(value)) return 'is no JSON object'
  const isNested = Object.values(value).some(each => typeof each === 'object' && each !== null)
  return isNested ? 'holds nested values, while every record of the interface is flat' : 'has a key twice'
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns undefined for a text that is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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

/** A key with its colon, and its value if that is not nested, as they are written in JSON. */
const pairPattern = /("[^"\\]*(?:\\.[^"\\]*)*")\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*"|[\w.+-]+)?/g

/**
 * Reads `text` as RFC 8259 has it. Values are texts, the digits of a number as they were written, `true` or `false`; a key
 * whose value is null is left out.
 *
 * @returns Keys and values; `undefined` when the text is no JSON object, has a nested value or a key twice.
 */
export function readFlatJson(text: string): Record<string, string> | undefined {
  const parsed = parseJson(text)
  if (!isObject(parsed)) return undefined
  // JSON.parse has read the texts, and of a key that repeats the last value only.
  const values = parsed as Record<string, string>
  let missing = Object.keys(values).length
  for (const [, name = '', value] of text.matchAll(pairPattern)) {
    if (value === undefined) return undefined
    missing -= 1
    if (value === 'null') delete values[JSON.parse(name)]
    else if (!value.startsWith('"')) values[JSON.parse(name)] = value
  }
  return missing === 0 ? values : undefined
}
