/** How a stage ends, or `unknown`, which is not an end. */
export interface Verdict {
  readonly outcome: 'approved' | 'declined' | 'filtered' | 'error' | 'unknown'
  readonly errorCode?: string
  readonly errorMessage?: string
}

/** What the CVV2 decides. */
export type SandboxOutcome = Verdict | '3ds'

/** Everything went well. */
export const approved: Verdict = Object.freeze({ outcome: 'approved' })

/** A decline with its code and its text. */
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

/** The outcome for a CVV2. */
export const sandboxOutcome = (cvv2: string): SandboxOutcome =>
  sandboxCodes.find(code => code.cvv2 === cvv2)?.does ?? declined('100', 'Decline')

/** The outcome for a card whose month is over, whatever its CVV2. */
export const expiredCard: Verdict = declined('101', 'Decline, expired card')

/** Bank account whose payouts are declined. The fake's own convention. */
export const declinedAccount = '0000000000'

/** The outcome of a payout to that account. */
export const refusedAccount: Verdict = declined('104', 'Decline, the recipient cannot be credited')
