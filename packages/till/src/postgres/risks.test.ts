import { describe, expect, it } from 'vitest'
import { risksIn, risksOf } from './risks.js'

const row = { commits: 'on', names: '', messages: 'notice', standbys: '0' }
const reasons = (fields: Partial<Record<keyof typeof row, unknown>>) =>
  risksIn({ ...row, ...fields }).map(({ reason }) => reason)

describe('risksIn', () => {
  it.each([
    ['no standby', {}, []],
    ['a standby that no commit waits for', { standbys: '1' }, ['asynchronous-standby']],
    ['a synchronous standby', { standbys: '1', names: '*' }, []],
    ['names of blanks, which PostgreSQL may not even have', { standbys: '1', names: ' ' }, []],
    ['a synchronous standby, commits that do not wait', { names: '*', commits: 'local' }, ['commits-are-local']],
    ['local commits, and nothing to wait for', { commits: 'local' }, []],
    ['commits that are off', { commits: 'off' }, ['commits-are-off']],
    ['warnings that are off', { names: '*', messages: 'error' }, ['warnings-are-off']],
    ['warnings that are off, and nothing to wait for', { messages: 'error' }, []],
    ['columns that a driver has renamed', { commits: undefined, names: undefined, standbys: undefined }, []],
  ])('%s', (_, fields, found) => {
    expect(reasons(fields)).toEqual(found)
  })

  it('counts the standbys in words', () => {
    const explained = (standbys: string) => risksIn({ ...row, standbys })[0]?.explanation
    expect(explained('1')).toMatch(/^PostgreSQL has a standby,/)
    expect(explained('2')).toMatch(/^PostgreSQL has 2 standbys,/)
  })
})

it('a server that does not answer has no known risk', async () => {
  expect(await risksOf(() => Promise.reject(new Error('no')))).toEqual([])
})
