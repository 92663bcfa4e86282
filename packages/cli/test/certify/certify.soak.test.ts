import { expect, it } from 'vitest'
import { certify, describeCertification } from '../../src/index.js'
import { handWritten } from './hand-written-merchant.js'

it('certify passes a careful merchant in every case, and says which did not apply', async () => {
  const report = await certify(gateway => handWritten(gateway))
  expect(report.findings).toEqual([])
  expect(describeCertification(report)).toMatch(/^0 findings in 59 cases \(seed "tillkit"\)\. 1 case did not apply/)
  expect(report.passed).toBe(true)
  expect(report.cases.filter(({ applied }) => !applied).map(({ name }) => name)).toEqual(['forged browser return'])
})

// The fake gateway itself waits five seconds for that answer.
it('certify finds that a merchant never answers a callback', async () => {
  const receiveCallback = () => new Promise<never>(() => undefined)
  const report = await certify(async gateway => ({ ...(await handWritten(gateway)), receiveCallback }), {
    patience: 50,
    only: ['approved'],
  })
  expect(report.findings.map(({ kind }) => kind)).toContain('hung')
})

it('certify fails a merchant that answers 200 before it has asked status', async () => {
  const { passed, findings } = await certify(
    gateway => handWritten(gateway, { withCallback: 'answers first', polls: false }),
    { clock: () => Date.UTC(2026, 0, 5, 9, 30), only: ['status down when the callback comes'] },
  )
  expect([passed, findings.map(({ kind }) => kind)]).toEqual([false, ['lost-callback']])
})
