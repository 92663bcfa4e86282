/**
 * Bytes to sign that show the usual mistakes of signers.
 *
 * @module
 */

/** Bytes to sign, and what they are called in a complaint. */
export interface SignerInput {
  readonly what: string
  readonly data: Uint8Array
}

/** Lists inputs: nothing, UTF-8, bytes that are no text, a megabyte, a view, and bytes that are no Buffer. */
export function signerInputs(): readonly SignerInput[] {
  const text = Buffer.from('POST&https%3A%2F%2Fgate.example%2F&a%3D1')
  const around = Buffer.concat([Buffer.from('before'), text, Buffer.from('after')])
  return [
    { what: 'no bytes', data: Buffer.alloc(0) },
    { what: 'UTF-8 text', data: Buffer.from('é 日 🛒') },
    { what: 'bytes that are no UTF-8', data: Buffer.from([0, 0xff, 0xfe, 0x80, 0x0a]) },
    { what: 'a megabyte', data: Buffer.alloc(1_048_576, 'POST&') },
    { what: 'a view into a larger buffer', data: around.subarray(6, 6 + text.length) },
    { what: 'a Uint8Array that is no Buffer', data: new Uint8Array(text) },
    { what: 'text with a line feed at its end', data: Buffer.from('POST&a&b\n') },
  ]
}
