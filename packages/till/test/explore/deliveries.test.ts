import { it } from 'vitest'
import { exploreScene, scenes, type Scene } from './deliveries.js'
const only = process.env.ONLY
for (const name of Object.keys(scenes) as Scene[])
  for (const hasTransactions of [true, false]) for (const stages of [1, 2] as const)
    if (only === undefined || only === name) it(`${name} ${hasTransactions} ${stages}`, () => {
      const seen = new Set<string>()
      const t = performance.now()
      const { worlds, depth, found } = exploreScene(name, { hasTransactions, stages, look: k => seen.add(k) })
      console.log(name, hasTransactions, stages, worlds, depth, Math.round(performance.now() - t), [...seen].join(), found ?? '')
    })
