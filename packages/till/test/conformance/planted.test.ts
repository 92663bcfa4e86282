import { describe, expect, it } from 'vitest'
import { storeChecks, storeConformance } from '../../src/conformance.js'
import { brokenCommits } from './broken-commits.js'
import { brokenDates } from './broken-dates.js'
import { brokenIds } from './broken-ids.js'
import { brokenWrites } from './broken-writes.js'
import { groundOn, memory, ownTime, storeOn } from './transactional-store.js'

const planted = [...brokenWrites, ...brokenIds, ...brokenDates, ...brokenCommits]

describe('storeConformance', () => {
  it.each(planted.map(each => [each.wrong, each.check, each] as const))(
    'finds a store that %s, by the check: %s',
    async (_, check, { ground, patience = 20_000 }) => {
      const { clock, pass } = ownTime()
      const problems = await storeConformance(() => ground(memory(clock)), { only: [check], pass, patience })
      expect(problems).toEqual([expect.stringContaining(`${check}: `)])
    },
  )

  it('finds nothing wrong by these checks with the store that they are made from', async () => {
    const { clock, pass } = ownTime()
    const only = [...new Set(planted.map(({ check }) => check))]
    expect(await storeConformance(() => groundOn(memory(clock), storeOn), { only, pass })).toEqual([])
  })

  it('has a check for each of these, and one of these for each check', () => {
    const inOtherProcesses =
      'keeps what a process was told is written when that process is killed, and the old or the new of the rest'
    const meant = new Set([...planted.map(({ check }) => check), inOtherProcesses])
    expect(storeChecks.map(({ name }) => name).filter(name => !meant.has(name))).toEqual([])
  })

  it('has a name of its own for each check', () => {
    const names = storeChecks.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
