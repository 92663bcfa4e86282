/**
 * The parts that the process that dies and the one that takes over have in common.
 *
 * @module
 */
import type { Till, TillAccount, TillContext, TillOptions, TillOutcome } from '@tillkit/till'
import { noteTold } from '../../kills/merchant.js'
import type { Act } from './points.js'

/** The timeout of a request, in milliseconds: one without an answer is known to be over after twice that time. */
export const timeout = 1_000

/** The till of a process, without its store. */
export const tillOptions = ({ account, port }: { readonly account: TillAccount; readonly port: number }) =>
  ({
    account: { ...account, timeout },
    name: 'points',
    address: `http://127.0.0.1:${port}/payments`,
    returnTo: () => '/',
    handlerTimeout: 1_000,
    async onOutcome(outcome: TillOutcome, { transaction, afterwards }: TillContext<never>): Promise<void> {
      await noteTold(outcome, transaction)
      if (outcome.kind === 'held') afterwards.capture()
    },
  }) satisfies Partial<TillOptions<never>>

const money = { amount: '10.00', currency: 'EUR' }
const customer = { ...money, email: 'ada@shop.example' }

/** The acts of a shop. Each gives the address that the customer is sent to, if there is one. */
export const actsOf = (
  till: Till,
): {
  readonly [Name in Exclude<Act, 'customer' | 'customer-declined'> | 'nothing']: (reference: string) => Promise<string>
} => ({
  pay: async reference => (await till.pay({ reference, ...customer })).address,
  hold: async reference => (await till.pay({ reference, ...customer, hold: true })).address,
  tick: async () => {
    await till.tick()
    return ''
  },
  return: async reference => {
    await till.return(reference, { amount: '3.00', key: 'parcel-2' })
    return ''
  },
  payout: async reference => {
    await till.payout({ reference, ...money, accountNumber: 'NL91ABNA0417164300', checked: true })
    return ''
  },
  nothing: async () => '',
})
