/** `tillkit store migrate`, `report`, `payment` and `pay-out` on PostgreSQL. */
import { randomBytes } from 'node:crypto'
import { testControlKey, testPrivateKey } from '@tillkit/testing'
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

it('prints the SQL, makes the tables, has nothing to do then, reports, and finds the till of a payment', async () => {
  const schema = `till_${randomBytes(4).toString('hex')}`
  const run = (...words: string[]) =>
    startProcess([...words, '--store-schema', schema], {
      env: {
        ...process.env,
        TILLKIT_STORE: server.url,
        TILLKIT_CONTROL_KEY: testControlKey,
        TILLKIT_PRIVATE_KEY: testPrivateKey,
      },
    }).ended
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
  // A payout that did not leave is kept: its till is known by its name, and another one is not mistaken for it.
  const settings = ['--base-url', 'http://127.0.0.1:9/paynet', '--endpoint', '39', '--login', 'merchant']
  const fields = ['amount=10.00', 'currency=EUR', 'accountNumber=NL91ABNA0417164300'].flatMap(each => ['--field', each])
  const payOut = (...more: string[]) =>
    run('pay-out', 'payout-7', ...fields, '--who', 'ada', '--why', 'a test', ...settings, ...more)
  expect(await payOut()).toMatchObject({ code: 1, stdout: '' })
  const shown = await run('payment', 'payout-7')
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^payout-7: new\n {2}Order/) })
  const said = 'has payments of the till "till", and none of "tea"'
  expect(await payOut('--name', 'tea')).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
})
