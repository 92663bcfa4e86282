import {
  type Attempt,
  isUnresolved,
  mayHaveArrived,
  type Order,
  quote,
  quoteMoney,
  type RememberedAttempt,
  readAttempt,
} from '@tillkit/protocol'
import { settingsOf } from '../config/merchant.js'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import { withTimeLimit } from '../transport/deadline.js'

/** How long the port may take, in milliseconds. */
const longestListing = 5_000

/** Whose changes to look for, and where. */
export interface UnseenInput {
  readonly options: CallOptions
  readonly settings: Settings
}

/**
 * Remarks on the changes that the port remembers of an order and that are not among its stages; on one whose outcome is
 * open, even if a stage looks like it. Where the port does not answer, that is the remark: what it knows may be missing.
 */
export async function unseenChanges(order: Order, input: UnseenInput): Promise<readonly string[]> {
  const { settings } = input
  if (settings.attempts === undefined || order.orderId === undefined) return []
  const changes = await changesOfOrder(anyChangeOf(order, input), settings)
  if (changes === undefined) return [unlisted]
  return changes.filter(each => mayHaveArrived(each) && !isAmong(order, each)).map(describe)
}

/** The changes of an attempt's order that the port remembers; undefined where it cannot tell, or there is no port. */
export async function changesOfOrder(
  attempt: Attempt,
  { attempts, wait }: Settings,
): Promise<readonly RememberedAttempt[] | undefined> {
  if (attempts === undefined) return undefined
  try {
    const listed = await withTimeLimit(attempts.changesOf(attempt), { most: longestListing, wait })
    return listed.kind === 'kept' && Array.isArray(listed.value) ? listed.value.map(readAttempt) : undefined
  } catch {
    return undefined
  }
}

const unlisted =
  'The attempts port did not say which changes of this order were sent, so that one which status does not show yet may be ' +
  'missing.'

/** The port finds changes by the order of another one. This one is never sent or remembered. */
function anyChangeOf({ clientOrderId, orderId = '' }: Order, { options, settings }: UnseenInput): Attempt {
  const { merchant } = options
  const { login, baseUrl } = merchant === undefined ? settings : settingsOf(merchant, settings).settings
  return {
    attemptId: '',
    operation: 'return',
    effect: 'changes',
    stages: ['reversal'],
    login,
    baseUrl: baseUrl.address,
    clientOrderId,
    orderId,
    fingerprint: '',
    reservedAt: settings.clock(),
  }
}

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
