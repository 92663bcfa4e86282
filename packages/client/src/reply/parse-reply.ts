/**
 * Parsing of an answer: the gateway's media type, a flat JSON object, no digit lost, no key twice; or a form, where the wire
 * profile says that the gateway answers so.
 *
 * @module
 */
import type { RawReply, Scrubber, WireProfile } from '@tillkit/protocol'
import type { RawAnswer } from '../transport/transmit.js'
import { readFlatForm } from './flat-form.js'
import { readFlatJson } from './flat-json.js'

/** The media type of every reply, and of `Accept`. @see Interface specification, section 4 */
export const mediaType = 'application/vnd.pay+json'

/** A reply under its wire names, or why there is none; `problem` completes "the answer …". */
export type ParsedReply =
  | { readonly readable: true; readonly raw: RawReply }
  | { readonly readable: false; readonly problem: string }

/**
 * Parses an answer. Numbers become their digits as text, `true` and `false` text, null is left out.
 *
 * Refused are other media types, compressed bodies, bodies over the limit, text that is not UTF-8 or not one JSON object,
 * nested values and repeated keys: whoever reads such a reply is guessing.
 */
export function parseReply(
  answer: RawAnswer,
  { scrubber, profile }: { readonly scrubber: Scrubber; readonly profile: WireProfile },
): ParsedReply {
  const { headers, body, isTooLong } = answer
  const type = headerText(headers['content-type'])
  const form = formOf(answer, profile)
  if (form !== undefined) return { readable: true, raw: Object.freeze(form) }
  if (!isMediaType(type)) {
    return unreadable(`${describeType(type, scrubber)}, not ${mediaType}: a proxy or another server may have answered`)
  }
  const encoding = headerText(headers['content-encoding'])
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return unreadable('is compressed, which was not asked for')
  }
  if (isTooLong) return unreadable('is longer than "maxReplyBytes" allows')
  const text = decode(body)
  if (text === undefined) return unreadable('is not UTF-8')
  return parseText(text)
}

/** Whether an answer says that it is the gateway's own: what anything in between answers proves nothing. */
export const isGateways = (answer: RawAnswer, profile: WireProfile): boolean =>
  isMediaType(headerText(answer.headers['content-type'])) || formOf(answer, profile) !== undefined

/** The form that an answer is. A page by a proxy has the same media type and is none. */
function formOf({ headers, body, isTooLong }: RawAnswer, { formReplies }: WireProfile): RawReply | undefined {
  if (!formReplies.value || isTooLong || !isMediaType(headerText(headers['content-type']), 'text/html'))
    return undefined
  const encoding = headerText(headers['content-encoding'])
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return undefined
  const text = decode(body)
  return text === undefined ? undefined : readFlatForm(text)
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

function parseText(text: string): ParsedReply {
  const raw = readFlatJson(text)
  return raw === undefined ? unreadable(problemOf(text)) : { readable: true, raw: Object.freeze(raw) }
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

const unreadable = (problem: string): ParsedReply => ({ readable: false, problem })

const utf8 = new TextDecoder('utf-8', { fatal: true })

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
