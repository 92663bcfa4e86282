import type { PaymentDocument } from '../state/document.js'
import { type Delivery, type History, historyVersion, nameOf } from '../state/facts.js'
import { factsWorthKeeping } from './news.js'

/** The history of a payment, small. */
export function historyOf(payment: PaymentDocument): History {
  const { reference, facts, later } = payment
  const delivery = deliveryOf(payment)
  return {
    ...later,
    v: historyVersion,
    reference,
    facts: factsWorthKeeping(facts, payment),
    ...(delivery === undefined ? {} : { delivery }),
  }
}

/** The lease of a payment, as a history keeps it. */
function deliveryOf({ telling, orders }: PaymentDocument): Delivery | undefined {
  const { [telling?.order ?? -1]: order } = orders
  return telling === undefined || order === undefined
    ? undefined
    : { ...telling, order: nameOf(order), stage: telling.stage + 1 }
}
