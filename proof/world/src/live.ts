/** Lives a payment: everything of its plan happens at its time, until it has come to rest and is judged. */
import { defaultProfile, moneyMoved } from '@tillkit/protocol'
import { type ChangeResult, change } from '../../../packages/till/src/intents/change.js'
import { listOf } from '../../../packages/till/src/rules/kept/lists.js'
import { wholeReturns } from '../../../packages/till/src/rules/orders/change-limits.js'
import type { PaymentDocument } from '../../../packages/till/src/state/document.js'
import type { Broken } from '../../explore/src/walk/rules.js'
import { outcomeOf } from './gateway/books.js'
import { callsBack } from './gateway/callbacks.js'
import { wrongAtRest } from './judge/rest.js'
import { createLife, type Life, type LifeOptions, processUp, reference } from './life.js'
import { presses } from './people/customers.js'
import { adopts, asksAbout, decides, questionsNow } from './people/operators.js'
import type { Item, Plan } from './plan.js'
import { worksAlways } from './till/background.js'
import { begin } from './till/driver.js'
import { changePlan, partOf } from './till/plans.js'
import { die } from './till/process.js'
import { knownOf } from './till/store.js'

const [minute, day] = [60_000, 86_400_000]

/** People look at the lists an hour after the last trouble, some hours later, and then each day, so often at most. */
const [firstLook, secondLook, mostLooks] = [60 * minute, 360 * minute, 16]

/** How long every process is stopped while the store is put back, in milliseconds: nothing is on its way to the gateway after that. */
const restoring = 20 * minute

/** The end of a life. */
export interface Lived {
  readonly plan: Plan
  /** The rule that it breaks; undefined: none. */
  readonly broken: Broken | undefined
}

export interface LiveOptions extends LifeOptions {
  /** Hears how the life ended. */
  readonly ended: (lived: Lived) => void
}

/** Lets a payment live on a timeline. */
export function live(plan: Plan, options: LiveOptions): void {
  const life = createLife(plan, options)
  const { timeline, birth, ended } = options
  worksAlways(life)
  for (const item of plan.items) if ('at' in item) timeline.at(birth + item.at, () => happens(life, item))
  const ends = (): void => {
    const wrong = life.broken === undefined ? wrongAtRest(life) : undefined
    if (wrong !== undefined) life.accuse(wrong)
    life.isOver = true
    ended({ plan, broken: life.broken })
  }
  const look = (nth: number): void => {
    if (life.broken !== undefined || nth > mostLooks || (nth > 1 && isAtRest(life))) {
      ends()
      return
    }
    looksThrough(life)
    life.later(nth === 1 ? secondLook : day, () => look(nth + 1))
  }
  timeline.at(birth + life.calm + firstLook, () => look(1))
}

/** Whether nothing is left of a payment but what only a customer could begin. */
function isAtRest(life: Life): boolean {
  const row = life.store.row()
  const isQuiet = life.calling === 0 && life.wire.size === 0 && life.unmatched.length === 0
  return isQuiet && (row === undefined || row.list === null || row.list === 'form')
}

function happens(life: Life, item: Extract<Item, { readonly at: number }>): void {
  life.count(`happens: ${item.kind === 'gateway' ? item.does : item.kind}`)
  switch (item.kind) {
    case 'press':
      presses(life, item.process)
      return
    case 'change':
      changes(life, item)
      return
    case 'gateway':
      acts(life, item)
      return
    case 'decides':
      looksThrough(life)
      return
    case 'death':
      life.say?.(`process ${item.process + 1} dies`)
      withProcess(life, item.process, process => die(process, life.now() + item.lasts))
      return
    case 'stall':
      life.say?.(`process ${item.process + 1} does nothing for ${item.lasts} ms`)
      withProcess(life, item.process, process => {
        process.stalledUntil = Math.max(process.stalledUntil, life.now() + item.lasts)
        if (item.suspended) process.suspended += item.lasts
      })
      return
    case 'jump':
      life.say?.(`the clock of process ${item.process + 1} is set by ${item.by} ms`)
      withProcess(life, item.process, process => {
        process.ahead += item.by
      })
      return
    case 'pause':
      life.say?.('a person stops new money')
      life.isPaused = true
      life.later(item.lasts, () => {
        life.say?.('new money may come again')
        life.isPaused = false
      })
      return
    case 'loses':
      life.say?.(`the store loses everything of the last ${item.since} ms`)
      life.store.restore(life.now() - item.since)
      return
    case 'stale':
      life.say?.(`the store shows for ${item.lasts} ms what was so ${item.by} ms before`)
      life.staleBy = item.by
      life.later(item.lasts, () => {
        life.staleBy = 0
      })
      return
    case 'restore':
      restores(life, item.backup)
      return
    default:
  }
}

