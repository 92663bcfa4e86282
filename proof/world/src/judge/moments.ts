/** The rules that are looked at while a payment lives: each names what is broken, or nothing. */
import type { Ended } from '../../../../packages/till/src/engine/run.js'
import { requestIn } from '../../../../packages/till/src/engine/run.js'
import type { PayResult } from '../../../../packages/till/src/intents/pay.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import type { KnownAttempt } from '../../../../packages/till/src/state/known.js'
import { saysNothing as ofPay } from '../../../explore/src/pay/judge.js'
import { type Broken, breaks } from '../../../explore/src/walk/rules.js'
import { addressOf, type Booked, outcomeOf } from '../gateway/books.js'
import type { Call, Life } from '../life.js'
import type { Living } from '../till/driver.js'
import { knownOf } from '../till/store.js'

/** By how much two clocks of a lawful world may differ, in milliseconds. */
const slack = 1_000

/** A request leaves only once it is durable, in its time, while nobody has ended it, before a pause is known, and beside no money. */
export function wrongRequest(
  life: Life,
  living: Living,
  { reservation, sendBy, effect }: KnownAttempt,
): Broken | undefined {
  const { id, isAlone, mayKnowPause, paidBefore } = living
  const kept = requestIn(knownOf(life.store.row()), reservation)
  const isPutBack = life.restoredUntil !== undefined
  if (kept === undefined && !isPutBack)
    return breaks('kept before it leaves', `${reservation} leaves, and is not durable`)
  if (life.storeTime() >= sendBy + slack) return breaks('in its time', `${reservation} leaves after its time`)
  if (isAlone)
    return breaks('no request after a no', `${reservation} leaves, and its caller was told that nothing is sent`)
  if (kept?.end !== undefined)
    return breaks('nothing means nothing', `${reservation} leaves, and it is kept that it ${kept.end.kind}`)
  if (effect === 'changes') return undefined
  if (mayKnowPause)
    return breaks('not after a stop', `${reservation} leaves, and ${id} knew that new money was stopped`)
  // Status that lags does not show that a customer has paid on a form that the merchant replaces.
  const replaced = life.hasLagged ? replacedIn(living.run.known.document) : []
  const [paid] = paidBefore.filter(orderId => bringsMoney(life, orderId, replaced))
  return paid === undefined
    ? undefined
    : breaks(
        'not beside money',
        `${reservation} leaves, and order ${paid} had brought the money before it was asked for`,
      )
}

/** Whether an order has money that was not given back. */
const bringsMoney = ({ books }: Life, orderId: string, replaced: readonly (string | undefined)[]): boolean => {
  const booked = books.orders.find(each => each.orderId === orderId && !replaced.includes(each.clientOrderId))
  return booked !== undefined && booked.order.stages.length === 1 && outcomeOf(booked.order.stages[0]) === 'approved'
}

/** A handler is called under a lease of its own, one at a time, and told only what the gateway has said. */
export function wrongCall(
  { store, merchant, books, storeTime }: Life,
  { token, call: { key, outcome } }: { readonly token: string; readonly call: Call },
): Broken | undefined {
  const { telling } = knownOf(store.row()).document ?? {}
  if (telling?.token !== token)
    return breaks('one teller', `a handler begins under ${token}, and the lease is somebody else's`)
  if (telling.until + slack <= storeTime())
    return breaks('one teller', `a handler begins under ${token} after its lease`)
  for (const other of merchant.running.values())
    if (other.until > storeTime()) return breaks('one teller', 'two handlers run under leases at one time')
  if (outcome.kind === 'disputed') return undefined
  const { order, stage } = outcome
  const booked = books.orders.find(each => each.orderId === order.orderId)
  const isSaid = booked?.order.stages.some(
    (each, place) => each.stage === stage.stage && booked.words[place]?.has(outcome.outcome) === true,
  )
  return isSaid === true
    ? undefined
    : breaks('said by the gateway', `${outcome.kind} is told of ${key}, and the gateway never said so`)
}

