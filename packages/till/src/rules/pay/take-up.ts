import { type AnyOperation, observedStage, operations, type StageName, type WireProfile } from '@tillkit/protocol'
import { mayHaveArrived } from '../../state/attempt-rules.js'
import { documentOf, findOrder, type PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import type { KnownAttempt, KnownOrder } from '../../state/known.js'
import { hasRoom, hasShortIds } from '../../state/room.js'
import { present } from '../../state/values.js'
import { type AskedReply, repliedTo } from '../orders/happened.js'
import { requested } from '../orders/reserve.js'

/** A request that the store has lost: what must have been sent, so that the gateway has its order. */
export interface LostRequest
  extends Pick<KnownAttempt, 'attemptId' | 'reservation' | 'login' | 'baseUrl' | 'fingerprint'> {
  readonly clientOrderId: string
  /** Name of the operation that would be sent for it now. */
  readonly operation: string
  /** The stage that the payment is for. */
  readonly purpose: StageName
  readonly endpointId?: string
  readonly endpointGroupId?: string
}

/** Stages that an order can begin with. */
export const beginnings: ReadonlySet<StageName> = new Set([
  'sale',
  'preauth',
  'verification',
  'payout',
  'payout-check',
  'transfer',
] satisfies StageName[])

/**
 * Takes up an order that the gateway has and the store lost, as after a backup was restored: with a request for it, which must have been
 * sent, and what status says of it. A fact. Its money is that of the reply: nobody knows what was asked for.
 *
 * @param at What the store's clock says, in milliseconds.
 * @returns The very document where the payment is over, or its reference differs in case.
 */
export function takeUpOrder(
  known: PaymentDocument | undefined,
  request: LostRequest,
  { asked, profile, at }: { readonly asked: AskedReply; readonly profile: WireProfile; readonly at: number },
): PaymentDocument {
  const { clientOrderId, login, purpose, ...rest } = request
  const document = documentOf(known, { clientOrderId })
  const about = { clientOrderId, login }
  const there = findOrder(document, about)
  if (document.over !== undefined) return document
  const { reply } = asked
  const isKnown = there?.attempts.some(each => each.effect === 'creates' && mayHaveArrived(each)) === true
  const shown = observedStage({ reply, askedAt: at, createdBy: purpose }, { stages: [], profile })
  const isBeginning = shown !== undefined && beginnings.has(shown)
  const { orderId, amount, currency } = reply
  const lost: KnownAttempt = {
    ...rest,
    clientOrderId,
    login,
    effect: 'creates',
    stages: isBeginning ? stagesOf(request, shown) : stagesOf(request),
    ...(isBeginning ? present({ amount, currency }) : {}),
    reservedAt: at,
    sendBy: at,
    end: { kind: 'accepted', basis: 'status', at, ...present({ orderId }) },
  }
  return repliedTo(isKnown ? document : requested(document, lost), about, { asked, profile, at })
}

/**
 * Takes up another order that the gateway has under the id of a known one, as where something between repeated the request. Nobody here
 * asked for it twice, so that its money is what the known order was to have. A gate.
 *
 * @param another `clientOrderId`: its name. `reservation`: a new one.
 * @returns Undefined where nothing is known of a request for the order, or there is no room for another one.
 */
export function takeUpAnother(
  document: PaymentDocument,
  known: KnownOrder,
  { clientOrderId, reservation, asked, profile, at }: AnotherOrder,
): PaymentDocument | undefined {
  const { login } = known
  const { orderId } = asked.reply
  const creation = known.attempts.find(({ effect }) => effect === 'creates')
  if (creation === undefined || !hasShortIds([orderId])) return undefined
  const { absence: _absence, overdue: _overdue, person: _person, ...request } = creation
  const repeated: KnownAttempt = {
    ...request,
    clientOrderId,
    attemptId: reservation,
    reservation,
    reservedAt: at,
    sendBy: at,
    end: { kind: 'accepted', basis: 'status', at, ...present({ orderId }) },
  }
  const about = { clientOrderId, login }
  const begun = evolve(requested(document, repeated), { kind: 'adopted', order: about, at })
  const after = repliedTo(begun, about, { asked, profile, at })
  return findOrder(after, about)?.crowded === true || !hasRoom(after, 'status') ? undefined : after
}

interface AnotherOrder {
  readonly clientOrderId: string
  readonly reservation: string
  readonly asked: AskedReply
  readonly profile: WireProfile
  readonly at: number
}

/** The stages that the request can have made: those of its operation, or what was seen in their place. A checked payout is sent later. */
function stagesOf({ operation, purpose }: LostRequest, shown: StageName = purpose): readonly StageName[] {
  const rows: { readonly [name: string]: AnyOperation } = operations
  const own = purpose === 'payout-check' ? [purpose] : (rows[operation]?.stages ?? [purpose])
  if (own.includes(shown)) return own
  return purpose === 'payout-check' && shown === 'payout' ? [purpose, shown] : [shown]
}