function withProcess(life: Life, nth: number, act: (process: Life['processes'][number]) => void): void {
  const process = life.processes[nth]
  if (process !== undefined) act(process)
}

/** The merchant asks for a change. */
function changes(life: Life, { name, tenths, key }: Extract<Item, { kind: 'change' }>): void {
  const process = processUp(life, life.runs)
  if (process === undefined) return
  begin<ChangeResult>(life, process, {
    does: `${name}${tenths === undefined ? '' : ' a part'}`,
    next: change(changePlan(life, { name, ...partOf({ tenths, key }, life.plan.manners.amount) })),
    ended(ended, { id }) {
      const kind = ended.kind === 'failed' ? 'failed' : ended.result.kind
      life.count(`change: ${kind}`)
      life.say?.(`${id} says: ${kind}`)
    },
    told: () => {},
  })
}

/** The gateway's people, the bank or a reconciliation do something to the latest order that has ended. */
function acts(life: Life, { does, tenths, toldApartBy }: Extract<Item, { kind: 'gateway' }>): void {
  const { books, plan } = life
  const booked = books.orders.findLast(({ order }) => outcomeOf(order.stages[0]) !== undefined)
  if (booked === undefined) return
  const { amount } = partOf({ tenths }, plan.manners.amount).part ?? {}
  const latest = booked.order.stages.at(-1)
  const status = latest !== undefined && outcomeOf(latest) === 'approved' ? 'declined' : 'approved'
  const reverse = { action: 'reverse', toldApartBy, ...(amount === undefined ? {} : { amount }) } as const
  const actions = {
    correct: [{ action: 'correct', status }],
    reverse: [reverse],
    'reverse-declined': [reverse, { action: 'correct', status: 'declined' }],
    'charge-back': [{ ...reverse, action: 'charge-back' }],
  } as const
  const stage = books.act(booked, ...actions[does])
  if (stage === undefined) return
  life.count(`gateway: ${does}`)
  life.say?.(`the gateway does "${does}" to order ${booked.orderId}: ${stage.stage} is ${stage.verdict?.outcome}`)
  callsBack(life, booked, booked.order.stages.indexOf(stage))
}

/**
 * A person gives one of two paid orders back at the gateway's screens. The gateway has declined its whole return, and gives no numbers: the
 * till cannot know that the declined one was its own, and asks nobody any more.
 */
function returnsAtScreens(life: Life, document: PaymentDocument | undefined): void {
  const isListed = document !== undefined && listOf(document, defaultProfile)?.startsWith('surplus') === true
  const isAsked = questionsNow(life).some(({ kind }) => kind === 'surplus')
  const last = life.books.orders.at(-1)?.order.stages.at(-1)
  const isRefused = last !== undefined && moneyMoved(last.stage) === 'returned' && outcomeOf(last) === 'failed'
  const order = document?.orders.at(-1)
  const returns = order === undefined ? [] : wholeReturns(order)
  const isOurs = returns.some(({ end }) => end?.kind === 'accepted' && end.serialNumber === undefined)
  if (!isListed || isAsked || !isRefused || !isOurs || (document.wishes ?? []).length > 0) return
  acts(life, { kind: 'gateway', at: 0, does: 'reverse', toldApartBy: 'serial-number' })
}

/** A person looks at the lists, and at what the gateway has and the store lacks. */
function looksThrough(life: Life): void {
  decides(life)
  const { document } = knownOf(life.store.row())
  returnsAtScreens(life, document)
  for (const each of life.unmatched) adopts(life, each)
  if (life.restoredUntil === undefined) return
  for (const { orderId, clientOrderId, order } of life.books.orders) {
    const known = document?.orders.find(each => each.clientOrderId === clientOrderId)
    if (known === undefined || known.stages.length < order.stages.length) {
      adopts(life, { orderId, clientOrderId })
      return
    }
    if (document !== undefined && document.reference === reference) asksAbout(life, clientOrderId)
  }
}

/** Every process is stopped, and the store is put back. */
function restores(life: Life, backup: number): void {
  const { processes, store, merchant, birth } = life
  life.say?.('every process is stopped, and the store is put back')
  for (const process of processes) die(process, life.now() + restoring)
  store.restore(birth + backup)
  life.unmatched = []
  merchant.running.clear()
  // What was told since the backup is told again, with the same idempotency key; where it was in the same database it is gone as well.
  merchant.booked = merchant.booked.filter(({ at }) => at <= birth + backup)
  life.restoredUntil = life.now() + 30 * day
}
