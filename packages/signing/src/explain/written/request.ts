import type { Parameter } from '../../index.js'

/** A request to write down, so that whoever runs it signs it right. It holds no secret: variables stand for secrets. */
export interface RequestToWrite {
  readonly url: URL
  /**
   * Parameters of the form without the control value, decoded. One whose value is undefined is secret: a variable named after
   * it stands for it.
   */
  readonly parameters: readonly (readonly [name: string, value: string | undefined])[]
  /** Media type that is asked for. */
  readonly accept?: string
  readonly signing: ControlToWrite | OAuthToWrite
}

/** A request that is signed with a control value. */
export interface ControlToWrite {
  readonly scheme: 'control'
  /** Name of the parameter that carries the control value. */
  readonly field: string
  /** The row of `controlItems`, where it is one. */
  readonly operation?: string
  readonly items: readonly { readonly name: string; readonly value: string }[]
}

/** A request that is signed with OAuth 1.0a. */
export interface OAuthToWrite {
  readonly scheme: 'HMAC-SHA1' | 'RSA-SHA256'
  /** Merchant login. */
  readonly consumerKey: string
}

/** The variable that stands for a secret parameter. */
export const variableOf = (name: string): string =>
  name
    .replace(/\W/g, '_')
    .replace(/^(?=\d|$)/, '_')
    .toUpperCase()

/** A letter that no parameter holds as often in a row: texts of it stand for secrets while a base string is made. */
export function placeholders(request: RequestToWrite): readonly Parameter[] {
  const written = JSON.stringify([request.url.href, request.parameters])
  let letters = 'SECRET'
  while (written.includes(letters)) letters += 'X'
  return request.parameters.map(([name, value], place) => [name, value ?? `${letters}${place}END`])
}
