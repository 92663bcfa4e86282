import { quote, readMinorUnits, type StageName, type WireProfile } from '@tillkit/protocol'
import { currencyDigits, fromMinorUnits, InvalidInputError } from '@tillkit/signing'
import { refuse } from '../replies/refusal.js'
import type { StoredCard } from './card.js'

/** How a stage ends, or `unknown`, which is not an end. */
export interface Verdict {
  readonly outcome: 'approved' | 'declined' | 'filtered' | 'error' | 'unknown'
  readonly errorCode?: string
  readonly errorMessage?: string
}

export interface ThreeDSecure {
  readonly step: 'method' | 'challenge' | 'pares' | 'gateway-run' | 'done'
  /** `threeDSServerTransID`. */
  readonly serverTransId: string
  /** When the ten seconds of the method step began, in milliseconds since the epoch: see the profile's `methodTimeStart`. */
  readonly methodStartedAt?: number
  /** Whether the page of the method was loaded, and led the browser on to notify the shop. */
  readonly methodCompleted?: true
  /** `verified-3d-status`. */
  readonly verified?: 'AUTHENTICATED' | 'NOT_AUTHENTICATED'
}

/**
 * One thing that happened to an order's money. Every stage has every field in the same order, even if undefined: one shape
 * keeps a hundred thousand of them small in memory.
 */
export interface Stage {
  readonly stage: StageName
  /** Name of the operation that asked for it; undefined where none did. */
  readonly operation?: string | undefined
  /** Serial numbers of the requests about it; the first one started it. Empty where nobody can ask for it by number. */
  readonly serialNumbers: readonly string[]
  /** Minor units; undefined where there is no amount. */
  readonly amount: bigint | undefined
  /** When it began, in milliseconds since the epoch. */
  readonly createdAt: number
  /** How it ends, once that is decided. Undefined while the customer has something to do. */
  readonly verdict?: Verdict | undefined
  /** When the verdict is known, in milliseconds since the epoch. */
  readonly finalAt?: number | undefined
  readonly approvalCode?: string | undefined
  /** Retrieval reference number of the acquirer. */
  readonly rrn?: string | undefined
  readonly threeDSecure?: ThreeDSecure | undefined
  readonly comment?: string | undefined
  /** Where callbacks about this stage go, in place of the order's address. */
  readonly serverCallbackUrl?: string | undefined
  /** From when on status and callbacks show its amount, in milliseconds since the epoch. Undefined where they always do. */
  readonly amountShownAt?: number | undefined
}

export interface Order {
  readonly orderId: string
  readonly clientOrderId: string
  /** Login of the merchant. */
  readonly login: string
  /** Endpoint or endpoint group of the path. */
  readonly endpointId: string
  readonly currency: string | undefined
  /** Oldest first, never empty. */
  readonly stages: readonly [Stage, ...Stage[]]
  readonly card?: StoredCard | undefined
  /** Receiver of a transfer. */
  readonly destinationCard?: StoredCard | undefined
  readonly description?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly merchantData?: string | undefined
  readonly redirectUrl?: string | undefined
  readonly redirectSuccessUrl?: string | undefined
  readonly redirectFailUrl?: string | undefined
  readonly serverCallbackUrl?: string | undefined
  readonly notifyUrl?: string | undefined
}

/** The outcome of a stage once it is known, `processing` before. */
export function stageOutcome(stage: Stage, now: number): Verdict['outcome'] | 'processing' {
  if (stage.verdict === undefined || stage.finalAt === undefined || now < stage.finalAt) return 'processing'
  return stage.verdict.outcome
}

export const isApproved = (stage: Stage, now: number): boolean => stageOutcome(stage, now) === 'approved'

export const hasEnded = (stage: Stage, now: number): boolean =>
  !['processing', 'unknown'].includes(stageOutcome(stage, now))

export const latestStage = (order: Order): Stage => order.stages.at(-1) ?? order.stages[0]

export const addStage = (order: Order, stage: Stage): Order => ({ ...order, stages: [...order.stages, stage] })

/** The stage as it was while nobody knew how it would end. */
export const openStage = (stage: Stage): Stage => ({
  ...stage,
  verdict: undefined,
  finalAt: undefined,
  approvalCode: undefined,
  rrn: undefined,
})

export function replaceStage(
  order: Order,
  { before, after }: { readonly before: Stage; readonly after: Stage },
): Order {
  const [first, ...rest] = order.stages.map(stage => (stage === before ? after : stage))
  return { ...order, stages: [first ?? after, ...rest] }
}

/** The amount of a stage with exactly the currency's digits, those of the profile first; undefined where it has none. */
export function stageAmount(
  { currency }: Pick<Order, 'currency'>,
  { amount }: Pick<Stage, 'amount'>,
  profile: Pick<WireProfile, 'currencyDigits'>,
): string | undefined {
  if (amount === undefined || currency === undefined) return undefined
  return fromMinorUnits(amount, currency, 'iso-4217', profile.currencyDigits.value)
}

/**
 * Reads amount and currency of a request, or refuses it. As public pages have it, `10.5` is 10.50.
 *
 * @param settings Its `currency` is the only one; undefined where any is taken.
 */
export function readAmount(
  fields: Readonly<Record<string, string | undefined>>,
  settings: { readonly currency: string | undefined; readonly profile: WireProfile },
): { readonly amount: bigint; readonly currency: string } {
  const { amount: text, currency } = fields
  if (text === undefined || currency === undefined) {
    const [given, missing] = text === undefined ? ['currency', 'amount'] : ['amount', 'currency']
    refuse(
      'missing-field',
      `There is "${given}" without "${missing}": send both, or neither where both may be left out.`,
    )
  }
  const { profile } = settings
  const own = profile.currencyDigits.value
  if (currencyDigits(currency, own) === undefined) {
    refuse(
      'invalid-field',
      `"currency" is ${quote(currency)}, no ISO 4217 code such as "EUR". Where the gateway takes ` +
        'another one, give the fake a profile that has its digits: defineProfile({ currencyDigits }).',
    )
  }
  if (settings.currency !== undefined && currency !== settings.currency) {
    refuse('invalid-field', `"currency" is "${currency}"; the currency of this endpoint is "${settings.currency}".`)
  }
  const amount = minorUnits(text, { currency, profile })
  if (amount === undefined || amount <= 0n) {
    refuse(
      'invalid-field',
      `"amount" is ${quote(text)}; for ${currency} it must look like "${fromMinorUnits('1000', currency, 'iso-4217', own)}": ` +
        'above zero, a point before the fraction.',
    )
  }
  return { amount, currency }
}

/** @returns Minor units; undefined for a text that is no amount of this currency, or more digits than it has. */
export function minorUnits(
  text: string,
  { currency, profile }: { readonly currency: string; readonly profile: WireProfile },
): bigint | undefined {
  try {
    return readMinorUnits(text, currency, profile)
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}
