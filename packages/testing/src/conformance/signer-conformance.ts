import { createHmac, timingSafeEqual, verify } from 'node:crypto'
import { type HmacSecrets, type PublicKey, percentEncode, type SignatureMethod, type Signer } from '@tillkit/signing'

/** What a signer's signatures are checked with, and how much is asked of it. */
export interface SignerConformanceOptions {
  /** The public half of an RSA-SHA256 signer's key; see `importPublicKey`. */
  readonly publicKey?: PublicKey
  /** What an HMAC-SHA1 signer signs with: the control key, or both secrets. */
  readonly secret?: string | HmacSecrets
  /** The same kind of signer, made so that it cannot sign: its KMS out of reach, its key disabled. Default: not checked. */
  readonly failing?: Signer
  /** How many signatures are asked for at once. Default: 16. A KMS may have a quota. */
  readonly concurrency?: number
}

/**
 * Checks a signer: its method, raw signature bytes out of any bytes in (empty, UTF-8, large, a view into a larger
 * buffer), the same under concurrency, its input neither changed nor kept, and failures passed on.
 *
 * It signs about 30 times. Signing for real costs what your KMS charges.
 *
 * @returns What is wrong, a sentence each; an empty list for a signer that conforms.
 * @throws TypeError when neither `publicKey` nor `secret` is given, or both.
 * @example
 * ```ts
 * expect(await signerConformance(kmsSigner, { publicKey: importPublicKey(pem) })).toEqual([])
 * ```
 */
export async function signerConformance(signer: Signer, options: SignerConformanceOptions): Promise<readonly string[]> {
  const check = signatureCheck(options)
  if (signer.method !== check.method) {
    return [`"method" is ${JSON.stringify(signer.method)}; with what is given it must be "${check.method}".`]
  }
  const context = { signer, check }
  const first = await problemOf(context, 'text', Buffer.from('POST&https%3A%2F%2Fgate.example%2F&a%3D1'))
  if (first !== undefined) return [first]
  return [
    ...(await inputProblems(context)),
    ...(await concurrencyProblems(context, options.concurrency ?? 16)),
    ...(await bufferProblems(context)),
    ...(options.failing === undefined ? [] : await failureProblems(options.failing)),
  ]
}

type SignatureCheck = ReturnType<typeof signatureCheck>

interface Context {
  readonly signer: Signer
  readonly check: SignatureCheck
}

/** The method of a signer, the length of its signatures in bytes, and what verifies them. */
function signatureCheck({ publicKey, secret }: SignerConformanceOptions) {
  if ((publicKey === undefined) === (secret === undefined)) {
    throw new TypeError(
      'signerConformance needs "publicKey" for an RSA-SHA256 signer or "secret" for an HMAC-SHA1 one.',
    )
  }
  if (publicKey !== undefined) {
    const length = Math.ceil(publicKey.bits / 8)
    const verifies = (data: Uint8Array, signature: Uint8Array) => verify('sha256', data, publicKey.key, signature)
    return { method: 'RSA-SHA256' as const, length, verifies }
  }
  const {
    consumerSecret,
    tokenSecret = '',
    keyEncoding,
  }: HmacSecrets = typeof secret === 'object' ? secret : { consumerSecret: secret ?? '' }
  const parts = [consumerSecret, tokenSecret]
  const key = (keyEncoding === 'percent-encoded' ? parts.map(percentEncode) : parts).join('&')
  const verifies = (data: Uint8Array, signature: Uint8Array): boolean =>
    signature.length === 20 && timingSafeEqual(createHmac('sha1', key).update(data).digest(), signature)
  return { method: 'HMAC-SHA1' as const, length: 20, verifies }
}

/** Signs once and says what is wrong with the signature; errors are problems here, never thrown. */
async function problemOf({ signer, check }: Context, what: string, data: Uint8Array): Promise<string | undefined> {
  const before = Buffer.from(data)
  try {
    const signature = await signer.sign(data)
    if (!before.equals(data)) return `It changed the bytes it was given (${what}).`
    return signatureProblem(check, what, { data, signature })
  } catch (error) {
    return `It failed on ${what}: ${textOf(error)}`
  }
}

