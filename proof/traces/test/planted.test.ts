/** A judge that cannot find a planted mistake proves nothing by finding none. */
import { describe, expect, it } from 'vitest'
import type { Planted } from '../../../packages/till/test/till/worlds/life.js'
import { alterations } from '../src/alter.js'
import { problemOf } from '../src/judge.js'
import { nothing, sum, tallyWorld } from '../src/tally.js'
import { recordWorld } from '../src/worlds.js'

/** Worlds in which much happens. */
const seeds = ['46', '54', '65', '92', '116', '31', '40', '7', '10', '18']

/** The first refusal in some worlds. */
async function refusedIn(planted: Planted): Promise<string> {
  for (const seed of seeds) {
    const { traces } = await recordWorld(seed, planted)
    for (const trace of traces) {
      const problem = problemOf(trace)
      if (problem !== undefined) return `${problem.part}: ${problem.message}`
    }
  }
  return 'none'
}

type Dispatch = (
  options: { readonly path: string; readonly method: string },
  handler: Readonly<Record<string, (...args: unknown[]) => unknown>>,
) => boolean

/** The gateway, reached by another way. */
const throughWay =
  (way: (dispatch: Dispatch) => Dispatch): NonNullable<Planted['account']> =>
  account => {
    const dispatcher = Reflect.get(account, 'dispatcher') as object
    const dispatch = way((...sent) => (Reflect.get(dispatcher, 'dispatch') as Dispatch).apply(dispatcher, sent))
    const other = new Proxy(dispatcher, {
      get: (target, name) => (name === 'dispatch' ? dispatch : Reflect.get(target, name)),
    })
    return { ...account, dispatcher: other } as typeof account
  }

const heardByNobody = new Proxy({}, { get: () => () => {} })

describe('traces of worlds', () => {
  it('are accepted, and each alteration is refused or another lawful run', async () => {
    const tallies = []
    for (const seed of seeds.slice(0, 5)) tallies.push(await tallyWorld(seed, 12))
    const { refused, altered, runs, traces } = tallies.reduce(sum, nothing)
    expect(refused).toEqual([])
    expect(traces).toBeGreaterThanOrEqual(5)
    expect(runs).toBeGreaterThan(100)
    for (const kind of alterations) {
      const { replay, store, gateway, lawful } = altered[kind]
      expect([kind, replay + store + gateway > 0]).toEqual([kind, true])
      // A run that ends early is that of a process which died: so it is with one that lacks its last step.
      if (kind === 'effect swapped' || kind === 'version skipped') expect(lawful).toBe(0)
    }
  })
})

describe('a planted mistake is refused', () => {
  it('a store that lets a chain fork', async () => {
    const found = await refusedIn({
      view: store => ({
        ...store,
        async write(key, entry, options) {
          const { stored } = await store.read(key)
          return store.write(key, entry, { id: options.id, ...(stored && { after: stored.writeId }) })
        },
      }),
    })
    expect(found).toMatch(/^store: /)
  })

  it('a store that answers what was there before', async () => {
    const found = await refusedIn({
      view: store => {
        const first = new Map<string, Awaited<ReturnType<typeof store.read>>>()
        return {
          ...store,
          async read(key) {
            const now = await store.read(key)
            const before = first.get(key)
            first.set(key, now)
            return before ?? now
          },
        }
      },
    })
    expect(found).toMatch(/^store: /)
  })

  it('a gateway that answers what is not in its books', async () => {
    const found = await refusedIn({
      account: throughWay(dispatch => (options, handler) => {
        if (!options.path.includes('status')) return dispatch(options, handler)
        const onResponseData = (controller: unknown, chunk: unknown) =>
          handler.onResponseData?.(
            controller,
            Buffer.from(String(chunk).replace('"status":"processing"', '"status":"declined"  ')),
          )
        const bent = new Proxy(handler, {
          get: (target, name) =>
            name === 'onResponseData' ? onResponseData : Reflect.get(target, name).bind?.(target),
        })
        return dispatch(options, bent)
      }),
    })
    expect(found).toMatch(/^gateway: No status was answered so/)
  })

  it('a runner that sends twice', async () => {
    const found = await refusedIn({
      account: throughWay(dispatch => (options, handler) => {
        if (/sale-form/.test(options.path)) dispatch(options, heardByNobody)
        return dispatch(options, handler)
      }),
    })
    expect(found).toMatch(/^gateway: .*was sent by nobody/)
  })
})
