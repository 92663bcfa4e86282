/** What a check can tell where a gateway answers everything in the same way. */
import { afterEach, describe, expect, it } from 'vitest'
import { type CheckReport, createClient } from '../src/index.js'
import { type Behaviour, type GatewayServer, reply, startServer } from './gateway-server.js'
import { controlKey } from './sample-requests.js'

const verdicts = ({ findings }: CheckReport) =>
  Object.fromEntries(findings.map(({ subject, verdict }) => [subject, verdict]))

describe('a check of a gateway that gives little away', () => {
  let server: GatewayServer

  afterEach(() => server.close())

  async function check(behaviour: Behaviour) {
    server = await startServer(behaviour)
    const client = createClient({ baseUrl: server.baseUrl, endpointId: 39, login: 'merchant', controlKey })
    const report = await client.check()
    await client.close()
    return report
  }

  const record = (status: number, fields: object) => reply({ status, body: JSON.stringify(fields) })
  const cannotTell = { login: 'cannot-tell', controlKey: 'cannot-tell' }
  let count = 0

  it.each<[string, Behaviour]>([
    ['refuses everything alike', record(400, { type: 'validation-error', 'error-code': '1' })],
    ['refuses every signature alike', record(401, { type: 'error', 'error-code': '1' })],
    ['fails', record(500, { type: 'error', 'error-code': '1' })],
    ['finds every order', record(200, { type: 'status-response', status: 'approved' })],
    [
      'has another code for each answer',
      (socket, request) => {
        count += 1
        record(400, { type: 'validation-error', 'error-code': String(count) })(socket, request)
      },
    ],
  ])('cannot tell where it %s', async (_what, behaviour) => {
    const report = await check(behaviour)
    expect(verdicts(report)).toMatchObject({ baseUrl: 'ok', clock: 'cannot-tell', ...cannotTell })
    expect(report.verdict).toBe('cannot-tell')
  })

  it('compares words where there are no codes, without what belongs to the question', async () => {
    const report = await check((socket, request) => {
      const form = new URLSearchParams(request.body)
      const message = `Order ${form.get('client_orderid')} of ${form.get('login')} not found, case 4f1c${count++}a9b37`
      record(400, { type: 'validation-error', 'error-message': message })(socket, request)
    })
    expect(verdicts(report)).toMatchObject(cannotTell)
  })
})
