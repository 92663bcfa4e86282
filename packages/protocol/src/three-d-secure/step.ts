import type { StatusResponse } from '../operations/records/replies.js'
import { finalOutcome } from '../order/attribution.js'
import { defaultProfile } from '../profile/profile.js'
import type { WireProfile } from '../profile/types.js'
import { isSafeAddress, type SafeAddressOptions } from '../redaction/addresses.js'
import { quote } from '../redaction/mask-card-number.js'

/** What the customer has to do before an order goes on. Every address is https, or http to this very machine. */
export type CustomerStep =
  | {
      /** 3DS 2 method: a hidden frame posts `threeDSMethodData` to `methodUrl`; see `threeDSMethodData()`. */
      readonly kind: 'method'
      /** Absent where the gateway gave none: upload `U` at once. */
      readonly methodUrl?: string
      readonly threeDSServerTransId?: string
      /** The operation that sends the result, with `threeDSCompInd()` of the ten-second rule. */
      readonly upload: 'uploadMethodUrlResult'
    }
  | {
      /** 3DS 2 challenge: the customer's browser posts `creq` to `acsUrl` and brings a CRes back. */
      readonly kind: 'challenge'
      readonly acsUrl: string
      readonly creq: string
      readonly threeDSServerTransId?: string
      readonly upload: 'uploadCresResult'
    }
  | {
      /** 3DS 1.0.2: the browser posts `PaReq`, `MD` and a `TermUrl` of yours to `acsUrl` and brings a PaRes back. */
      readonly kind: 'pares'
      readonly acsUrl: string
      readonly paReq: string
      readonly md?: string
      readonly upload: 'uploadParesResult'
    }
  | {
      /**
       * The gateway runs 3DS: show `html`, or send the customer to `redirectTo`, once per order. One of the two is there.
       * The customer comes back to `redirectUrl` of the request; nothing is uploaded.
       */
      readonly kind: 'gateway-run'
      /** Markup of the gateway's. It runs with the rights of the page that shows it. */
      readonly html?: string
      readonly redirectTo?: string
    }
  | {
      /** The reply names a step and lacks what it takes, or has an address that is not safe for a customer: a person must look. */
      readonly kind: 'unusable'
      readonly explanation: string
    }

/**
 * Reads which step of 3DS the customer is at.
 *
 * @param addresses Which addresses a customer may be sent to. Default: https, and http to this very machine.
 * @returns undefined without a step: the status is final, or the reply shows no sign of one. A word of 3DS that this profile does not
 * know is `unusable`: the customer has to do something, and this library does not know what.
 * @see Interface specification, sections 3 (rule 6) and 6; the names come from the wire profile
 */
export function threeDSecureStep(
  reply: StatusResponse,
  profile: WireProfile = defaultProfile,
  addresses: SafeAddressOptions = {},
): CustomerStep | undefined {
  if (finalOutcome(reply.status, profile) !== undefined) return undefined
  const { tdsStatus } = reply
  if (tdsStatus === undefined) return gatewayRun(reply, addresses)
  const steps = profile.threeDSecureSteps.value
  if (tdsStatus === steps.method) return method(reply, addresses)
  if (tdsStatus === steps.challenge) return challenge(reply, addresses)
  if (tdsStatus === steps.pares) return pares(reply, addresses)
  const known = Object.values(steps).map(quote).join(', ')
  return {
    kind: 'unusable',
    explanation:
      `The status reply says ${wordOf(reply)}, which is none of ${known}. ` +
      `${ownFields(reply)}: correct "threeDSecureSteps" with defineProfile.`,
  }
}

function method(reply: StatusResponse, addresses: SafeAddressOptions): CustomerStep {
  const { tdsMethodUrl: methodUrl, tdsServerTransId } = reply
  const step = { kind: 'method', ...withTransId(tdsServerTransId), upload: 'uploadMethodUrlResult' } as const
  if (methodUrl === undefined) return step
  if (tdsServerTransId === undefined) return lacking(reply, { tdsServerTransId })
  return unsafe('tdsMethodUrl', methodUrl, addresses) ?? { ...step, methodUrl }
}

function challenge(reply: StatusResponse, addresses: SafeAddressOptions): CustomerStep {
  const { tdsChallengeUrl: acsUrl, tdsCreq: creq, tdsServerTransId } = reply
  if (acsUrl === undefined || creq === undefined) return lacking(reply, { tdsChallengeUrl: acsUrl, tdsCreq: creq })
  const step = { kind: 'challenge', acsUrl, creq, upload: 'uploadCresResult' } as const
  return unsafe('tdsChallengeUrl', acsUrl, addresses) ?? { ...step, ...withTransId(tdsServerTransId) }
}

