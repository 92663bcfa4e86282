/**
 * Parsing of an answer: the gateway's media type, a flat JSON object, no digit lost, no key twice.
 *
 * @module
 */
import type { RawReply } from '@tillkit/protocol'
import { parse } from 'lossless-json'
import type { RawAnswer } from './transmit.js'

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
export function parseReply({ headers, body, isTooLong }: RawAnswer): ParsedReply {
  const type = headerText(headers['content-type'])
  if (type?.split(';')[0]?.trim().toLowerCase() !== mediaType) {
    const found = type === undefined ? 'has no Content-Type' : `is ${JSON.stringify(type.slice(0, 60))}`
    return unreadable(`${found}, not ${mediaType}: a proxy or another server may have answered`)
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

function parseText(text: string): ParsedReply {
  let value: unknown
  try {
    // Its own messages quote the text, so they are not passed on.
    value = parse(text, null, { parseNumber: digits => digits })
  } catch {
    return unreadable('is no complete JSON, or has a key twice')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return unreadable('is no JSON object')
  const entries = Object.entries(value)
  if (entries.some(([, each]) => typeof each === 'object' && each !== null)) {
    return unreadable('holds nested values, while every record of the interface is flat')
  }
  if (countKeys(text) !== entries.length) return unreadable('has a key twice')
  const texts = entries.flatMap(([name, each]) => (each === null ? [] : [[name, String(each)] as const]))
  // `fromEntries` defines own properties, so a key `__proto__` is one like any other.
  return { readable: true, raw: Object.freeze(Object.fromEntries(texts)) }
}

/** Keys of a flat object's text: the parser tolerates a key that is repeated with an equal value. */
const countKeys = (text: string): number =>
  [...text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/gs)].filter(match => match[1] !== undefined).length

const unreadable = (problem: string): ParsedReply => ({ readable: false, problem })

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** A header that came several times is no usable one. */
function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}
