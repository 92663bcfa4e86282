/** The work in the background, as the till's rounds do it: what is due is taken, asked about, told and carried out, and dated anew. */
import type { Ended } from '../../../../packages/till/src/engine/run.js'
import { type CallbackResult, callback, notShown } from '../../../../packages/till/src/intents/callback.js'
import type { ChangeResult } from '../../../../packages/till/src/intents/change.js'
import { type FollowUpResult, followUp, strike } from '../../../../packages/till/src/intents/follow-up.js'
import { lookAgainAt } from '../../../../packages/till/src/rules/kept/entry.js'
import type { HeardCallback } from '../../../../packages/till/src/rules/orders/callback-shown.js'
import { isAwaited } from '../../../../packages/till/src/rules/orders/expected.js'
import { findOrder } from '../../../../packages/till/src/state/document.js'
import { type Left, leftIn, ordersLeft } from '../../../../packages/till/src/work/left.js'
import { breaks } from '../../../explore/src/walk/rules.js'
import { login } from '../gateway/books.js'
import { type Life, processUp } from '../life.js'
import { begin, type Living } from './driver.js'
import { lease } from './handler.js'
import { callbackPlan, followUpPlan } from './plans.js'
import type { Process } from './process.js'
import { passes, questionsOf, repeats } from './quiet.js'
import { knownOf, type Row } from './store.js'

/** How long what was taken is held, in milliseconds. */
const hold = 2 * lease

/** How often the store is asked for what is due, in milliseconds. */
const round = 5_000

/** Lets the background look at the payment whenever it is due. */
export function worksAlways(life: Life): void {
  const look = (): void => {
    if (life.isOver) return
    const now = life.storeTime()
    const row = life.store.row()
    const due = row?.due ?? Number.POSITIVE_INFINITY
    // Nothing is due before something is written, and what is written is looked for once a round.
    if (row === undefined || due > now) {
      life.waker.sleepUntil(due, look)
      return
    }
    const process = processUp(life, life.runs)
    if (process !== undefined) takeUp(life, process)
    life.waker.sleepUntil(now + round, look)
  }
  life.waker.sleepUntil(Number.POSITIVE_INFINITY, look)
}

/** Works on all that a payment has left to do. */
function takeUp(life: Life, process: Process): void {
  const row = life.store.row()
  if (row === undefined) return
  const at = life.storeTime()
  const { stored } = row
  const left = leftOf(life, row, at)
  if (left.kind !== 'payment') {
    life.accuse(breaks('nobody is stuck', `the background finds that the payment is ${left.kind}`))
    return
  }
  const { document, orders } = left
  const took = repeats(life, { row, process, orders })
  if (took !== undefined && life.quiet !== undefined && !life.isThorough) {
    passes(life, life.quiet)
    life.store.postpone(stored.writeId, lookAgainAt(document, at + took))
    return
  }
  life.quiet = undefined
  life.store.postpone(stored.writeId, at + hold)
  const bornIn = process.life
  const quiet = { at, writeId: stored.writeId, changes: life.books.changes() }
  const asked = new Map<string, number | undefined>()
  let open = orders.length + 1
  const over = (): void => {
    open -= 1
    if (open > 0 || process.life !== bornIn) return
    const now = life.storeTime()
    life.store.postpone(stored.writeId, lookAgainAt(document, now))
    const looked = orders.flatMap(({ clientOrderId }) => {
      const questions = asked.get(clientOrderId)
      return questions === undefined ? [] : { clientOrderId, questions }
    })
    const isQuiet = looked.length === orders.length && life.store.row()?.stored.writeId === stored.writeId
    if (isQuiet) life.quiet = { ...quiet, orders: looked }
    if (took !== undefined && !(isQuiet && now === at + took))
      life.accuse(
        breaks(
          'runs end',
          'a look in the background says something, and nothing could have changed since the one before',
        ),
      )
  }
  for (const { clientOrderId, orderId } of orders)
    looksAfter(life, process, {
      clientOrderId,
      orderId,
      callbacks: [],
      ended: (_, living) => {
        asked.set(clientOrderId, questionsOf(living))
        over()
      },
    })
  if ((document.wishes ?? []).length > 0) carriesOut(life, process)
  over()
}

/** The work that a row has left: as its text says, where it has one. */
function leftOf({ isThorough }: Life, row: Row, at: number): Left {
  const { document } = knownOf(row)
  if (isThorough || document === undefined) return leftIn(row.stored, at)
  return { kind: 'payment', document, orders: ordersLeft(document, at) }
}

interface LookedAfterOrder {
  readonly clientOrderId: string
  readonly orderId: string
  readonly callbacks: readonly HeardCallback[]
  /** Hears whether the gateway need not call again; and that no order is kept. */
  readonly ended: (status: 200 | 503 | 'no-order', living: Living) => void
}

/** Asks about an order, and tells what was not told. */
export function looksAfter(life: Life, process: Process, { callbacks, ended, ...order }: LookedAfterOrder): void {
  const plan = callbackPlan(order, callbacks)
  begin(life, process, {
    does: callbacks.length > 0 ? 'answer a callback' : 'look after an order',
    next: callback(plan),
    ended: (result, living) => ended(statusOf(result, plan), living),
    told: wanted => wanted.length > 0 && carriesOut(life, process),
  })
}

/** The HTTP status of the answer to a callback: 200 only if nothing is left to do. */
function statusOf(ended: Ended<CallbackResult>, plan: ReturnType<typeof callbackPlan>): 200 | 503 | 'no-order' {
  if (ended.kind === 'failed' || ended.unwritten !== undefined) return 503
  const { result } = ended
  if (result.kind === 'no-order') return 'no-order'
  if (result.kind === 'other-order' || result.failure !== undefined || !result.isWhole) return 503
  const { delivered } = result
  if (delivered.kind !== 'told' && delivered.kind !== 'nothing') return 503
  const now = delivered.payment && findOrder(delivered.payment, { clientOrderId: plan.about.clientOrderId, login })
  if (now !== undefined && isAwaited(now)) return 503
  return notShown(plan, result) === undefined ? 200 : 503
}

/** Carries out the changes that are written down in the payment, one after the other. */
export function carriesOut(life: Life, process: Process): void {
  const again = (): void => carriesOut(life, process)
  const told = (): void => {}
  begin(life, process, {
    does: 'carry out what is wanted',
    next: followUp(followUpPlan(life)),
    ended(ended) {
      if (ended.kind === 'failed' || ended.unwritten !== undefined) return
      const { followUp: wish, kind, goesOn } = ended.result
      if (isLater(ended.result)) return
      if (kind !== 'open' || wish === undefined) return goesOn ? again() : undefined
      // It is not possible any more, and would be refused again and again.
      begin(life, process, {
        does: 'strike what is not possible',
        next: strike(wish),
        ended: struck => struck.kind === 'done' && struck.result.goesOn && again(),
        told,
      })
    },
    told,
  })
}

/** Whether a follow-up that was not carried out is tried again later, as the till says it. */
function isLater({ kind, came, followUp: wish }: FollowUpResult): boolean {
  if (kind === 'done' || came === undefined || wish === undefined) return false
  if (came.kind === 'surplus') return came.step === 'wait'
  return !isGone(came)
}

function isGone(came: ChangeResult): boolean {
  switch (came.kind) {
    case 'ended':
      return came.end.kind === 'refused'
    case 'refused':
      return came.step.kind !== 'open' && came.step.kind !== 'lost'
    case 'not-reserved':
      return came.why.kind !== 'already-sent' || came.isShown
    default:
      return false
  }
}
