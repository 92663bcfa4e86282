import { checkProfile, type StateSecrets, stateSecretsOption } from '@tillkit/express-middleware/core'
import type { AccountsThen } from '../payment/accounts.js'

/** Checks what customers who come back are received with. @throws {TypeError} when an option is wrong. */
export function checkVisits({ all, keys }: AccountsThen, stateSecrets: StateSecrets): void {
  const problem = stateSecretsOption(stateSecrets, 'stateSecrets')
  if (problem !== undefined) throw new TypeError(`createTill: ${problem}`)
  // A leak of one of the two must not be a leak of the other.
  if (stateSecrets.some(({ secret }) => typeof secret === 'string' && keys.includes(secret)))
    throw new TypeError('createTill: "stateSecrets" holds a control key. Make a secret of its own.')
  for (const { profile } of all) checkProfile(profile, 'browserReturnItems')
}
