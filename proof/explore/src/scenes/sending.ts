/** A request that is sent once. */
import { exploreScene, scenes, shipped } from '../sending/sending.js'
import type { Scene } from './scene.js'

const names = Object.keys(scenes) as (keyof typeof scenes)[]

export const sending: readonly Scene[] = names.map(name => ({
  name: `sending: ${name}`,
  walk: (seen = () => {}) =>
    exploreScene(name, shipped, ({ results }) => {
      for (const { kind } of results) seen(kind)
    }),
}))
