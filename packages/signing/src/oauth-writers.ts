/**
 * Writes the `oauth_*` parameters of a request that is signed. All but nonce and timestamp stay the same from one request to
 * the next, so the bytes around those two are made once.
 *
 * @module
 */
import { addBytes, addEncoded, addEncodedTwice } from './encoded-text.js'
import { encodePart } from './parameter-values.js'
import { percentEncode } from './percent-encoding.js'
import type { RequestSignerOptions, RequestToSign } from './request-signer.js'

/** What is new in every request. */
export type Freshness = Pick<RequestToSign, 'nonce' | 'timestamp'>

/**
 * Adds the parameters of one request to the text in the making.
 *
 * @throws {@link InvalidInputError} when the nonce holds half of a surrogate pair.
 */
export type OauthWriter = (freshness: Freshness) => void

/**
 * Makes the writer for base strings, then the one for headers, which goes on to where the signature starts.
 *
 * No other parameter's name comes between two that start with `oauth_`, so these stand together in any base string.
 *
 * @throws {@link InvalidInputError} when a text holds half of a surrogate pair.
 */
export function oauthWriters(
  options: RequestSignerOptions,
): readonly [inBaseString: OauthWriter, inHeader: OauthWriter] {
  const { consumerKey, signer, realm, token } = options
  const pair = (name: string, text: string | undefined): string =>
    text === undefined ? '' : `${name}=${encodePart(name, text, percentEncode)}&`
  const beforeNonce = `${pair('oauth_consumer_key', consumerKey)}oauth_nonce=`
  const beforeTimestamp = `&${pair('oauth_signature_method', signer.method)}oauth_timestamp=`
  const afterTimestamp = `&${pair('oauth_token', token)}oauth_version=1.0`
  const inHeader = (text: string): string => text.replaceAll('=', '="').replaceAll('&', '", ')
  return [
    writer([beforeNonce, beforeTimestamp, afterTimestamp].map(percentEncode), addEncodedTwice),
    writer(
      [`OAuth ${pair('realm', realm)}${beforeNonce}`, beforeTimestamp, `${afterTimestamp}&oauth_signature=`].map(
        inHeader,
      ),
      addEncoded,
    ),
  ]
}

function writer(parts: readonly string[], encode: (text: string) => void): OauthWriter {
  const [beforeNonce, beforeTimestamp, afterTimestamp] = parts.map(part => Buffer.from(part)) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  return ({ nonce, timestamp }) => {
    addBytes(beforeNonce)
    encodePart('oauth_nonce', nonce, encode)
    addBytes(beforeTimestamp)
    encode(String(timestamp))
    addBytes(afterTimestamp)
  }
}
