/** Mistakes of a payment that is asked for several times. */
import { leadsToLeftForm, mistakes } from '../pay/mistakes.js'
import { exploreScene } from '../pay/pay.js'
import type { Planted } from '../scenes/scene.js'

export const pay: readonly Planted[] = [
  ...mistakes.map(({ what, where, make, broken }) => ({
    what: `pay: ${what}`,
    broken,
    walk: () => exploreScene({ ...where, make }),
  })),
  {
    what: 'pay: leads to its form although the payment went on without it',
    broken: /^customers may pay, or have paid, form 1 of basket-7 and form 2 of basket-7.2r$/,
    walk: () =>
      exploreScene({
        scene: 'a slow process',
        budget: { presses: 2, slowTicks: 2 },
        make: leadsToLeftForm,
        goesOn: false,
      }),
  },
]
