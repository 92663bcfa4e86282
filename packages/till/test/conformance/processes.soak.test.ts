import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StoreConformanceOptions, storeConformance } from '../../src/conformance.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { programOf, removeProgram } from '../bundle.js'
import { serve } from './shared-server.js'
import { openStore, type Where } from './store-in-server.js'

let program: string
let other: string
beforeAll(async () => {
  program = await programOf(new URL('store-in-server.ts', import.meta.url))
  other = await programOf(new URL('shared-server.ts', import.meta.url))
})
afterAll(() => {
  removeProgram(program)
  removeProgram(other)
})

/** Runs the suite on a memory that other processes share with this one. */
const problemsOf = (wrong: Pick<Where, 'wrong'>, options: StoreConformanceOptions = {}, path: string = program) =>
  storeConformance(async () => {
    const { address, close } = await serve(memoryStore())
    return {
      store: openStore({ address }),
      again: async () => openStore({ address }),
      elsewhere: { module: path, data: { address, ...wrong } },
      end: close,
    }
  }, options)

describe('storeConformance, with other processes', () => {
  it('finds nothing wrong with a store that they share', async () => {
    expect(await problemsOf({})).toEqual([])
  })

  it.each([
    ['own-memory', 'lets one of many writers after one write win, and shows the others its document'],
    ['own-memory', 'loses no write of many who count on one document'],
    ['stale-reads', 'shows what was written to every later read, in every store'],
    ['own-clock', 'has one clock, which never goes back'],
    [
      'written-too-soon',
      'keeps what a process was told is written when that process is killed, and the old or the new of the rest',
    ],
  ] as const)('finds %s, by the check: %s', async (wrong, check) => {
    const problems = await problemsOf({ wrong }, { only: [check], processes: 1 })
    expect(problems).toEqual([expect.stringContaining(`${check}: `)])
  })

  it('says that a module opens no store', async () => {
    const only = ['reads nothing under a key that was never written']
    expect(await problemsOf({}, { only, processes: 1 }, other)).toEqual([
      expect.stringMatching(/main\.mjs exports no function "openStore"/),
    ])
    expect(await problemsOf({}, { only, processes: 1 }, '/none.js')).toEqual([
      expect.stringMatching(/Cannot find module '\/none.js'/),
    ])
  })
})
