import {
  type Attempt,
  changedOrderKey,
  findOrder,
  isUnresolved,
  type KnownAttempt,
  mayHaveArrived,
  type Order,
  quote,
  quoteMoney,
  type RememberedAttempt,
} from '@tillkit/protocol'
import { settingsOf } from '../config/merchant.js'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'

/** Whose changes to look for, and where. */
export interface UnseenInput {
  readonly options: CallOptions
  readonly settings: Settings
}

/**
 * Remarks on the changes that the store has of an order and that are not among its stages; on one whose outcome is open, even if
 * a stage looks like it. Where the store does not answer, that is the remark: what it has may be missing.
 */
export async function unseenChanges(order: Order, { options, settings }: UnseenInput): Promise<readonly string[]> {
  const { merchant } = options
  const { login } = merchant === undefined ? settings : settingsOf(merchant, settings).settings
  if (settings.book === undefined || order.orderId === undefined) return []
  const changes = await changesOfOrder({ ...order, login }, settings)
  if (changes === undefined) return [unlisted]
  return changes.filter(each => mayHaveArrived(each) && !isAmong(order, each)).map(describe)
}

/** The changes of an attempt's order that the store has; undefined where it cannot tell, or there is no store. */
export async function changesOfOrder(
  about: Pick<Attempt, 'clientOrderId' | 'orderId' | 'login'>,
  { book }: Pick<Settings, 'book'>,
): Promise<readonly KnownAttempt[] | undefined> {
  try {
    const read = await book?.read(about, about.login)
    if (read === undefined) return undefined
    const order = read.document === undefined ? undefined : findOrder(read.document, about)
    return (order?.attempts ?? []).filter(each => changedOrderKey(each) !== undefined)
  } catch {
    return undefined
  }
}

const unlisted =
  'The store did not say which changes of this order were sent, so that one which status does not show yet may be ' +
  'missing.'

function isAmong({ stages }: Order, change: RememberedAttempt): boolean {
  if (isUnresolved(change)) return false
  const serialNumber = change.end?.serialNumber
  return stages.some(
    each =>
      change.stages.includes(each.stage) &&
      (each.serialNumber === undefined || serialNumber === undefined || each.serialNumber === serialNumber),
  )
}

function describe(change: RememberedAttempt): string {
  const { operation, attemptId, end } = change
  const over = change.amount === undefined ? 'the whole' : quoteMoney(change)
  const which = `A ${operation} over ${over} (attempt ${quote(attemptId)})`
  if (isUnresolved(change))
    return `${which} was sent and its outcome is open: resolve it. Nothing is allowed until then.`
  const cure =
    end?.serialNumber === undefined ? 'Ask again later.' : `Ask with its serial number, ${quote(end.serialNumber)}.`
  return `${which} was accepted, and status does not show it: it may lag behind. ${cure} Nothing is allowed until then.`
}
