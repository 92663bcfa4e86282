import { aCount, aText, checkOptions, mustBe, oneOfWords, required, type WireProfile } from '@tillkit/protocol'
import { minorUnits, type Verdict } from './order.js'

/** How a stage ends, `unknown`, which is not an end, or `3ds`, which asks the customer first. */
export type PlannedOutcome = (typeof plannableOutcomes)[number]

/** An outcome to plan. What is left out fits everything. */
export interface OutcomePlan {
  readonly outcome: PlannedOutcome
  readonly operation?: string
  /** Major units, such as `66.60`; `66.6` is the same. */
  readonly amount?: string
  /** The merchant's id of the order. */
  readonly clientOrderId?: string
  /** How often it decides. Default: once; with an amount, without end. */
  readonly times?: number
  /** Of a refusal. Default: 100. */
  readonly errorCode?: string
  /** Of a refusal. Default: `Decline`. */
  readonly errorMessage?: string
}

/** An outcome that is planned. */
export interface WaitingOutcome extends Omit<OutcomePlan, 'times'> {
  /** How often it will still decide. Absent when without end. */
  readonly times?: number
}

/** The planned outcomes of a gateway. The first that fits decides, before the card's security code does. */
export interface Outcomes {
  /** @throws {TypeError} that names what is wrong with it. */
  plan(outcome: PlannedOutcome | OutcomePlan): void
  planned(): readonly WaitingOutcome[]
  /** Forgets them all but those of the option `outcomes`. */
  clear(): void
}

export interface Undecided {
  readonly operation: string | undefined
  readonly clientOrderId: string
  /** Minor units. */
  readonly amount: bigint | undefined
  readonly currency: string | undefined
  /** Whether the customer can be asked for 3DS here. */
  readonly allows3ds: boolean
}

/** The planned outcomes, with what the gateway itself uses to decide. */
export type OutcomeTable = Outcomes & ReturnType<typeof createOutcomes>

interface Entry extends Omit<OutcomePlan, 'times'> {
  times: number
  /** Whether it is one of the option `outcomes`. */
  readonly lasting: boolean
}

export function createOutcomes(options: {
  /** Names of the operations that can be named. */
  readonly operations: readonly string[]
  /** Planned from the beginning, and again after a reset. */
  readonly lasting: readonly OutcomePlan[]
  /** Its `currencyDigits` say what an amount is. */
  readonly profile: WireProfile
}) {
  const entryOf = (plan: OutcomePlan, isLasting = false): Entry => {
    checkPlan(plan, options.operations)
    return {
      ...plan,
      lasting: isLasting,
      times: plan.times ?? (plan.amount === undefined ? 1 : Number.POSITIVE_INFINITY),
    }
  }
  const lasting = (): Entry[] => options.lasting.map(plan => entryOf(plan, true))
  let entries: readonly Entry[] = lasting()
  return {
    plan(outcome: PlannedOutcome | OutcomePlan): void {
      entries = [...entries, entryOf(typeof outcome === 'string' ? { outcome } : outcome)]
    },
    planned: () => entries.map(shown),
    /** Those that a test planned and that did not decide as often as planned. */
    unused: () => entries.filter(each => !each.lasting && Number.isFinite(each.times)).map(shown),
    clear(): void {
      entries = lasting()
    },
    /** Decides; `otherwise` where nothing was planned. */
    decide<Otherwise extends SandboxOutcome>(undecided: Undecided, otherwise: Otherwise): Otherwise | Verdict {
      if (entries.length === 0) return otherwise
      const entry = entries.find(each => fits(each, undecided, options.profile))
      if (entry === undefined) return otherwise
      entry.times -= 1
      entries = entries.filter(({ times }) => times > 0)
      return verdictOf(entry) as Otherwise | Verdict
    },
  }
}

function shown({ times, lasting: _lasting, ...rest }: Entry): WaitingOutcome {
  return Number.isFinite(times) ? { ...rest, times } : rest
}

