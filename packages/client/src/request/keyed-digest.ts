/**
 * HMAC-SHA256 of short texts under one key, RFC 2104.
 *
 * `createHmac` makes an object for each text, which takes longer than the digests it consists of. A key of 64 characters
 * fills a block of SHA-256 and is all ASCII, also with each of its bytes changed as the RFC has it: so the inner digest is that
 * of one text.
 *
 * @module
 */
import { nodeCrypto } from '../config/lazy.js'

const blockLength = 64

/** Makes a function that returns the HMAC-SHA256 of a text's UTF-8 bytes, in lower-case hex. @param key 64 hex digits. */
export function keyedDigest(key: string): (text: string) => string {
  const { hash } = nodeCrypto()
  const inner = padded(key, 0x36)
  const outer = Buffer.alloc(blockLength + 32)
  outer.write(padded(key, 0x5c), 'latin1')
  return text => {
    outer.write(hash('sha256', inner + text, 'binary'), blockLength, 'latin1')
    return hash('sha256', outer, 'hex')
  }
}

function padded(key: string, pad: number): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new TypeError('A key of a digest is 64 hex digits.')
  return String.fromCharCode(...[...key].map(digit => digit.charCodeAt(0) ^ pad))
}
