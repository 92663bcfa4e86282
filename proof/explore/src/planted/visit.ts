/** Mistakes of a customer's visit. */
import type { Planted } from '../scenes/scene.js'
import { mistakes } from '../visit/mistakes.js'
import { exploreScene } from '../visit/visit.js'

export const visits: readonly Planted[] = mistakes.map(({ what, where, broken }) => ({
  what: `visit: ${what}`,
  broken,
  walk: () => exploreScene(where),
}))
