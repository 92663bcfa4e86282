/** Settings of a server that may lose something, as `till.start()` and `till.check()` see them. */
import { expect, it } from 'vitest'
import { watchWarnings } from '../till/watch-warnings.js'
import { roleTill } from './support/role-till.js'

it('a server without standbys and with settings of its own: no warning, and the check says ok', async () => {
  const warned = watchWarnings()
  const till = await roleTill()
  await till.start()
  expect(warned('WARN_STORE_RISK')).toEqual([])
  const [report] = await till.check()
  expect(report?.findings.at(-1)).toMatchObject({ subject: 'store', verdict: 'ok' })
  expect(report?.text).toMatch(/\n {2}store {7}ok {11}None of the settings/)
})

it.each([
  ['role', { setting: 'synchronous_commit = off' }],
  ['connections', { session: '-c synchronous_commit=off' }],
])('commits that are off by its %s: a warning, and the check says which', async (_, settings) => {
  const warned = watchWarnings()
  const till = await roleTill(settings)
  await till.start()
  const [said, ...more] = warned('WARN_STORE_RISK')
  expect(more).toEqual([])
  expect(said).toMatch(/^The store is not safe as it is \(commits-are-off\): "synchronous_commit" of Postgre/)
  const [report] = await till.check()
  expect(report?.findings.at(-1)).toMatchObject({
    subject: 'store',
    verdict: 'cannot-tell',
    explanation: expect.stringContaining('"synchronous_commit" of PostgreSQL is "off"'),
  })
})
