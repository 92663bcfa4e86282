/** A mistake that makes the other side's base string or signature. */
export interface FoundSignatureMistake {
  /** Short name, for programs. */
  readonly mistake: string
  /** The parameter at fault, when it is one. */
  readonly parameter?: string
  /** One sentence, for people. It holds no value and no secret. */
  readonly text: string
  /** The base string of the other side. Absent where that is not what is wrong. */
  readonly theirs?: string
}

/** The mistake that makes the other side's base string or signature. */
export interface SignatureMistake extends Omit<FoundSignatureMistake, 'theirs'> {
  /** What to do about it, for whoever signs. One sentence. */
  readonly fix: string
}

/** The bytes of a signature and, when it is not written as plain Base64, what is wrong with the writing. */
export interface ReceivedSignature {
  readonly bytes: Buffer
  readonly flaw?: string
}

/** Longest text that is read, in characters: an RSA key of 16384 bits makes 4096 hexadecimal digits. */
const longestRead = 16_384

/** Whether something is text, and no longer than a signature can be, whichever way it is written: 16384 characters. */
export const isReadable = (text: unknown): text is string => typeof text === 'string' && text.length <= longestRead

/** Lists the ways in which text may stand for a signature, the right one first: hexadecimal text, for one, is Base64 too. */
export function readSignature(text: unknown): readonly ReceivedSignature[] {
  if (!isReadable(text)) return []
  const plain = base64(text)
  const another = (written: string): Buffer | undefined => (written === text ? undefined : base64(written))
  const trimmed = text.trim()
  const unescaped = trimmed.replaceAll(/%(2B|2F|3D|25)/gi, code => decodeURIComponent(code))
  const attempts: readonly (readonly [bytes: Buffer | undefined, flaw: string])[] = [
    // What PHP's base64_encode(hash_hmac(…)) gives.
    [hexadecimal(plain?.toString('latin1')), 'it is Base64 of hexadecimal text; it must be Base64 of the bytes'],
    [another(trimmed), 'it has white space around it'],
    [another(unescaped), 'it is percent-encoded once too often'],
    [another(trimmed.replaceAll(' ', '+')), 'its "+" became spaces: it was not percent-encoded on its way'],
    [another(padded(trimmed)), 'its "=" at the end is missing'],
    [another(padded(trimmed.replaceAll('-', '+').replaceAll('_', '/'))), 'it is base64url; it must be Base64'],
    [hexadecimal(trimmed), 'it is hexadecimal; it must be Base64'],
  ]
  const flawed = attempts.flatMap(([bytes, flaw]) => (bytes === undefined ? [] : [{ bytes, flaw }]))
  return plain === undefined ? flawed : [{ bytes: plain }, ...flawed]
}

const hexadecimal = (text = ''): Buffer | undefined =>
  text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text) ? Buffer.from(text, 'hex') : undefined

const padded = (text: string): string => text + '='.repeat((4 - (text.length % 4)) % 4)

/** Buffer skips what is not Base64, so the text must come back the same. */
function base64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined
}

/** The mistake of a signature that is right and not written as plain Base64. */
export function writtenWrong({ flaw }: ReceivedSignature, baseString: string): FoundSignatureMistake | 'same' {
  if (flaw === undefined) return 'same'
  const text = `the signature is right and written wrong: ${flaw}`
  return { mistake: 'signature-encoding', text, theirs: baseString }
}