function signatureProblem(
  check: SignatureCheck,
  what: string,
  { data, signature }: { readonly data: Uint8Array; readonly signature: unknown },
): string | undefined {
  if (!(signature instanceof Uint8Array)) {
    return `It returned ${typeof signature} for ${what}; a signature is raw bytes. Decode Base64 before returning it.`
  }
  if (signature.length !== check.length) {
    return `It returned ${signature.length} bytes for ${what}; this key gives ${check.length}. Is it Base64, hexadecimal, or another key?`
  }
  if (check.verifies(data, signature)) return undefined
  return `Its signature of ${what} does not verify. ${hints[check.method]}`
}

const hints = {
  'HMAC-SHA1':
    'Is the key the secret, "&" and the token secret, each as "keyEncoding" says: as it is, or percent-encoded?',
  'RSA-SHA256': 'Is it PKCS#1 v1.5 padding, the digest SHA-256, digested once, and the key the one given?',
} as const satisfies Record<SignatureMethod, string>

const present = (problems: readonly (string | undefined)[]): string[] =>
  problems.filter(problem => problem !== undefined)

async function inputProblems(context: Context): Promise<string[]> {
  const problems: (string | undefined)[] = []
  for (const [what, data] of signerInputs()) problems.push(await problemOf(context, what, data))
  return present(problems)
}

async function concurrencyProblems(context: Context, concurrency: number): Promise<string[]> {
  const inputs = Array.from({ length: concurrency }, (_, index) => Buffer.from(`POST&concurrent&n%3D${index}`))
  const problems = await Promise.all(
    inputs.map((data, index) => problemOf(context, `input ${index + 1} of ${concurrency} at once`, data)),
  )
  return present(problems).slice(0, 1)
}

/** A buffer may be used again once it is signed, and a returned signature must not change afterwards. */
async function bufferProblems({ signer, check }: Context): Promise<string[]> {
  const reused = Buffer.from('POST&first&a%3D1')
  const first = Buffer.from(reused)
  try {
    const signature = await signer.sign(reused)
    const kept = Buffer.from(signature)
    reused.write('POST&other&b%3D2')
    const second = await signer.sign(reused)
    const problem = signatureProblem(check, 'a buffer used a second time', { data: reused, signature: second })
    const unchanged = kept.equals(signature) && check.verifies(first, signature)
    return present([problem, unchanged ? undefined : keptProblem])
  } catch (error) {
    return [`It failed on a buffer used a second time: ${textOf(error)}`]
  }
}

const keptProblem =
  'A signature changed after it was returned: it shares memory with the input or with the next signature. Return a copy.'

async function failureProblems(failing: Signer): Promise<string[]> {
  try {
    await failing.sign(Buffer.from('POST&failing&'))
    return ['It returned something although it could not sign ("failing"); an error must be thrown or rejected.']
  } catch (error) {
    if (error instanceof Error) return []
    return [
      `It failed with ${typeof error} instead of an Error ("failing"); without a message its cause cannot be found.`,
    ]
  }
}

function signerInputs(): readonly (readonly [what: string, data: Uint8Array])[] {
  const text = Buffer.from('POST&https%3A%2F%2Fgate.example%2F&a%3D1')
  const around = Buffer.concat([Buffer.from('before'), text, Buffer.from('after')])
  return [
    ['no bytes', Buffer.alloc(0)],
    ['UTF-8 text', Buffer.from('é 日 🛒')],
    ['bytes that are no UTF-8', Buffer.from([0, 0xff, 0xfe, 0x80, 0x0a])],
    ['a megabyte', Buffer.alloc(1_048_576, 'POST&')],
    ['a view into a larger buffer', around.subarray(6, 6 + text.length)],
    ['a Uint8Array that is no Buffer', new Uint8Array(text)],
    ['text with a line feed at its end', Buffer.from('POST&a&b\n')],
  ]
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
