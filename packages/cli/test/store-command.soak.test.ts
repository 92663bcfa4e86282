/** `tillkit store migrate` and `report` on PostgreSQL. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PostgresServer, testServer } from '../../till/test/postgres-server.js'
import { endProcesses, startProcess } from './start-process.js'

let server: PostgresServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(async () => {
  endProcesses()
  await server.stop()
})

it('prints the SQL, makes the tables, has nothing to do then, and reports', async () => {
  const schema = `till_${randomBytes(4).toString('hex')}`
  const run = (...words: string[]) =>
    startProcess([...words, '--store-schema', schema], { env: { ...process.env, TILLKIT_STORE: server.url } }).ended
  const planned = await run('store', 'migrate', '--dry-run')
  expect(planned.stderr).toBe('')
  expect(planned.stdout).toContain('Would bring the tables from version 0 to 1 (there are none yet):')
  expect(planned.stdout).toContain(`create table "${schema}".documents (`)
  expect(await run('report')).toMatchObject({ code: 1, stdout: '' })
  expect(await run('store', 'migrate')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Brought the tables to version 1.'),
  })
  for (const more of [[], ['--dry-run']]) {
    expect(await run('store', 'migrate', ...more)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing to do'),
    })
  }
  expect(await run('report')).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing needs attention.') })
})
