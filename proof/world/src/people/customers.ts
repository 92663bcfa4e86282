/** Customers: they press, go to the form, give a card, and come back. */
import type { Ended } from '../../../../packages/till/src/engine/run.js'
import { visit } from '../../../../packages/till/src/intents/customers/visit.js'
import { type PayResult, pay } from '../../../../packages/till/src/intents/pay.js'
import { breaks } from '../../../explore/src/walk/rules.js'
import { addressOf, type Booked } from '../gateway/books.js'
import { callsBack } from '../gateway/callbacks.js'
import { wrongAddress, wrongEnd } from '../judge/moments.js'
import { itemsOf, type Life, processUp } from '../life.js'
import { carriesOut } from '../till/background.js'
import { begin, type Living } from '../till/driver.js'
import { payPlan, visitPlan } from '../till/plans.js'

/** Somebody asks for the payment. @param wanted The process that is asked, or the next that is up. */
export function presses(life: Life, wanted: number): void {
  const process = processUp(life, wanted)
  if (process === undefined) return
  begin(life, process, {
    does: 'pay',
    next: pay(payPlan(life, life.runs)),
    patience: 60_000,
    ended: (ended, living) => goesOn(life, living, ended),
    told: wanted => wanted.length > 0 && carriesOut(life, process),
  })
}

/** The customer is led to the form, if there is one. */
function goesOn(life: Life, living: Living, ended: Ended<PayResult>): void {
  const wrong = wrongEnd(life, living, ended)
  if (wrong !== undefined) life.accuse(wrong)
  const kind = ended.kind === 'done' ? ended.result.kind : 'failed'
  life.count(`pay: ${kind}`)
  life.say?.(`${living.id} says: ${kind}`)
  if (ended.kind === 'failed' || ended.unwritten !== undefined || ended.result.kind !== 'go') return
  const { formUrl } = ended.result
  const booked = life.books.orders.find(each => addressOf(each) === formUrl)
  if (booked === undefined) {
    life.accuse(breaks('heard is true', `${living.id} leads to ${formUrl}, which is no form`))
    return
  }
  life.given.add(addressOf(booked))
  const address = wrongAddress(life)
  if (address !== undefined) life.accuse(address)
  const label = `${living.id} fills in`
  life.later(life.takes(label, 2_000, 40_000), () => givesCard(life, booked))
}

function givesCard(life: Life, booked: Booked): void {
  const { books, plan, dice } = life
  if (!books.giveCard(booked)) return
  const nth = books.orders.filter(({ hasCard }) => hasCard).length - 1
  const does = itemsOf(plan, 'card').find(each => each.nth === nth)?.does
  const label = `card ${booked.orderId}`
  life.say?.(`a card is given on form ${booked.orderId}`)
  life.count(`cards: ${does ?? 'approved'}`)
  if (does === 'left') return
  const takes = does === 'slow' ? life.takes(label, 60_000, 15 * 60_000) : life.takes(label, 300, 6_000)
  const outcome = does === 'declined' || (does === 'slow' && dice(`${label} ends`) < 0.3) ? 'declined' : 'approved'
  life.later(takes, () => {
    life.say?.(`order ${booked.orderId} is ${outcome}`)
    books.settle(booked, outcome)
    callsBack(life, booked, 0)
    if (!itemsOf(plan, 'stays-away').some(each => each.nth === nth))
      life.later(life.takes(`${label} back`, 100, 3_000), () => comesBack(life, booked))
  })
}

function comesBack(life: Life, { clientOrderId }: Booked): void {
  const process = processUp(life, life.runs)
  if (process === undefined) return
  begin(life, process, {
    does: 'show the customer',
    next: visit(visitPlan(clientOrderId)),
    told: wanted => wanted.length > 0 && carriesOut(life, process),
  })
}
