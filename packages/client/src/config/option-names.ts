/**
 * Names of options. One that nobody reads is refused: a misspelt `attempts` would silently switch off the protection
 * against sending an order twice.
 *
 * @module
 */

import { nearName } from '@tillkit/protocol'
import type { ResolveOptions } from '../attempts/resolve/types.js'
import type { CheckOptions } from '../check/run-check.js'
import type { AwaitOutcomeOptions } from '../outcomes/watch-outcome.js'
import type { Merchant } from './credentials.js'
import type { CallOptions, ClientOptions } from './options.js'

/** An option that does not exist. */
export interface UnknownOption {
  readonly option: string
  /** What is wrong and which name was probably meant. */
  readonly problem: string
}

const clientOptionNames = {
  baseUrl: true,
  allowPlainHttp: true,
  endpointId: true,
  endpointGroupId: true,
  login: true,
  controlKey: true,
  privateKey: true,
  profile: true,
  dispatcher: true,
  attempts: true,
  environment: true,
  timeout: true,
  maxReplyBytes: true,
  clock: true,
  nonce: true,
  observer: true,
  freshConnection: true,
  retries: true,
  random: true,
  wait: true,
  serverCallbackUrl: true,
  uses: true,
} as const satisfies Record<keyof ClientOptions, true>

const callOptionNames = {
  endpointId: true,
  endpointGroupId: true,
  merchant: true,
  signal: true,
  timeout: true,
  attemptId: true,
  freshConnection: true,
  retries: true,
} as const satisfies Record<keyof CallOptions, true>

const merchantNames = {
  endpointId: true,
  endpointGroupId: true,
  login: true,
  controlKey: true,
  privateKey: true,
} as const satisfies Record<keyof Merchant, true>

const checkOptionNames = {
  timeout: true,
  signal: true,
  schemes: true,
  merchant: true,
} as const satisfies Record<keyof CheckOptions, true>

const waitOptionNames = {
  deadline: true,
  schedule: true,
  signal: true,
  endpointId: true,
  endpointGroupId: true,
  merchant: true,
  timeout: true,
  freshConnection: true,
} as const satisfies Record<keyof AwaitOutcomeOptions, true>

const resolveOptionNames = {
  position: true,
  quietPeriod: true,
  apart: true,
  connectionClosed: true,
  merchant: true,
  timeout: true,
  signal: true,
  retries: true,
} as const satisfies Record<keyof ResolveOptions, true>

/** The first of the options of `createClient` that does not exist. */
export function unknownClientOption(options: object): UnknownOption | undefined {
  return unknownOption(options, { known: Object.keys(clientOptionNames), owner: 'createClient' })
}

const callOptions = Object.keys(callOptionNames)

/** The first of the options of a call that does not exist. */
export function unknownCallOption(options: object): UnknownOption | undefined {
  return unknownOption(options, { known: callOptions, owner: 'a call' })
}

/** The first of the properties of a merchant that does not exist. */
export function unknownMerchantOption(merchant: object): UnknownOption | undefined {
  return unknownOption(merchant, { known: Object.keys(merchantNames), owner: 'a merchant' })
}

/** The first of the options of `client.check` that does not exist. */
export function unknownCheckOption(options: object): UnknownOption | undefined {
  return unknownOption(options, { known: Object.keys(checkOptionNames), owner: 'check()' })
}

/** The first of the options of `client.awaitOutcome` that does not exist. */
export function unknownWaitOption(options: object): UnknownOption | undefined {
  return unknownOption(options, { known: Object.keys(waitOptionNames), owner: 'a wait for an outcome' })
}

/** The first of the options of `client.resolve` that does not exist. */
export function unknownResolveOption(options: object): UnknownOption | undefined {
  return unknownOption(options, { known: Object.keys(resolveOptionNames), owner: 'resolve()' })
}

function unknownOption(
  options: object,
  { known, owner }: { readonly known: readonly string[]; readonly owner: string },
): UnknownOption | undefined {
  const option = Object.keys(options).find(name => !known.includes(name))
  if (option === undefined) return undefined
  const near = nearName(option, known)
  const hint = near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean "${near}"?`
  return { option, problem: `"${option.slice(0, 60)}" is no option of ${owner}. ${hint}` }
}
