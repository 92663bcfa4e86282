import { type GiveBackStep, giveBackStep, type ReceivedOutcome, standingOf, type WantedChange } from '@tillkit/protocol'
import type { ChangeContext } from './changes.js'

/**
 * What the till wants done about an order that it tells of: the money of a surplus order is given back. Of a payout nothing can be.
 *
 * @returns undefined where nothing is to be done.
 */
export function surplusWish(outcome: ReceivedOutcome): WantedChange | undefined {
  if (outcome.kind !== 'surplus') return undefined
  const { moneyMoved } = outcome
  if (moneyMoved === 'held') return { name: 'void', because: 'surplus' }
  return moneyMoved === 'captured' ? { name: 'return', because: 'surplus' } : undefined
}

/**
 * Whether a surplus order is still to be given back. Status is asked about every order of the payment that has money: a person may have
 * given one of them back at the gateway. Without an answer nothing is given back.
 */
export async function surplusStep(
  { reference, clientOrderId }: { readonly reference: string; readonly clientOrderId: string },
  { accounts, payments, ask }: Pick<ChangeContext, 'accounts' | 'payments' | 'ask'>,
): Promise<GiveBackStep> {
  const { profile } = accounts.all[0]
  const { document, at } = await payments.read(reference)
  const withMoney = document?.orders.filter(each => standingOf(each, at, profile) === 'approved') ?? []
  for (const order of withMoney) {
    const account = accounts.ofLogin(order.login)
    if (account === undefined) return 'person'
    const asked = await ask(order, account, at)
    if (asked === 'no-answer' || asked === 'not-known') return 'wait'
  }
  const { document: now } = await payments.read(reference)
  return now === undefined ? 'person' : giveBackStep(now, clientOrderId, profile)
}
