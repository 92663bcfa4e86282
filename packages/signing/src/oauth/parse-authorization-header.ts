/**
 * Reading an `Authorization` header, RFC 5849 section 3.5.1.
 *
 * @module
 */
import type { Parameter } from '../encoding/parameters.js'

/** What an OAuth `Authorization` header says. */
export interface ParsedAuthorization {
  readonly realm?: string
  /** Everything but `realm`, decoded, in the order of the header, repetitions kept. */
  readonly parameters: Parameter[]
}

/** Longest header that is looked at, in characters; Node.js itself takes 16 KiB of headers by default. */
const longestHeader = 16_384

/**
 * Reads an OAuth `Authorization` header. Accepts any letter case of `OAuth` and any white space around commas.
 *
 * @returns `undefined` for anything else: another scheme, an unquoted value, a malformed escape, a repeated realm, more
 * than 16384 characters. It never throws.
 * @see RFC 5849 section 3.5.1
 */
export function parseAuthorizationHeader(text: string): ParsedAuthorization | undefined {
  if (typeof text !== 'string' || text.length > longestHeader) return undefined
  const scheme = /^OAuth[ \t]+/i.exec(text)
  if (scheme === null) return undefined
  const pairs = readPairs(text.trimEnd(), scheme[0].length)
  const realms = pairs?.filter(([name]) => name.toLowerCase() === 'realm')
  if (pairs === undefined || realms === undefined || realms.length > 1) return undefined
  const parameters = pairs.filter(([name]) => name.toLowerCase() !== 'realm')
  return realms[0] === undefined ? { parameters } : { realm: realms[0][1], parameters }
}

function readPairs(text: string, start: number): Parameter[] | undefined {
  const pair = /[ \t]*([^\s=",]+)="([^"]*)"[ \t]*(,|$)/y
  const pairs: Parameter[] = []
  pair.lastIndex = start
  while (pair.lastIndex < text.length) {
    const match = pair.exec(text)
    if (match === null) return undefined
    const [, writtenName = '', writtenValue = ''] = match
    const name = decode(writtenName)
    // A realm is a quoted string and need not be percent-encoded, RFC 9110 section 11.5: "50% off" is one.
    const isRealm = name?.toLowerCase() === 'realm'
    const value = decode(writtenValue) ?? (isRealm ? writtenValue : undefined)
    if (name === undefined || value === undefined) return undefined
    pairs.push([name, value])
  }
  return pairs
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
