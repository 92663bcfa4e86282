/** Each command once as a process of its own, as users start it. The other daily tests run it in the process of the test. */
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeForm } from '@tillkit/signing'
import { createFakeGateway } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { prepare } from '../../testing/test/signed-request.js'
import manifest from '../package.json' with { type: 'json' }
import { sale, startMerchant } from './merchant.js'
import { endProcesses, startProcess } from './start-process.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit process '))
})
afterEach(async () => {
  endProcesses()
  await rm(folder, { recursive: true })
})

interface Introduced {
  readonly version: string
  readonly baseUrl: string
  readonly merchants: readonly {
    readonly login: 'north' | 'south'
    readonly controlKey: string
    readonly privateKey: string
  }[]
}

describe('tillkit as a process', () => {
  it('gateway makes the secrets that its config file leaves out, they are the right ones, and SIGINT ends it with 0', async () => {
    const endpoints = { north: 11, south: 21 }
    const merchants = Object.entries(endpoints).map(([login, id]) => ({ login, endpoints: [{ id, currency: 'EUR' }] }))
    await writeFile(join(folder, 'merchants.json'), JSON.stringify({ merchants }))
    const command = startProcess(['gateway', '--port', '0', '--json', '--config', 'merchants.json'], { cwd: folder })
    const introduced = JSON.parse(await command.written('\n')) as Introduced
    expect(introduced).toMatchObject({ version: manifest.version })
    expect(new Set(introduced.merchants.map(({ controlKey }) => controlKey)).size).toBe(2)
    for (const { login, controlKey, privateKey } of introduced.merchants) {
      const keys = { login, controlKey, privateKey, endpointId: endpoints[login] }
      const signer = createFakeGateway({ ...keys, origin: new URL(introduced.baseUrl).origin })
      // One is signed with the control key, the other with the private key.
      for (const name of ['payout', 'payoutCheck'] as const) {
        const fields = { clientOrderId: `${name}-${login}`, amount: '1.00', currency: 'EUR', accountNumber: '12345678' }
        const { url, headers, parameters } = await prepare(signer, name, fields)
        const { statusCode, body } = await request(url, { method: 'POST', headers, body: encodeForm(parameters) })
        expect([statusCode, await body.json()]).toMatchObject([200, { 'merchant-order-id': fields.clientOrderId }])
      }
    }
    command.stop('SIGINT')
    expect(await command.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it('certify ends at once with 130 when SIGTERM comes in the middle of a case', async () => {
    let payments = 0
    const shop = createServer(({ url }, response) => {
      if (url === '/pay') payments += 1
      response.end('open')
    }).listen(0, '127.0.0.1')
    await once(shop, 'listening')
    onTestFinished(() => {
      shop.close()
      shop.closeAllConnections()
    })
    const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
    const reached = once(shop, 'request')
    const command = startProcess(['certify', `${origin}/pay`, '--is-paid', `${origin}/paid`, '--port', '0'])
    await reached
    command.stop('SIGTERM')
    expect(await command.ended).toMatchObject({
      code: 130,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(/\ntillkit: Stopped\. 0 cases were tried\.\n$/),
    })
    // Had it gone on, the next case would have begun.
    expect(payments).toBe(1)
  })

  it('store migrate finds the packages of a till beside the command; report, payment and decide read what it made', async () => {
    const { gateway, env } = await startMerchant()
    onTestFinished(() => gateway.close())
    const store = join(folder, 'shop.db')
    const onStore = (...words: readonly string[]) =>
      startProcess([...words, '--store', 'shop.db'], { cwd: folder, env }).ended
    expect(await onStore('store', 'migrate')).toMatchObject({
      code: 0,
      stdout: `${store}\nMade the file and its tables tillkit_store, tillkit_documents.\n`,
      stderr: '',
    })
    const [report, payment, decide] = await Promise.all([
      onStore('report'),
      onStore('payment', 'order-7'),
      onStore('decide', 'order-7', 'failed', '--who', 'Ada', '--why', 'looked up'),
    ])
    expect(report).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Nothing needs attention') })
    for (const each of [payment, decide])
      expect(each).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no payment "order-7"') })
  })

  it('check and status ask the gateway of their environment', async () => {
    const { gateway, env } = await startMerchant()
    onTestFinished(() => gateway.close())
    const [check, status] = await Promise.all(
      [['check'], ['status', 'order-7']].map(words => startProcess(words, { env }).ended),
    )
    expect(check).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^ +Control key +ok/m) })
    expect(status).toMatchObject({ code: 1, stderr: '', stdout: expect.stringContaining('order-7') })
    // The check asks for orders of its own.
    expect(gateway.calls('status').flatMap(({ fields }) => fields)).toContainEqual(['client_orderid', 'order-7'])
  })

  it('explain reads its standard input, and callback send says what the shop answered', async () => {
    const env = { TILLKIT_CONTROL_KEY: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' }
    const shop = createServer((_request, response) => void response.writeHead(418).end()).listen(0, '127.0.0.1')
    await once(shop, 'listening')
    onTestFinished(() => void shop.close())
    const to = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/callback`
    const fields = 'client_orderid=order-7&amount=10.42&currency=EUR&email=ada@shop.test&control=0'
    const input = `curl -d '${fields}' https://gate.example/paynet/api/v2/sale/39`
    const [explain, callback] = await Promise.all([
      startProcess(['explain'], { env, input }).ended,
      startProcess(['callback', 'send', '--to', to, '--order', 'order-7', '--order-id', '77'], { env }).ended,
    ])
    expect(explain).toMatchObject({ code: 1, stderr: '', stdout: expect.stringContaining('client_orderid') })
    expect(callback).toMatchObject({ code: 1, stdout: expect.stringContaining('418') })
  })

  it('call reads its standard input and its environment, and ends well where its reader reads no further', async () => {
    const { gateway, env } = await startMerchant()
    onTestFinished(() => gateway.close())
    const command = startProcess(['call', 'sale', '--fields-file', '-'], { env, input: JSON.stringify(sale) })
    command.child.stdout?.destroy()
    expect(await command.ended).toMatchObject({ code: 4, signal: null, stderr: '' })
  })

  it('keygen names the folder that file modes close to it, and writes neither key', async () => {
    await chmod(folder, 0o555)
    const { code, stderr } = await startProcess(['keygen'], { cwd: folder, isBoundByModes: true }).ended
    await chmod(folder, 0o755)
    const why = `you may not write to the folder ${folder}. Neither key was written.`
    expect([code, stderr]).toEqual([2, `tillkit: Cannot write ${join(folder, 'public-key.pem')}: ${why}\n`])
    expect(await readdir(folder)).toEqual([])
  })
})
