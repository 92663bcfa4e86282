import {
  encodePart,
  type GivenParameter,
  type Parameter,
  type ParametersInput,
  parameterText,
  percentEncode,
} from '../encoding.js'
import { InvalidInputError, quoted, shown } from '../errors.js'
import { unseenProblem } from '../keys/unseen.js'
import {
  baseStringStart,
  gatherParameters,
  joinInOrder,
  misplacedOauth,
  type NameOrder,
  normalizePairs,
  orderNames,
} from './base-string.js'
import { HmacSigner, type Signer, type SynchronousSigner } from './signers.js'

/** What stays the same from one request to the next. */
export interface RequestSignerOptions {
  /** Merchant login. */
  readonly consumerKey: string
  readonly signer: Signer
  /** Sent first, never covered by the signature. Default: not sent. */
  readonly realm?: string
  /** Value of `oauth_token`. The gateway has none. */
  readonly token?: string
}

/** A request that gets an `Authorization` header. */
export interface RequestToSign {
  /** Default: `POST`, the only method of the gateway. */
  readonly method?: string
  readonly url: URL
  /** Parameters of the form body, decoded: exactly the ones that are sent. */
  readonly parameters: ParametersInput
  /** Whole seconds since the epoch. */
  readonly timestamp: number
  /** Unique random text, new for every request. `randomUUID()` is the cheapest good one. */
  readonly nonce: string
  /**
   * Further parameters of the header, decoded: `oauth_callback`, `oauth_verifier`, `oauth_body_hash`, ones of your own. They
   * are covered and sent. `oauth_version: undefined` leaves out the version, which the gateway requires. Default: none.
   */
  readonly protocolParameters?: Readonly<Record<string, string | undefined>>
}

/** Makes `Authorization` headers for one merchant login and one key. */
export interface RequestSigner {
  /**
   * Signs a request and builds the value of its `Authorization` header.
   *
   * @throws {@link InvalidInputError} as a rejection, when a parameter is named `oauth_*` (the gateway takes them in the header
   * only), or the timestamp or the nonce cannot be right; `field` names it. An error of the signer is passed on.
   */
  header(request: RequestToSign): Promise<string>
}

/** A {@link RequestSigner} that needs no promise, since its signer answers at once. */
export interface SynchronousRequestSigner extends RequestSigner {
  /**
   * Does what `header` does, at once.
   *
   * @throws {@link InvalidInputError} as `header` does, and when the signer answers with a promise after all.
   */
  headerSync(request: RequestToSign): string
}

/**
 * Makes a reusable signer of requests. Keep it as long as the key: login and signer are named and checked once.
 *
 * @example
 * ```ts
 * const requestSigner = createRequestSigner({ consumerKey: 'merchant', signer: hmacSha1Signer({ consumerSecret }) })
 * const authorization = requestSigner.headerSync({ url, parameters, timestamp, nonce: randomUUID() })
 * ```
 *
 * @throws {@link InvalidInputError} when the consumer key is empty or has a character in it that nobody sees, or a text holds half of
 * a surrogate pair.
 * @see RFC 5849 section 3.5.1; interface specification section 5.2, steps 1 to 5, and section 5.3
 */
export function createRequestSigner(
  options: RequestSignerOptions & { readonly signer: SynchronousSigner },
): SynchronousRequestSigner
/** The same for a signer whose signature may come as a promise: a KMS, or RSA on the thread pool. */
export function createRequestSigner(options: RequestSignerOptions): RequestSigner
export function createRequestSigner(options: RequestSignerOptions): SynchronousRequestSigner {
  checkSignerOptions(options)
  const { consumerKey, signer, realm, token } = options
  const consumer: Parameter = ['oauth_consumer_key', consumerKey]
  const method: Parameter = ['oauth_signature_method', signer.method]
  const tokens: readonly Parameter[] = token === undefined ? [] : [['oauth_token', token]]
  const usual: readonly Parameter[] = [...tokens, ['oauth_version', '1.0']]
  const start = `OAuth ${write(realm === undefined ? [] : [['realm', realm]])}${write([consumer])}`
  const middle = write([method])
  const end = write(usual)
  const baseStringOf = rememberLast()

  /** Makes what is signed, and the header up to the signature: the request may change while a signature is awaited. */
  const prepare = (request: RequestToSign) => {
    checkFreshness(request)
    const { nonce, protocolParameters } = request
    const timestamp = String(request.timestamp)
    const last = protocolParameters === undefined ? usual : [...tokens, ...furtherOf(protocolParameters)]
    const fresh: readonly Parameter[] = [consumer, ['oauth_nonce', nonce], method, ['oauth_timestamp', timestamp]]
    const baseString = baseStringOf(request, [...fresh, ...last])
    const written = `oauth_nonce="${percentEncode(nonce)}", ${middle}oauth_timestamp="${timestamp}", `
    return { baseString, header: `${start}${written}${last === usual ? end : write(last)}` }
  }

  const signed = (header: string, signature: string): string => `${header}oauth_signature="${percentEncode(signature)}"`

  return {
    async header(request) {
      const { baseString, header } = prepare(request)
      if (signer instanceof HmacSigner) return signed(header, signer.signText(baseString))
      return signed(header, toBase64(await signer.sign(Buffer.from(baseString))))
    },
    headerSync(request) {
      const { baseString, header } = prepare(request)
      if (signer instanceof HmacSigner) return signed(header, signer.signText(baseString))
      return signed(header, toBase64(atOnce(signer.sign(Buffer.from(baseString)))))
    },
  }
}

