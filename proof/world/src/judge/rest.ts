/** The rules that every payment keeps once it has come to rest: each is one function that names what is broken, or nothing. */
import { defaultProfile, type StageName } from '@tillkit/protocol'
import { listOf } from '../../../../packages/till/src/rules/kept/lists.js'
import { currentOrder, paymentOf } from '../../../../packages/till/src/rules/pay/payment.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { type Broken, breaks } from '../../../explore/src/walk/rules.js'
import { type Booked, login, outcomeOf } from '../gateway/books.js'
import { type Call, type Life, reference } from '../life.js'
import { hasUntold, questionsNow } from '../people/operators.js'
import { textOf } from '../till/plans.js'
import { knownOf } from '../till/store.js'
import { wrongKept } from './moments.js'

const profile = defaultProfile

/** Names the first rule that a payment breaks at rest; undefined: none. */
export function wrongAtRest(life: Life): Broken | undefined {
  for (const judge of judgements) {
    const wrong = judge(life, knownOf(life.store.row()).document)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

type Judgement = (life: Life, document: PaymentDocument | undefined) => Broken | undefined

/** It is never kept that a request did nothing which the gateway has. */
const nothingDenied: Judgement = life => wrongKept(life)

/** Each outcome is told in order, and once where the store has transactions. */
const toldInOrder: Judgement = ({ merchant: { booked }, plan, settled, restoredUntil }, document) => {
  const { hasTransactions } = plan.manners
  const keys = booked.map(({ key }) => key)
  const twice = keys.find((key, at) => keys.indexOf(key) < at)
  if (hasTransactions && twice !== undefined) return breaks('told again only after trouble', `${twice} is booked twice`)
  const firsts = keys.filter((key, at) => keys.indexOf(key) === at)
  const places = [...new Set(firsts.map(placeOf))]
  for (const place of places) {
    const words = firsts.filter(each => placeOf(each) === place).map(wordOf)
    const isInOrder = words.every((word, at) => at === 0 || word > (words[at - 1] ?? 0))
    if (!isInOrder && restoredUntil === undefined)
      return breaks('told in order', `${place} is told in the order ${words.join()}`)
  }
  for (const { clientOrderId = '', stages } of document?.orders ?? []) {
    if (settled.has(clientOrderId)) continue
    for (const [at, { stage, told = 0 }] of stages.entries()) {
      const place = `${login}/${clientOrderId}/${stage}/${at + 1}`
      const most = Math.max(0, ...firsts.filter(each => placeOf(each) === place).map(wordOf))
      if (told > most)
        return breaks('told is booked', `${told} words of ${place} are marked as told, and ${most} are booked`)
      if (hasTransactions && told < most)
        return breaks('told is booked', `${most} words of ${place} are booked, and ${told} are marked as told`)
    }
  }
  return undefined
}

const placeOf = (key: string): string => key.slice(0, key.lastIndexOf('/'))
const wordOf = (key: string): number => Number(key.slice(key.lastIndexOf('/') + 1))

/** Everything that became known was told. */
const allTold: Judgement = life =>
  hasUntold(life) ? breaks('all is told', 'something is known, and was never told') : undefined

/** Every state can be ended by a person: no question is open, and nothing but forms is listed. */
const allEnded: Judgement = (life, document) => {
  const [question] = questionsNow(life)
  if (question !== undefined)
    return breaks('nobody is stuck', `a person cannot end the question "${question.kind}" of ${question.order}`)
  const list = document === undefined ? null : listOf(document, profile)
  if (list !== null && list !== 'form') return breaks('nobody is stuck', `it stands on the list "${list}" for ever`)
  const [unmatched] = life.unmatched.filter(({ orderId }) => life.books.orders.some(each => each.orderId === orderId))
  return unmatched === undefined
    ? undefined
    : breaks('nobody is stuck', `order ${unmatched.orderId} stands on the list of unmatched callbacks for ever`)
}

/** Every movement in the books was told to the merchant; what nothing tells apart from another one makes totals uncertain. */
const allMovementsTold: Judgement = (life, document) => {
  const told = latestTold(life)
  for (const booked of life.books.orders)
    for (const [name, count] of approvedIn(booked)) {
      const own = told.filter(({ outcome }) => outcome.order.orderId === booked.orderId && outcome.stage.stage === name)
      const approvals = own.filter(
        ({ outcome }) => outcome.kind !== 'disputed' && outcome.outcome === 'approved',
      ).length
      if (approvals === count) continue
      const what = `${count} ${name} of order ${booked.orderId} are approved, and ${approvals} of them were told`
      if (approvals > count || !isUncertain(life, document, booked))
        return breaks(approvals > count ? 'said by the gateway' : 'all is told', what)
      life.count('ends: a movement that nothing tells apart')
    }
  return undefined
}

/** The latest certain outcome that was told of each stage of each order: while a stage is disputed, a person decides. */
function latestTold({ merchant: { booked } }: Life): readonly Call[] {
  const latest = new Map<string, Call>()
  for (const call of booked) {
    if (call.outcome.kind === 'disputed') continue
    const before = latest.get(placeOf(call.key))
    if (before === undefined || wordOf(before.key) <= wordOf(call.key)) latest.set(placeOf(call.key), call)
  }
  return [...latest.values()]
}

/** How many movements of each kind the gateway has of an order by its latest words. */
function approvedIn({ order, words }: Booked): ReadonlyMap<StageName, number> {
  const counts = new Map<StageName, number>()
  for (const [place, stage] of order.stages.entries()) {
    if (words[place] === undefined) continue
    counts.set(stage.stage, (counts.get(stage.stage) ?? 0) + (outcomeOf(stage) === 'approved' ? 1 : 0))
  }
  return counts
}

/** Whether a person sees that the totals of the order are not certain. */
function isUncertain({ storeTime }: Life, document: PaymentDocument | undefined, { clientOrderId }: Booked): boolean {
  const order = document?.orders.find(each => each.clientOrderId === clientOrderId)
  if (document === undefined || order === undefined) return false
  const alone = { ...document, orders: [order] }
  return paymentOf(alone, { reference, at: storeTime(), profile }).uncertain !== undefined
}

/** No certain total differs from the books. */
const totalsAreTrue: Judgement = ({ books, storeTime }, document) => {
  if (document === undefined) return undefined
  const at = storeTime()
  const { totals } = paymentOf(document, { reference, at, profile })
  const current = currentOrder(document, at, profile)?.order
  const booked = books.orders.find(each => each.orderId === current?.orderId)
  if (totals === undefined || booked === undefined) return undefined
  const sum = (...names: readonly StageName[]): number =>
    booked.order.stages
      .filter(each => names.includes(each.stage) && outcomeOf(each) === 'approved')
      .reduce((all, { amount = 0n }) => all + Number(amount), 0)
  const truly = { captured: sum('sale', 'capture'), returned: sum('reversal', 'chargeback') }
  for (const name of ['captured', 'returned'] as const)
    if (totals[name] !== textOf(truly[name]))
      return breaks(
        'totals are true',
        `${totals[name]} count as ${name} of order ${booked.orderId}, and the books say ${textOf(truly[name])}`,
      )
  return undefined
}

/** One order at most keeps the customer's money, or the merchant was told of surplus. */
const oneCharge: Judgement = ({ books, merchant: { booked } }, document) => {
  const charged = books.orders.filter(({ order }) => keeps(order.stages) > 0n)
  if (charged.length < 2 || booked.some(({ outcome }) => outcome.kind === 'surplus')) return undefined
  const isListed = document !== undefined && listOf(document, profile)?.startsWith('surplus') === true
  return isListed ? undefined : breaks('one charge', `${charged.length} orders keep money, and nobody hears of it`)
}

const keeps = (stages: Booked['order']['stages']): bigint =>
  stages.reduce((sum, each) => {
    if (outcomeOf(each) !== 'approved') return sum
    const { stage, amount = 0n } = each
    if (stage === 'sale' || stage === 'preauth') return sum + amount
    return stage === 'capture' ? sum : sum - amount
  }, 0n)

const judgements: readonly Judgement[] = [
  nothingDenied,
  oneCharge,
  toldInOrder,
  allTold,
  allEnded,
  allMovementsTold,
  totalsAreTrue,
]
