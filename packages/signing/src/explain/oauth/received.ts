/** The bytes of a signature and, when it is not written as plain Base64, what is wrong with the writing. */
export interface ReceivedSignature {
  readonly bytes: Buffer
  readonly flaw?: string
}

/** Longest text that is read, in characters: an RSA key of 16384 bits makes 4096 hexadecimal digits. */
const longestRead = 16_384

/** Whether something is text, and no longer than a signature can be, whichever way it is written: 16384 characters. */
export const isReadable = (text: unknown): text is string => typeof text === 'string' && text.length <= longestRead

/**
 * Lists the ways in which text may stand for a signature, the right one first: hexadecimal text, for one, is Base64 too.
 *
 * @returns An empty list for anything but text of at most 16384 characters.
 * @see Interface specification section 5.2, step 4
 */
export function readSignature(text: unknown): readonly ReceivedSignature[] {
  if (!isReadable(text)) return []
  const plain = base64(text)
  const bytes = plain === undefined ? [] : [{ bytes: plain }, ...unwrapHexadecimal(plain)]
  const otherwise = flawed(text)
  return [...bytes, ...otherwise]
}

function flawed(text: string): readonly ReceivedSignature[] {
  const unescaped = text.trim().replaceAll(/%(2B|2F|3D|25)/gi, code => decodeURIComponent(code))
  const attempts: readonly (readonly [text: string, flaw: string])[] = [
    [text.trim(), 'it has white space around it'],
    [unescaped, 'it is percent-encoded once too often'],
    [text.trim().replaceAll(' ', '+'), 'its "+" became spaces: it was not percent-encoded on its way'],
    [padded(text.trim()), 'its "=" at the end is missing'],
    [padded(text.trim().replaceAll('-', '+').replaceAll('_', '/')), 'it is base64url; it must be Base64'],
  ]
  const found = attempts.flatMap(([candidate, flaw]) => {
    const bytes = candidate === text ? undefined : base64(candidate)
    return bytes === undefined ? [] : [{ bytes, flaw }]
  })
  const flaw = 'it is hexadecimal; it must be Base64'
  return isHexadecimal(text.trim()) ? [...found, { bytes: Buffer.from(text.trim(), 'hex'), flaw }] : found
}

/** Base64 of hexadecimal text, which is what PHP's base64_encode(hash_hmac(…)) gives. */
function unwrapHexadecimal(bytes: Buffer): readonly ReceivedSignature[] {
  const text = bytes.toString('latin1')
  if (!isHexadecimal(text)) return []
  return [{ bytes: Buffer.from(text, 'hex'), flaw: 'it is Base64 of hexadecimal text; it must be Base64 of the bytes' }]
}

const isHexadecimal = (text: string): boolean => text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text)

const padded = (text: string): string => text + '='.repeat((4 - (text.length % 4)) % 4)

/** Buffer skips what is not Base64, so the text must come back the same. */
function base64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined
}