/**
 * Builds base strings and keeps the names and the address of the last one, never a value: a program sends the same form again
 * and again, and encoding and sorting its names takes as long as all the rest.
 */
function rememberLast() {
  let order: NameOrder | undefined
  let address: { readonly method: string; readonly href: string; readonly start: string } | undefined
  return ({ method = 'POST', url, parameters }: RequestToSign, protocol: readonly Parameter[]): string => {
    const form = gatherParameters(url, parameters)
    const covered = [...form, ...protocol]
    // In a known order no name repeats: the names that were those of the header are not in the form now.
    let joined = order && joinInOrder(order, covered)
    if (joined === undefined) {
      refuseMisplaced(form)
      order = orderNames(covered.map(([name]) => name))
      joined = (order && joinInOrder(order, covered)) ?? percentEncode(normalizePairs(covered))
    }
    const { href } = url
    if (address?.href !== href || address.method !== method) {
      address = { method, href, start: baseStringStart(method, url) }
    }
    return address.start + joined
  }
}

function refuseMisplaced(form: readonly GivenParameter[]): void {
  const misplaced = misplacedOauth(form)
  if (misplaced === undefined) return
  const rule = 'must not be in the form or the query: oauth_* parameters go in the header.'
  throw new InvalidInputError(misplaced, `Parameter ${quoted(misplaced)} ${rule}`)
}

/** Writes parameters as a header has them before others, RFC 5849 section 3.5.1. */
const write = (parameters: readonly Parameter[]): string =>
  parameters.map(([name, value]) => `${encodePart(name, name)}="${encodePart(name, value)}", `).join('')

function furtherOf(parameters: NonNullable<RequestToSign['protocolParameters']>): readonly Parameter[] {
  const further = Object.entries({ oauth_version: '1.0', ...parameters })
  const own = further.find(([name]) =>
    /^(realm|oauth_(consumer_key|nonce|signature|signature_method|timestamp|token))$/.test(name),
  )
  if (own !== undefined) {
    throw new InvalidInputError(own[0], `"${own[0]}" cannot be a further parameter: it has an option, or is made here.`)
  }
  return further.filter(([, value]) => value !== undefined).map(([name, value]) => [name, parameterText(name, value)])
}

function toBase64(signature: Uint8Array): string {
  if (signature instanceof Uint8Array && signature.length > 0) {
    return Buffer.from(signature).toString('base64')
  }
  const message = '"sign" of this signer must give the raw signature as a Uint8Array: not Base64, not hexadecimal.'
  throw new InvalidInputError('signer', message)
}

function atOnce(signature: Uint8Array | Promise<Uint8Array>): Uint8Array {
  const isPromised = typeof (signature as Promise<Uint8Array> | undefined)?.then === 'function'
  if (!isPromised) return signature as Uint8Array
  // An unhandled rejection would end the process.
  Promise.resolve(signature).catch(() => undefined)
  const message = 'This signer answers with a promise: await header(…) in place of headerSync(…).'
  throw new InvalidInputError('signer', message)
}

/** Checks what a request signer is made of. An unset setting would otherwise be signed as the word `undefined`. */
function checkSignerOptions({ consumerKey, signer, realm, token }: RequestSignerOptions): void {
  if (!isFilledText(consumerKey)) throw noText('consumerKey', consumerKey, 'Pass the merchant login.')
  const unseen = unseenProblem(consumerKey)
  if (unseen !== undefined) throw new InvalidInputError('consumerKey', `"consumerKey" ${unseen}`)
  for (const [option, value] of Object.entries({ realm, token })) {
    if (value !== undefined && typeof value !== 'string') throw noText(option, value, 'Leave it out if there is none.')
  }
  if (!isFilledText(signer?.method) || typeof signer.sign !== 'function') {
    throw new InvalidInputError(
      'signer',
      '"signer" has no "method" or no "sign". Pass what hmacSha1Signer or rsaSha256Signer returns.',
    )
  }
}

const isFilledText = (value: unknown): boolean => typeof value === 'string' && value !== ''

function noText(option: string, value: unknown, cure: string): InvalidInputError {
  return new InvalidInputError(option, `"${option}" is ${value === '' ? 'empty' : shown(value)}. ${cure}`)
}

function checkFreshness({ timestamp, nonce }: Pick<RequestToSign, 'timestamp' | 'nonce'>): void {
  if (!Number.isSafeInteger(timestamp) || timestamp <= 0 || timestamp > 99_999_999_999) {
    throw new InvalidInputError(
      'timestamp',
      `"timestamp" is ${String(timestamp)}; it must be whole seconds since the epoch. From milliseconds write ` +
        'Math.floor(milliseconds / 1000).',
    )
  }
  if (!isFilledText(nonce)) throw noText('nonce', nonce, 'Pass text that is new for every request.')
}
