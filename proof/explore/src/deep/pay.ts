/** Causes that meet while a payment is asked for several times. */
import { type Exploration, exploringOf, type MakePay, scenes } from '../pay/pay.js'
import type { Beginning, Budget } from '../pay/world.js'
import { explorations } from '../scenes/pay.js'
import { type Amounts, type Deep, deepOf, type Family, worldsOf } from './family.js'

type Prepared = Partial<Omit<Beginning, 'budget'>>

const beginningOf = (each: Exploration): Beginning => ({ ...scenes[each.scene], ...each })

function preparedBy(each: Exploration): Prepared {
  const { budget: _amounts, goesOn: _promise, ...prepared }: Beginning & { readonly scene?: string } = beginningOf(each)
  const { scene: _name, ...world } = prepared
  return world
}

const nameOf = (world: Prepared): string =>
  Object.entries(world)
    .map(([what, value]) => `${what} ${value}`)
    .join(', ') || 'one account'

/** Whether a scene that begins so promises that customers can go on, whatever of this goes wrong. */
function goesOnWith(world: Prepared, amounts: Amounts<keyof Budget>): boolean {
  const promised = explorations
    .filter(each => nameOf(preparedBy(each)) === nameOf(world) && beginningOf(each).goesOn === true)
    .flatMap(each => Object.keys(beginningOf(each).budget))
  return Object.keys(amounts).every(each => promised.includes(each))
}

const tells = ({ tells }: Prepared): boolean => tells !== undefined

const causes: Family<keyof Budget, Prepared, never>['causes'] = {
  presses: { what: 'another press' },
  crashes: { what: 'a crash' },
  lostWrites: { what: 'a write whose answer is lost, or that lands later' },
  lostAnswers: { what: 'a request whose answer is lost, or that is late on the wire' },
  lostQuestions: { what: 'a question without an answer' },
  slowTicks: { what: 'a slow process' },
  declines: { what: 'a decline' },
  begins: { what: 'a card that goes through 3DS' },
  corrections: { what: 'a word that is taken back', needs: { declines: 1 } },
  pauses: { what: 'a pause' },
  restores: { what: 'a restored store' },
  asks: { what: 'a question of the background' },
  decisions: { what: 'a decision by a person', needs: { lostAnswers: 1 } },
  abandons: { what: 'an order that a person gives up' },
  settings: { what: 'settings that change' },
  lostCommits: { what: 'a commit whose answer is lost', isIn: ({ tells }) => tells === 'by commits' },
  failures: { what: 'a handler that fails', isIn: tells },
}

/** @param make Makes the runner. Default: the shipped one. */
export const payDeep = (make?: MakePay): Deep =>
  deepOf({
    name: 'pay',
    worlds: worldsOf(explorations.map(preparedBy), nameOf),
    causes,
    begin(world, { presses = 0, ...trouble }, isCrowded) {
      const budget = { ...trouble, presses: presses + 2 }
      return exploringOf({
        scene: 'two presses',
        ...world,
        budget,
        goesOn: goesOnWith(world, budget),
        ...(isCrowded ? { payers: 3 } : {}),
        ...(make === undefined ? {} : { make }),
      })
    },
  })
