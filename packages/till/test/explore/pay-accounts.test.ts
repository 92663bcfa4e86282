/** Every world of a payment that is asked for by two accounts, and of a visit to a payment that has orders of both. */
import { describe, expect, it } from 'vitest'
import { type Exploration, exploreScene, type MakePay, nameOf, shipped } from './pay.js'
import { login, otherLogin } from './pay-gateway.js'
import { exploreScene as exploreVisits, nameOf as nameOfVisits, shipped as shippedVisit } from './visit.js'

const two = { accounts: [login, otherLogin] } as const
const named = { ...two, namesAccount: true, goesOn: false } as const
const restored = { presses: 2, restores: 1 }

/** How many worlds each scene has, and how far the last one is away: a change is to be looked at. */
const kept: readonly (readonly [Exploration, worlds: number, depth: number])[] = [
  [{ scene: 'two presses', ...two }, 361, 17],
  [{ scene: 'a lost answer of a request', ...two }, 529, 24],
  [{ scene: 'a decline', ...named }, 788, 19],
  [{ scene: 'a restored store', budget: restored, ...two }, 488, 26],
  [{ scene: 'a restored store', budget: { ...restored, lostQuestions: 1 }, ...named }, 366, 26],
]

describe('a payment of two accounts', () => {
  it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
    'is charged once, and each account is asked about its own orders, in every world of: %s',
    (_, exploration, worlds, depth) => {
      expect(exploreScene(exploration)).toEqual({ worlds, depth })
    },
  )
})

const visits = [
  ['a customer, and a callback', 'a word that is taken back', 1_706, 26],
  ['a customer, and the background', 'status that lags', 496, 17],
] as const

describe('a visit to an order beside that of another account', () => {
  it.each(visits.map(each => [nameOfVisits({ company: each[0], trouble: each[1] }), ...each] as const))(
    'asks its own account, and never about the other order, in every world of: %s',
    (_, company, trouble, worlds, depth) => {
      expect(exploreVisits({ company, trouble, hasEarlier: 'of another account' })).toEqual({ worlds, depth })
    },
  )
})

describe('the explorer finds', () => {
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

  it('a runner that asks the account that was chosen last', () => {
    const { found } = exploreScene({ scene: 'a decline', ...two, goesOn: false, make: asksChosen })
    expect(found?.broken).toMatch(/^run-\d asks merchant-2 about basket-7, which is an order of merchant$/)
  })

  it('a runner that looks for lost orders in its own account alone', () => {
    const make: MakePay = (plan, profile) => {
      const { login } = plan.accountOf(undefined)
      return shipped({ ...plan, accounts: plan.accounts.filter(each => each.login === login) }, profile)
    }
    const { found } = exploreScene({ scene: 'a restored store', budget: restored, ...two, make })
    expect(found?.broken).toMatch(/leaves for basket-7, and nobody has asked for basket-7 since the restore$/)
  })

  it('a visit that asks its own account about the order of another one', () => {
    const { found } = exploreVisits({
      company: 'two customers',
      trouble: 'no trouble',
      hasEarlier: 'of another account',
      make(plan) {
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
      },
    })
    expect(found?.broken).toMatch(/^run-\d asks merchant about an order of merchant-2$/)
  })
})
