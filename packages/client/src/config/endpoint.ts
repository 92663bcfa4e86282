/**
 * The merchant endpoint, or endpoint group, that a request goes to.
 *
 * @module
 */
import { describeValue } from '@tillkit/protocol'
import { unsetVariable } from '../words/wording.js'

/** An endpoint's id: a 64-bit whole number. A `number` must be a safe integer; write longer ones as text or bigint. */
export type EndpointId = string | number | bigint

/** Where a request goes: exactly one of the two. */
export interface EndpointOptions {
  /** Merchant endpoint, which has one currency. */
  readonly endpointId?: EndpointId | undefined
  /** Endpoint group, which has several currencies. Takes the place of the endpoint in the path and in control values. */
  readonly endpointGroupId?: EndpointId | undefined
}

/** An endpoint, its id as exact decimal digits. */
export interface Endpoint {
  readonly id: string
  readonly isGroup: boolean
}

/** Why an endpoint cannot be read: `option` is at fault. */
export interface EndpointMistake {
  readonly option: 'endpointId' | 'endpointGroupId'
  readonly message: string
}

const largestId = 9_223_372_036_854_775_807n

/**
 * Reads which endpoint is meant.
 *
 * @see Interface specification, section 8: `endpointId` is a 64-bit integer
 */
export function readEndpoint({ endpointId, endpointGroupId }: EndpointOptions): Endpoint | EndpointMistake {
  if ((endpointId === undefined) === (endpointGroupId === undefined)) {
    const found = endpointId === undefined ? `neither was given. ${unsetVariable}` : 'both were given.'
    return {
      option: 'endpointId',
      message: `Exactly one of "endpointId" and "endpointGroupId" is needed and ${found}`,
    }
  }
  const option = endpointId === undefined ? 'endpointGroupId' : 'endpointId'
  const value: unknown = endpointId === undefined ? endpointGroupId : endpointId
  if (Number.isNaN(value))
    return { option, message: `"${option}" is NaN, which is what Number() makes of no number. ${unsetVariable}` }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    return {
      option,
      message: `"${option}" is the number ${value}, which has lost digits or is no whole number. Write it as a string or a bigint.`,
    }
  }
  const id = typeof value === 'number' || typeof value === 'bigint' ? value.toString() : value
  if (typeof id !== 'string' || !/^(0|[1-9]\d{0,18})$/.test(id) || BigInt(id) > largestId) {
    return {
      option,
      message: `"${option}" is ${describeValue(id)}; it must be a whole number from 0 to ${largestId}, without signs, spaces or leading zeros.`,
    }
  }
  return { id, isGroup: option === 'endpointGroupId' }
}
