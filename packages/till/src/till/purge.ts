import type { WireProfile } from '@tillkit/protocol'
import { type Next, planned } from '../intents/next.js'
import type { Accounts } from '../payment/accounts.js'
import { longestWait } from '../payment/book.js'
import { kept } from '../payment/deliveries.js'
import { codeOf } from '../payment/errors.js'
import { purged } from '../rules/pay/purge.js'
import { clocksApart } from '../store/clocks-apart.js'
import { documentKey } from '../store/keys.js'
import { type Stored, StoreError } from '../store/store.js'

/** Which payments are purged. */
export interface PurgeOptions {
  /**
   * For how long nothing may have happened to a payment, in milliseconds. Default: 540 days, since chargebacks come late. At least a day.
   */
  readonly olderThan?: number
}

/** In milliseconds. */
export const day = 86_400_000

/** Documents that are read at once. */
const pageSize = 100

/** Makes what purges payments. */
export function createPurge({
  accounts: {
    engine,
    all: [{ runs, profile }],
  },
  wait,
}: {
  readonly accounts: Accounts
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}) {
  const { store, place } = engine
  const own = documentKey({ clientOrderId: '' }, place)
  const isOwn = ({ key }: Stored): boolean => key.startsWith(own)
  return async ({ olderThan = 540 * day }: PurgeOptions = {}): Promise<{ readonly purged: number }> => {
    if (!Number.isSafeInteger(olderThan) || olderThan < day)
      throw new TypeError('till.purge: "olderThan" must be whole milliseconds, and at least a day.')
    const { at } = await store.read(own)
    const apart = clocksApart(at, runs.clocks.system())
    if (apart !== undefined) throw new StoreError('ERR_STORE_CLOCK', `till.purge: ${apart}`)
    let count = 0
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const page = await store.list({ limit: pageSize, ...(after === undefined ? {} : { after }) })
      for (const stored of page.items)
        if (isOwn(stored) && (await purge(stored.key, olderThan).catch(laterRelease))) count += 1
      after = page.next
    }
    return { purged: count }
  }

  async function purge(key: string, olderThan: number): Promise<boolean> {
    const next = planned('purge', { profile, olderThan }, purgeOld)
    const { result } = await kept(engine.drive({ ...runs, key, next, patience: longestWait, wait }))
    return result
  }
}

/** Purges a payment to which nothing has happened for so long, in milliseconds. */
export const purgeOld =
  ({ profile, olderThan }: { readonly profile: WireProfile; readonly olderThan: number }): Next<boolean> =>
  ({ payment, at: { earliest: at } }) => {
    const left = payment && purged(payment, { profile, at, before: at - olderThan })
    return { kind: 'end', result: left !== payment, payment: left }
  }

/** A payment that another release wrote stays. @throws Every other error. */
function laterRelease(error: unknown): false {
  if (codeOf(error) === 'ERR_STORE_DOCUMENT') return false
  throw error
}
