import {
  checkCallback,
  checkProfile,
  type Rejection,
  readState,
  type readWhatIsThere,
  refused,
  type StatePurpose,
  StateRejectedError,
  type StateSecrets,
  stateSecretsOption,
} from '@tillkit/express-middleware/core'
import { quote } from '@tillkit/protocol'
import type { Account, AccountsThen } from '../payment/accounts.js'
import type { Warn } from '../said/warnings.js'

/** A customer who comes back, by the state in the address. */
export interface Visitor {
  /** The account of the order. */
  readonly account: Account
  readonly clientOrderId: string
  /** Whether the address is no longer fresh: it is no login, and shows nothing of the payment. */
  readonly isExpired: boolean
}

/** Everything that says whose customer comes back. */
export interface VisitorContext {
  /** The account of an order; any other one if the order is not kept. */
  readonly accountOf: (clientOrderId: string) => Promise<Account>
  /** Those of the accounts as they are now. */
  readonly secrets: () => StateSecrets
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly warn: Warn
}

/** Reads whose customer comes back. @throws {StateRejectedError} for a state that is not the till's own. */
export async function findVisitor(
  { token, purpose }: { readonly token: string; readonly purpose: StatePurpose },
  { accountOf, secrets, clock, warn }: VisitorContext,
): Promise<Visitor> {
  const state = await readState({ token, purpose, secrets: secrets(), now: clock() })
  if (state.kind === 'refused') {
    warn('WARN_CUSTOMER_REFUSED', state)
    throw new StateRejectedError()
  }
  const { kind, clientOrderId } = state
  return { account: await accountOf(clientOrderId), clientOrderId, isExpired: kind === 'expired' }
}

/** Says what is wrong with the parameters that a browser brought. A customer who reloads the page brings none: that is no rejection. */
export function browserRejection(
  read: Awaited<ReturnType<typeof readWhatIsThere>>,
  { account: { controlKeys, profile }, clientOrderId }: Visitor,
): Rejection | undefined {
  if (read.kind === 'refused') return read
  const { parameters } = read
  if (parameters.length === 0) return undefined
  const verdict = checkCallback({ parameters, controlKeys, profile, kind: 'browser-return' })
  if (verdict.kind === 'refused') return verdict
  const named = verdict.callback.signed.clientOrderId
  if (named === clientOrderId) return undefined
  return refused(
    'other-order',
    `The browser returned for order ${quote(named)} with the state of order ${quote(clientOrderId)}.`,
  )
}

/** Checks what customers who come back are received with. @throws {TypeError} when an option is wrong. */
export function checkVisits({ all, keys }: AccountsThen, stateSecrets: StateSecrets): void {
  const problem = stateSecretsOption(stateSecrets, 'stateSecrets')
  if (problem !== undefined) throw new TypeError(`createTill: ${problem}`)
  // A leak of one of the two must not be a leak of the other.
  if (stateSecrets.some(({ secret }) => typeof secret === 'string' && keys.includes(secret)))
    throw new TypeError('createTill: "stateSecrets" holds a control key. Make a secret of its own.')
  for (const { profile } of all) checkProfile(profile, 'browserReturnItems')
}
