/** The scenes that are small enough for every day. `npm run explore` walks through all of them, and CI does. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Kept } from '../src/kept.js'
import { allPlanted, allScenes } from '../src/scenes/all.js'
import { rules } from '../src/walk/rules.js'

const kept = JSON.parse(readFileSync(new URL('../kept.json', import.meta.url), 'utf8')) as Kept

/** Most worlds of a scene that is walked through here. */
const most = 600

const small = allScenes.filter(({ name }) => (kept.scenes[name]?.[0] ?? 0) <= most)

describe('a scene', () => {
  it('has a name of its own, and is kept', () => {
    expect(Object.keys(kept.scenes)).toEqual(allScenes.map(({ name }) => name).sort())
    expect(Object.keys(kept.planted)).toEqual(allPlanted.map(({ what }) => what).sort())
  })

  it.each(small.map(each => [each.name, each] as const))(
    'breaks no rule, and has as many worlds as before: %s',
    (name, scene) => {
      const [worlds, depth] = kept.scenes[name] ?? []
      expect(scene.walk()).toEqual({ worlds, depth })
    },
  )
})

describe('a rule', () => {
  it('has the sentence that is kept', () => {
    expect(kept.rules).toEqual(rules)
  })

  it.each(Object.keys(rules))('has a planted mistake that breaks it: %s', name => {
    expect(Object.values(kept.planted).map(([rule]) => rule)).toContain(name)
  })
})

describe('a planted mistake', () => {
  const quick = allPlanted.filter(({ what }) => (kept.planted[what]?.[1] ?? 0) <= most)

  it.each(quick.map(each => [each.what, each] as const))('is found: %s', (what, { broken, walk }) => {
    const [rule] = kept.planted[what] ?? []
    expect(walk().found?.broken).toEqual({ rule, what: expect.stringMatching(broken) })
  })
})
