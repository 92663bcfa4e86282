/**
 * JWTs made by hand with node:crypto, RFC 7515 section 3.1: an expectation that does not come from the code under test.
 *
 * @module
 */
import { createHmac } from 'node:crypto'

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A compact JWS with an HMAC signature over exactly this header and these claims. */
export function handmadeToken(
  secret: string,
  {
    header = { alg: 'HS256', kid: 'one' },
    claims,
    hash = 'sha256',
  }: { readonly header?: object; readonly claims: object; readonly hash?: string },
): string {
  const input = `${encoded(header)}.${encoded(claims)}`
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`
}

/** The JSON of one part of a compact JWS. */
export function tokenPart(token: string, part: 0 | 1): unknown {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())
}
