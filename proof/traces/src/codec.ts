/**
 * Plain data as JSON, with what JSON lacks: numbers without an end, errors, and the place of a function. A wire profile stands once in a
 * trace, and is named everywhere else.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import type { WireProfile } from '@tillkit/protocol'

/** Takes each profile that is met. @returns The name that stands in its place. */
export type NameProfile = (profile: WireProfile) => string

/** Everything that decoding needs besides the text. */
export interface Decoding {
  readonly profileOf: (name: string) => WireProfile
  /** Gives the function that is at a place in the plan. */
  readonly functionAt: (path: string) => unknown
}

const tag = '$'

/** A digest of text: 128 bits of SHA-256. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** Whether an object has nothing but its own fields. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Whether it is a wire profile, of which no other object has the entries. */
export const isProfile = (value: unknown): value is WireProfile =>
  isPlain(value) && 'orderNeverSeen' in value && 'finalStatuses' in value

/** Makes what writes values as JSON. @param nameProfile Called for each profile. */
export function createEncoder(nameProfile: NameProfile) {
  const encode = (value: unknown): unknown => {
    switch (typeof value) {
      case 'number':
        return Number.isFinite(value) ? value : { [tag]: 'number', value: String(value) }
      case 'function':
        return { [tag]: 'function' }
      case 'undefined':
        return { [tag]: 'undefined' }
      case 'bigint':
      case 'symbol':
        throw new TypeError(`A trace has no place for a ${typeof value}.`)
    }
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(encode)
    if (value instanceof Error) return { [tag]: 'error', ...fields(errorFields(value)) }
    if (isProfile(value)) return { [tag]: 'profile', name: nameProfile(value) }
    if (isPlain(value)) return fields(value)
    throw new TypeError(`A trace has no place for a ${value.constructor?.name ?? 'thing without a class'}.`)
  }
  /** A field that is undefined is none. */
  const fields = (value: object): Record<string, unknown> => {
    const all: Record<string, unknown> = {}
    for (const [name, each] of Object.entries(value)) if (each !== undefined) all[name] = encode(each)
    return all
  }
  return encode
}

const hidden: readonly string[] = ['name', 'message', 'cause', 'stack']

function errorFields(error: Error): Record<string, unknown> {
  const { name, message, cause } = error
  const own = Object.entries(error).filter(([field]) => !hidden.includes(field))
  return { name, message, cause, own: Object.fromEntries(own) }
}

/** Reads a value that was written so. @param path Its place in the plan. */
export function decode(value: unknown, decoding: Decoding, path = ''): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((each, nth) => decode(each, decoding, `${path}.${nth}`))
  const { [tag]: kind, ...rest } = value as Record<string, unknown>
  switch (kind) {
    case undefined:
      return Object.fromEntries(
        Object.entries(rest).map(([name, each]) => [name, decode(each, decoding, `${path}.${name}`)]),
      )
    case 'number':
      return Number(rest.value)
    case 'undefined':
      return undefined
    case 'function':
      return decoding.functionAt(path)
    case 'profile':
      return decoding.profileOf(String(rest.name))
    case 'error':
      return errorOf(rest, decoding, path)
    default:
      throw new TypeError(`A trace has something of the unknown kind ${JSON.stringify(kind)}.`)
  }
}

function errorOf({ name, message, cause, own }: Record<string, unknown>, decoding: Decoding, path: string): Error {
  const error = new Error(String(message))
  Object.defineProperty(error, 'name', { value: name, enumerable: false })
  if (cause !== undefined) Object.defineProperty(error, 'cause', { value: decode(cause, decoding, path) })
  return Object.assign(error, decode(own, decoding, path))
}
