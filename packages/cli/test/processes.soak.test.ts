/** The commands that processes.test.ts leaves out, as processes of their own: they need nothing of a process that those there do not. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startMerchant } from './merchant.js'
import { endProcesses, startProcess } from './start-process.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit process '))
})
afterEach(async () => {
  endProcesses()
  await rm(folder, { recursive: true })
})

describe('tillkit as a process', () => {
  it('payment and decide read the store that store migrate made', async () => {
    const { gateway, env } = await startMerchant()
    onTestFinished(() => gateway.close())
    const onStore = (...words: readonly string[]) =>
      startProcess([...words, '--store', 'shop.db'], { cwd: folder, env }).ended
    expect((await onStore('store', 'migrate')).code).toBe(0)
    const [payment, decide] = await Promise.all([
      onStore('payment', 'order-7'),
      onStore('decide', 'order-7', 'failed', '--who', 'Ada', '--why', 'looked up'),
    ])
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
    expect(explain).toMatchObject({ code: 1, stderr: '', stdout: expect.stringContaining('clientOrderId') })
    expect(callback).toMatchObject({ code: 1, stdout: expect.stringContaining('418') })
  })
})