function pares(reply: StatusResponse, addresses: SafeAddressOptions): CustomerStep {
  const { tdsParesUrl: acsUrl, tdsPareq: paReq, tdsMd: md } = reply
  if (acsUrl === undefined || paReq === undefined) return lacking(reply, { tdsParesUrl: acsUrl, tdsPareq: paReq })
  const step = { kind: 'pares', acsUrl, paReq, upload: 'uploadParesResult' } as const
  return unsafe('tdsParesUrl', acsUrl, addresses) ?? { ...step, ...(md === undefined ? {} : { md }) }
}

function gatewayRun({ html, redirectTo }: StatusResponse, addresses: SafeAddressOptions): CustomerStep | undefined {
  if (html === undefined && redirectTo === undefined) return undefined
  const step = { kind: 'gateway-run', ...(html === undefined ? {} : { html }) } as const
  return redirectTo === undefined ? step : (unsafe('redirectTo', redirectTo, addresses) ?? { ...step, redirectTo })
}

const withTransId = (id: string | undefined) => (id === undefined ? {} : { threeDSServerTransId: id })

function lacking(reply: StatusResponse, fields: Readonly<Record<string, string | undefined>>): CustomerStep {
  const absent = Object.keys(fields).filter(field => fields[field] === undefined)
  return {
    kind: 'unusable',
    explanation:
      `The status reply says ${wordOf(reply)} and has no ${absent.join(' and no ')}. ` +
      `${ownFields(reply)}: correct "replyFields" with defineProfile.`,
  }
}

const wordOf = ({ tdsStatus }: StatusResponse): string => quote(tdsStatus?.slice(0, 40))

/** Names, never values: what is there under other names is what the wire profile has to be told. */
function ownFields({ raw }: StatusResponse): string {
  const names = Object.keys(raw).filter(name => /^(?:tds[-_]|html$|redirect-to$)/i.test(name))
  const listed = names.slice(0, 20).map(name => quote(name.slice(0, 60)))
  return `Its own fields for 3DS are ${listed.join(', ') || 'none'}`
}

/** The address is not quoted: it may carry a token. */
function unsafe(field: string, address: string, addresses: SafeAddressOptions): CustomerStep | undefined {
  if (URL.canParse(address) && isSafeAddress(new URL(address), addresses)) return undefined
  return {
    kind: 'unusable',
    explanation: `"${field}" of the status reply is not an https address, or carries a user name. The customer was not sent there.`,
  }
}

/** How long the 3DS method may take, in milliseconds. @see Interface specification, section 8 */
export const methodTimeLimit = 10_000

/** What is known of a method step. Times are in milliseconds since the epoch. */
export interface MethodStep {
  /** Whether the gateway gave a method address. */
  readonly methodUrlGiven: boolean
  /** When the hidden frame was shown to the customer. */
  readonly startedAt: number
  /** When its notification arrived, if it did. */
  readonly notifiedAt?: number
  readonly now: number
}

/**
 * The completion indicator to upload: `U` when no method address was given, `Y` when the notification came within ten
 * seconds, `N` once it did not.
 *
 * @returns undefined while there is still time: wait.
 * @see Interface specification, sections 2 (`threeDSCompInd`) and 8
 */
export function threeDSCompInd(step: MethodStep): 'Y' | 'N' | 'U' | undefined {
  const { methodUrlGiven, startedAt, notifiedAt, now } = step
  if (!methodUrlGiven) return 'U'
  if (notifiedAt !== undefined && notifiedAt - startedAt < methodTimeLimit) return 'Y'
  return now - startedAt >= methodTimeLimit || notifiedAt !== undefined ? 'N' : undefined
}

/**
 * The value of the form field `threeDSMethodData` that the hidden frame posts to `methodUrl`: JSON in Base64url without
 * padding.
 *
 * @param input `notificationUrl` is an address of yours that the issuer's server posts to when the method is done.
 * @see EMV 3-D Secure protocol specification, 3DS method data. The interface specification does not show it.
 */
export function threeDSMethodData(input: {
  readonly threeDSServerTransId: string
  readonly notificationUrl: string
}): string {
  const { threeDSServerTransId: threeDSServerTransID, notificationUrl: threeDSMethodNotificationURL } = input
  return Buffer.from(JSON.stringify({ threeDSServerTransID, threeDSMethodNotificationURL })).toString('base64url')
}