/** Orders that the payment went on without although their forms are open. */
const replacedIn = (document: PaymentDocument | undefined): readonly (string | undefined)[] =>
  (document?.orders ?? []).flatMap(({ left, clientOrderId }) =>
    left !== undefined && left !== 'no-address' ? [clientOrderId] : [],
  )

/** A customer has one form at most that takes money or has taken it, but for one that was replaced or given up, and one that was declined before. */
export function wrongAddress({ books, given, store, restoredUntil }: Life): Broken | undefined {
  const replaced = replacedIn(knownOf(store.row()).document)
  const mayCharge = books.orders.filter(
    each => given.has(addressOf(each)) && !replaced.includes(each.clientOrderId) && mayBringMoney(each),
  )
  return mayCharge.length < 2 || restoredUntil !== undefined
    ? undefined
    : breaks(
        'one charge',
        `customers may pay, or have paid, ${mayCharge.map(({ orderId }) => `form ${orderId}`).join(' and ')}`,
      )
}

const mayBringMoney = ({ order: { stages }, words: [first] }: Booked): boolean =>
  first?.has('declined') !== true && outcomeOf(stages[0]) !== 'failed' && stages.length === 1

/** Results that say that nothing of this run was done, or will be. A request that cannot be made is one here. */
const saysNothing: ReadonlySet<PayResult['kind']> = new Set([...ofPay, 'not-made'])

/** A caller hears that nothing was sent only if nothing of it arrives; that it is paid only if it was; and no address that is not durable. */
export function wrongEnd(life: Life, { id, began }: Living, ended: Ended<PayResult>): Broken | undefined {
  const { books, wire, store } = life
  const isThere = [...books.arrived, ...wire].some(each => each.startsWith(`${id}/`)) && !isRefusedOnly(life, id)
  if (ended.kind === 'failed')
    return isThere ? breaks('nothing means nothing', `${id} says that nothing was sent`) : undefined
  const { result, unwritten } = ended
  const isLate = 'isLate' in result && result.isLate
  if (saysNothing.has(result.kind) && !isLate && isThere)
    return breaks('nothing means nothing', `${id} says ${result.kind}, and its request may arrive`)
  if (result.kind === 'over' && !books.orders.some(({ words: [first] }) => first?.has('approved')))
    return breaks('heard is true', `${id} says over, and nothing was paid`)
  if (result.kind !== 'go' || unwritten !== undefined) return undefined
  const { document } = knownOf(store.row())
  const isKept = document?.orders.some(({ attempts }) =>
    attempts.some(({ end }) => end?.redirectUrl === result.formUrl),
  )
  return isKept === true || (life.restoredUntil ?? 0) > began
    ? undefined
    : breaks('heard is true', `${id} gives an address that is not durable`)
}

/** Whether all that arrived of a run was refused: the gateway has nothing of it. */
const isRefusedOnly = ({ books, wire }: Life, id: string): boolean =>
  ![...wire].some(each => each.startsWith(`${id}/`)) &&
  !books.orders.some(({ request }) => request.startsWith(`${id}/`))

/** It is never kept that a request did nothing which has arrived, or may. */
export function wrongKept({ store, books, wire }: Life): Broken | undefined {
  const { document } = knownOf(store.row())
  for (const { attempts } of document?.orders ?? [])
    for (const { reservation, end, effect } of attempts) {
      if (end === undefined || !didNothing.has(end.kind)) continue
      const isThere =
        effect === 'creates'
          ? books.orders.some(({ request }) => request === reservation)
          : books.changed.has(reservation)
      if (isThere || wire.has(reservation))
        return breaks(
          'nothing means nothing',
          `it is kept that ${reservation} did nothing (${end.kind}), and it is at the gateway, or may be`,
        )
    }
  return undefined
}

const didNothing: ReadonlySet<string> = new Set(['refused', 'not-sent', 'no-trace'])
