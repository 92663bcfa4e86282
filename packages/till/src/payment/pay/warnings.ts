import type { WarningEvent } from '@tillkit/express-middleware/core'
import type { AskedOrder } from '../../intents/ask.js'
import type { WarningCode } from '../../said/warnings.js'
import type { RememberedAttempt } from '../../state/attempt-rules.js'
import type { Account } from '../accounts.js'
import { notKnownThere } from '../errors.js'

interface Warning {
  /** Says once a minute of each code and reason. */
  warn(code: WarningCode, event: WarningEvent): void
}

/** Warns of an answer that is not the gateway's. A server at a wrong address never calls back, so nobody would hear of it otherwise. */
export function warnOfForeignAnswer(error: unknown, { client }: Account, { warn }: Warning): void {
  const { cause, attempt } = Object(error) as { readonly cause?: Error; readonly attempt?: RememberedAttempt }
  if (attempt?.end?.foreignStatus === undefined) return
  const explanation = `${cause?.message ?? ''} Is "baseUrl" (${client.baseUrl}) right? Run till.check().`
  warn('WARN_NOT_THE_GATEWAY', { explanation })
}

/** Nothing is sent without an answer, and the customer can only try again later: the merchant would not hear of it otherwise. */
export function warnOfMissingStatus(
  clientOrderId: string,
  { asked, account, context }: { readonly asked: AskedOrder; readonly account: Account; readonly context: Warning },
): void {
  const answers: Partial<Record<AskedOrder, string>> = {
    'not-known': notKnownThere(account),
    'brings-money': 'The gateway says that it brings money, and the store has not kept that: look at its database.',
  }
  const answer = answers[asked] ?? 'The gateway gave no answer, or one that is not final any more.'
  const explanation = `Order ${JSON.stringify(clientOrderId)}. ${answer} Another order could be a second charge.`
  context.warn('WARN_STATUS_MISSING', { reason: asked, explanation })
}