function fits(
  entry: Entry,
  { operation, clientOrderId, amount, currency, allows3ds }: Undecided,
  profile: WireProfile,
): boolean {
  if (entry.outcome === '3ds' && !allows3ds) return false
  if (entry.operation !== undefined && entry.operation !== operation) return false
  if (entry.clientOrderId !== undefined && entry.clientOrderId !== clientOrderId) return false
  if (entry.amount === undefined) return true
  return currency !== undefined && minorUnits(entry.amount, { currency, profile }) === amount
}

function verdictOf({ outcome, errorCode = '100', errorMessage = 'Decline' }: Entry): SandboxOutcome {
  if (outcome === '3ds') return outcome
  if (outcome === 'approved') return approved
  return outcome === 'unknown' ? { outcome } : { outcome, errorCode, errorMessage }
}

export const plannableOutcomes = ['approved', 'declined', 'filtered', 'error', 'unknown', '3ds'] as const

const checkPlan = (plan: OutcomePlan, operations: readonly string[]): void =>
  checkOptions('An outcome', plan, {
    outcome: required(oneOfWords(...plannableOutcomes)),
    operation: oneOfWords(...operations),
    amount: mustBe(value => /^\d+(\.\d+)?$/.test(String(value)), 'in major units, such as "66.60"'),
    clientOrderId: aText,
    times: aCount(),
    errorCode: aText,
    errorMessage: aText,
  })

export type SandboxOutcome = Verdict | '3ds'

export const approved: Verdict = Object.freeze({ outcome: 'approved' })

export const declined = (errorCode: string, errorMessage: string): Verdict =>
  Object.freeze({ outcome: 'declined', errorCode, errorMessage })

/** What each CVV2 does, and the text that people are shown. Every other one declines. */
export const sandboxCodes: readonly { readonly cvv2: string; readonly text: string; readonly does: SandboxOutcome }[] =
  [
    { cvv2: '123', text: 'approved', does: approved },
    { cvv2: '1234', text: 'approved', does: approved },
    { cvv2: '111', text: 'approved without 3DS', does: approved },
    { cvv2: '321', text: '3DS; the password is hint', does: '3ds' },
    { cvv2: '101', text: 'declined, expired card', does: declined('101', 'Decline, expired card') },
    { cvv2: '116', text: 'declined, insufficient funds', does: declined('116', 'Decline, insufficient funds') },
    {
      cvv2: '119',
      text: 'declined, not permitted to cardholder',
      does: declined('119', 'Decline, not permitted to cardholder'),
    },
    { cvv2: '209', text: 'declined, stolen card', does: declined('209', 'Decline, stolen card') },
    { cvv2: '217', text: 'unknown, never final', does: { outcome: 'unknown' } },
  ]

export const sandboxOutcome = (cvv2: string): SandboxOutcome =>
  sandboxCodes.find(code => code.cvv2 === cvv2)?.does ?? declined('100', 'Decline')

export const expiredCard: Verdict = declined('101', 'Decline, expired card')

export const notAuthenticated = declined('300', 'Decline, 3DS authentication failed')

/** Bank account whose payouts are declined. The fake's own convention. */
export const declinedAccount = '0000000000'

/** The outcome of a payout: approved, but for the one account that is always declined. */
export const payoutVerdict = ({ accountNumber }: { readonly accountNumber?: string | undefined }): Verdict =>
  accountNumber === declinedAccount ? declined('104', 'Decline, the recipient cannot be credited') : approved

/**
 * The outcome where no customer is asked: as a security code decides, else approved but for that account. 3DS counts as passed,
 * because the request has no fields for its steps.
 */
export function ordinaryVerdict(fields: {
  readonly cvv2?: string | undefined
  readonly accountNumber?: string | undefined
}): Verdict {
  const outcome = fields.cvv2 === undefined ? payoutVerdict(fields) : sandboxOutcome(fields.cvv2)
  return outcome === '3ds' ? approved : outcome
}
