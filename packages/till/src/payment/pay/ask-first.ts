import type { KnownOrder } from '@tillkit/protocol'
import type { AskedOrder } from '../../intents/ask.js'
import type { Account } from '../accounts.js'
import { formElsewhere, notKnownThere } from '../errors.js'
import type { PayContext, Round } from './pay-context.js'

/**
 * Asks status about orders before anything more is opened, until one gives no answer. What was learnt is kept for the next decision.
 *
 * @throws {RedirectRefusedError} where the form of one is at another gateway.
 */
export async function askFirst(
  orders: readonly KnownOrder[],
  { read, account: current, learnt, context }: Round,
): Promise<void> {
  for (const order of orders) {
    const account = context.accounts.ofLogin(order.login) ?? current
    const asked = await context.ask(order, account, read.at)
    const { clientOrderId = '', stages, orderId } = order
    if (asked === 'brings-money') {
      // The document says so next time; where it does not, the store is behind.
      if (learnt.paid.has(clientOrderId)) {
        warnOfMissingStatus(clientOrderId, { asked, account, context })
        learnt.unanswered.add(clientOrderId)
      }
      learnt.paid.add(clientOrderId)
      return
    }
    // Of an order that nobody ever saw at the gateway, a refused question is all that there can be.
    if (asked === 'no-answer' || (asked === 'not-known' && (stages.length > 0 || orderId !== undefined))) {
      if (asked === 'not-known' && learnt.unreachable.has(clientOrderId))
        throw formElsewhere(order, { account, isKnown: false })
      warnOfMissingStatus(clientOrderId, { asked, account, context })
      learnt.unanswered.add(clientOrderId)
      return
    }
    learnt.asked.add(clientOrderId)
    if (asked === 'begun') learnt.begun.add(clientOrderId)
  }
}

/** Nothing is sent without an answer, and the customer can only try again later: the merchant would not hear of it otherwise. */
export function warnOfMissingStatus(
  clientOrderId: string,
  {
    asked,
    account,
    context,
  }: { readonly asked: AskedOrder; readonly account: Account; readonly context: Pick<PayContext, 'warn'> },
): void {
  const answers: Partial<Record<AskedOrder, string>> = {
    'not-known': notKnownThere(account),
    'brings-money': 'The gateway says that it brings money, and the store has not kept that: look at its database.',
  }
  const answer = answers[asked] ?? 'The gateway gave no answer, or one that is not final any more.'
  const explanation = `Order ${JSON.stringify(clientOrderId)}. ${answer} Another order could be a second charge.`
  context.warn('WARN_STATUS_MISSING', { reason: asked, explanation })
}
