/**
 * A signature base string taken apart again, RFC 5849 section 3.4.1.1.
 *
 * @module
 */

/** Shows a parameter's value, or something in its place when the value must not be seen. */
export type ParameterMask = (name: string, value: string) => string

/** One parameter as a base string has it. */
export interface BaseStringParameter {
  readonly name: string
  readonly value: string
  /** As it stands in the base string: `name%3Dvalue`, encoded twice. */
  readonly encoded: string
}

/** The three parts of a base string. */
export interface BaseStringParts {
  readonly method: string
  /** As it stands in the base string, encoded once. */
  readonly encodedAddress: string
  readonly parameters: readonly BaseStringParameter[]
}

/**
 * Takes a base string apart without checking that it is a good one.
 *
 * @returns `undefined` when it does not consist of three parts joined with `&`, or an escape is malformed.
 */
export function splitBaseString(text: string): BaseStringParts | undefined {
  const [method, encodedAddress, encodedParameters, ...more] = text.split('&', 4)
  if (method === undefined || encodedAddress === undefined || encodedParameters === undefined) return undefined
  if (more.length > 0) return undefined
  try {
    decodeURIComponent(encodedAddress)
    const pieces = encodedParameters === '' ? [] : encodedParameters.split(/%26/)
    return { method, encodedAddress, parameters: pieces.map(splitParameter) }
  } catch {
    return undefined
  }
}

function splitParameter(encoded: string): BaseStringParameter {
  const pair = decodeURIComponent(encoded)
  const border = pair.indexOf('=')
  const name = decodeURIComponent(border < 0 ? pair : pair.slice(0, border))
  return { name, value: border < 0 ? '' : decodeURIComponent(pair.slice(border + 1)), encoded }
}

/** Joins the parts of a base string again. */
export const joinBaseString = ({ method, encodedAddress, parameters }: BaseStringParts): string =>
  [method, encodedAddress, parameters.map(({ encoded }) => encoded).join('%26')].join('&')
