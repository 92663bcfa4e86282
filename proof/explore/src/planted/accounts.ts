/** Mistakes that ask another account than that of the order. */
import { findLater } from '../../../../packages/till/src/intents/find-lost.js'
import { login, otherLogin } from '../pay/gateway.js'
import { exploreScene, type MakePay, shipped } from '../pay/pay.js'
import type { Planted } from '../scenes/scene.js'
import { type Exploration, exploreScene as exploreVisits, shipped as shippedVisit } from '../visit/visit.js'

const two = { accounts: [login, otherLogin] } as const

/** Asks the account that the press has chosen, whatever the order's own is. */
const asksChosen: MakePay = (plan, profile) => {
  const advance = shipped(plan, profile)
  return (run, event, at) => {
    const after = advance(run, event, at)
    if (after.effect.kind !== 'ask') return after
    const { login } = plan.accountOf(undefined)
    const doing = { ...after.effect, question: { ...after.effect.question, login } }
    return { run: { ...after.run, doing }, effect: doing }
  }
}

/** Looks for lost orders in its own account. */
const looksAlone: MakePay = (plan, profile) => {
  const { login } = plan.accountOf(undefined)
  return shipped({ ...plan, accounts: plan.accounts.filter(each => each.login === login) }, profile)
}

/** Asks its own account about the order of another one. */
const asksOther: NonNullable<Exploration['make']> = plan => {
  const { advance, shown } = shippedVisit(plan)
  return {
    shown,
    advance(run, event, at) {
      const after = advance(run, event, at)
      const other = after.run.heard.first?.orders.find(each => each.clientOrderId !== plan.about.clientOrderId)
      if (after.effect.kind !== 'write' || other?.clientOrderId === undefined) return after
      const question = { login: plan.about.login, clientOrderId: other.clientOrderId }
      const doing = { kind: 'ask', question } as const
      return { run: { ...after.run, doing }, effect: doing }
    },
  }
}

/** A payment that was declined, in a store that is put back. */
const aDecline = { scene: 'a restored store', budget: { presses: 2, restores: 1, declines: 1, asks: 1 } } as const

export const accounts: readonly Planted[] = [
  {
    what: 'pay: asks the account that was chosen last',
    broken: /^run-\d asks merchant-2 about basket-7, which is an order of merchant$/,
    walk: () => exploreScene({ scene: 'a decline', ...two, goesOn: false, make: asksChosen }),
  },
  {
    what: 'pay: looks for lost orders in its own account alone',
    broken: /leaves for basket-7, and nobody has asked for basket-7 since the restore$/,
    walk: () =>
      exploreScene({ scene: 'a restored store', budget: { presses: 2, restores: 1 }, ...two, make: looksAlone }),
  },
  {
    what: 'pay: the background looks for no later orders in a restored store',
    broken: /ends, and nobody has asked for basket-7.2r since the restore$/,
    walk: () => exploreScene({ ...aDecline, looks: () => undefined }),
  },
  {
    what: 'pay: the background looks for later orders in its own account alone',
    broken: /ends, and nobody has asked for basket-7.2r since the restore$/,
    walk: () =>
      exploreScene({
        ...aDecline,
        ...two,
        looks: (plan, last, scene) =>
          findLater({ ...plan, accounts: plan.accounts.filter(each => each.login === last.login) }, last, scene),
      }),
  },
  {
    what: 'visit: asks its own account about the order of another one',
    broken: /^run-\d asks merchant about an order of merchant-2$/,
    walk: () =>
      exploreVisits({
        company: 'two customers',
        trouble: 'no trouble',
        hasEarlier: 'of another account',
        make: asksOther,
      }),
  },
]
