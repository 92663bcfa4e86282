import { type SecuredSoFar, type SecurePlan, secure } from '../../intents/customers/secure.js'
import type { Visit } from './visit.js'

type Tracked = Pick<Visit, 'account' | 'clientOrderId' | 'keyOf' | 'drive'>

/**
 * Reads how far the customer is, and writes down what follows from it, in one run. A store that does not take it holds no customer up: the
 * merchant is warned, and the customer goes on as if it were written.
 *
 * @throws Why it cannot be read.
 */
export async function track(
  { account, clientOrderId, keyOf, drive }: Tracked,
  seen: SecurePlan['seen'],
): Promise<SecuredSoFar> {
  const key = keyOf(clientOrderId)
  const about = { clientOrderId, login: account.login }
  const ended = await drive(account, key, { next: secure({ about, seen }) })
  if (ended.kind === 'done') return ended.result
  account.runs.onTrouble({ kind: 'given-up', key, cause: ended.cause, failures: 1 })
  throw ended.cause
}

/** Writes down that a step was handed over, or its result uploaded. A store that fails holds no customer up: the merchant is warned. */
export const noteDone = (visit: Tracked, key: string): Promise<unknown> =>
  track(visit, () => ({ done: [key] })).catch(() => undefined)
