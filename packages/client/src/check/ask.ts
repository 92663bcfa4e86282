import { type AnyOperation, operations } from '@tillkit/protocol'
import type { PrivateKey } from '@tillkit/signing'
import { call } from '../call/call.js'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import type { Exchange } from '../diagnostics/observer.js'
import { type AnswerDetails, type AnyGatewayError, type GatewayErrorCode, isGatewayError } from '../errors/errors.js'
import type { Connections } from '../transport/types.js'
import type { CheckProbe, ProbeAnswer, ProbeVariant } from './types.js'

type Scheme = CheckProbe['scheme']

/** An answer, to be compared with others. */
export interface AskedProbe extends CheckProbe {
  /** What failed on the way there or back. */
  readonly error?: AnyGatewayError
  /** The answer without what differs from question to question. Equal for answers that say the same. */
  readonly comparable: string
  /** Whether it was answered the same when it was asked again. Only then is it compared with anything. Default: false. */
  readonly isSteady?: boolean
}

export interface AskInput {
  readonly settings: Settings
  readonly connections: Connections
  readonly options: Pick<CallOptions, 'signal' | 'timeout'>
  /** A private key that is wrong on purpose: one for all questions of a check, for it takes a while to make. */
  readonly wrongKey: () => PrivateKey
}

/** An endpoint that no gateway has: the largest 64-bit number. */
const noEndpoint = '9223372036854775807'

/** Asks one question. @throws An {@link InvalidRequestError} when it cannot even be written, and what is no error of this package. */
export async function ask(scheme: Scheme, sent: ProbeVariant, input: AskInput): Promise<AskedProbe> {
  const { settings, connections, options } = input
  let exchange: Exchange | undefined
  const altered = alteredSettings(scheme, sent, input)
  const { observer } = settings
  const observed: Settings = {
    ...altered,
    // The client's observer goes on seeing everything.
    observer: {
      requestStart: request => observer.requestStart?.(request),
      requestEnd: request => observer.requestEnd?.(request),
      signed: signed => observer.signed?.(signed),
      exchange(seen) {
        exchange = seen
        observer.exchange?.(seen)
      },
    },
  }
  const endpoint = { [settings.endpoint.isGroup ? 'endpointGroupId' : 'endpointId']: noEndpoint }
  const callOptions = { ...options, retries: 0, ...(sent === 'unknown-endpoint' ? endpoint : {}) }
  let error: AnyGatewayError | undefined
  try {
    await call({ ...questionFor(scheme, settings.nonce()), options: callOptions, settings: observed, connections })
  } catch (thrown) {
    if (!isGatewayError(thrown) || thrown.code === 'ERR_INVALID_REQUEST') throw thrown
    error = thrown
  }
  const { errorCode, errorMessage }: Partial<AnswerDetails> = error !== undefined && 'httpStatus' in error ? error : {}
  const { httpStatus, clockDifference } = exchange ?? {}
  const answer = answerOf(error)
  return {
    scheme,
    sent,
    answer,
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
    ...(clockDifference === undefined ? {} : { clockDifference }),
    ...(error === undefined ? {} : { message: error.message, error }),
    comparable: [answer, httpStatus, errorCode ?? plain(errorMessage ?? '', altered.login)].join(' '),
  }
}

function alteredSettings(scheme: Scheme, sent: ProbeVariant, { settings, wrongKey }: AskInput): Settings {
  if (sent === 'unknown-login') return { ...settings, login: `${madeUp}${settings.nonce()}` }
  if (sent !== 'wrong-key') return settings
  return scheme === 'oauth-rsa-sha256'
    ? { ...settings, privateKey: wrongKey() }
    : { ...settings, controlKey: `${madeUp}${settings.nonce()}`, previousControlKey: settings.controlKey }
}

/** Where a gateway gives no code, its words are compared, without names and numbers of the question. */
const plain = (message: string, login: string): string =>
  message
    .replaceAll(login, '#')
    .replace(/tillkit-check-[\w-]+/g, '#')
    .replace(/[0-9a-f-]{8,}|\d+/gi, '#')

const answers: { readonly [Code in GatewayErrorCode]?: ProbeAnswer } = {
  ERR_REQUEST_REFUSED: 'refused',
  ERR_AUTHENTICATION_REFUSED: 'authentication-refused',
  ERR_GATEWAY_FAILURE: 'gateway-failure',
  ERR_TRANSPORT: 'broke-off',
  ERR_NOT_SENT: 'not-sent',
}

function answerOf(error: AnyGatewayError | undefined): ProbeAnswer {
  if (error === undefined) return 'record'
  // Without the gateway's own record anything in between may have said so.
  const isAnyones = error.code === 'ERR_AUTHENTICATION_REFUSED' && error.received === undefined
  return isAnyones ? 'unreadable' : (answers[error.code] ?? 'unreadable')
}

/** What begins every order id and login that is made up. */
const madeUp = 'tillkit-check-'

/**
 * The question for a scheme.
 *
 * - `control`: status of an order whose id was just made up.
 * - `oauth-hmac-sha1`: an eligibility question, which moves no money even when it is complete, with neither an order id
 *   nor a card.
 * - `oauth-rsa-sha256`: a card reference for an order whose id was just made up, without the gateway's id of it.
 *
 * Nothing can come of the last two, so they count as reads: they are no attempts, and are not remembered as such.
 */
function questionFor(scheme: Scheme, unique: string) {
  const rows: readonly AnyOperation[] = Object.values(operations)
  const row = rows.find(({ probe, signing }) => probe !== undefined && signing.scheme === scheme)
  if (row === undefined) throw new TypeError(`No operation of the table has a probe for the scheme ${scheme}.`)
  const values = (row.probe ?? []).map(field => [
    field,
    field === 'clientOrderId' ? `${madeUp}${unique}` : 'connection check',
  ])
  const harmless: AnyOperation = { ...row, effect: 'reads', required: [], stages: [] }
  return { row: row.effect === 'reads' ? row : harmless, request: Object.fromEntries(values) }
}
