/**
 * Commands as processes of their own, as users start them: what a process alone has, such as signals, streams and the packages beside it.
 * The other daily tests run commands in the process of the test; the other commands as processes are in processes.soak.test.ts.
 */
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

  it('store migrate finds the packages of a till beside the command, and report reads what it made', async () => {
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
    const report = await onStore('report')
    expect(report).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Nothing needs attention') })
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
