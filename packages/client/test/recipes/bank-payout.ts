import { defaultProfile, defineProfile } from '@tillkit/protocol'
import { type AwaitedOutcome, type Client, outcomeOf } from '../../src/index.js'

export interface BankPayout {
  /** The order id of this payout: yours, stored before, and never used for another one. */
  readonly clientOrderId: string
  /** Such as `'25.00'`. */
  readonly amount: string
  /** Without spaces. */
  readonly iban: string
  readonly firstName: string
  readonly lastName: string
}

/** Sends euro to a bank account, and waits for how it ended: `approved` and `sent`, or why not. */
export async function payOut(client: Client, { iban, ...payout }: BankPayout): Promise<AwaitedOutcome> {
  const request = { ...payout, currency: 'EUR', accountNumber: iban, orderDesc: `Payout ${payout.clientOrderId}` }
  const reply = await client.payout(request)
  return client.awaitOutcome(outcomeOf('payout', { request, reply }))
}

const { value: maxLengths } = defaultProfile.maxLengths

/** For `createClient({ profile })`, once your acquirer has said that account numbers may be as long as the longest IBAN. */
export const longAccounts = defineProfile(
  { maxLengths: { ...maxLengths, accountNumber: 34 } },
  'our acquirer, in writing',
)
