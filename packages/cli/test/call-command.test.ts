/** `tillkit call` and `tillkit status`, on a gateway over HTTP. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertNoSecrets, type FakeGateway, testControlKey } from '@tillkit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sale, secrets, startMerchant } from './merchant.js'
import type { EndedCommand } from './running-command.js'
import { endCommands, runToEnd, startCommand } from './start-command.js'

let folder: string
let saleFile: string
let gateway: FakeGateway
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit call '))
  saleFile = await file('sale.json', JSON.stringify(sale))
})
beforeEach(async () => {
  ;({ gateway, env } = await startMerchant())
})
afterEach(async () => {
  await endCommands()
  await gateway.close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** Runs a command to its end; whatever it says, no secret is in it. */
async function run(words: readonly string[], more: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {}) {
  return checked(await runToEnd(words, { env, ...more }))
}

function checked(ended: EndedCommand): EndedCommand {
  assertNoSecrets(`${ended.stdout}${ended.stderr}`, secrets)
  return ended
}

/** Something at the address of a gateway that takes every request and answers none. */
async function silentGateway() {
  let requests = 0
  const server = createServer(() => {
    requests += 1
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const reached = once(server, 'request')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    env: { ...env, TILLKIT_BASE_URL: `http://127.0.0.1:${port}/paynet` },
    requests: () => requests,
    /** Resolves at the first request. */
    reached,
  }
}

describe('tillkit call', () => {
  it('prints what was signed, sent, answered and meant, and the command that asks on', async () => {
    const { code, stdout, stderr } = await run(['call', 'sale', '--fields-file', saleFile])
    expect([code, stderr]).toEqual([4, ''])
    const [call] = gateway.calls('sale')
    expect(stdout).toMatch(/^Signed {4}with a control value: SHA-1 over these items, then the control key\n/)
    expect(stdout).toMatch(/\n {12}amount {9}1042\n/)
    expect(stdout).toMatch(/\nSent {6}POST \/paynet\/api\/v2\/sale\/39\n/)
    expect(stdout).toMatch(/\n {12}amount {14}10\.42\n/)
    expect(stdout).toMatch(/\nAnswered {2}HTTP 200 after \d+ ms\n/)
    expect(stdout).toContain('Means     processing: The gateway has taken it. That is no approval')
    const orderId = gateway.orders.find('order-7')?.orderId
    expect(stdout).toContain(`Next      tillkit status order-7 --order-id ${orderId} --watch\n`)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(call).toBeDefined()
    expect(await run(['status', 'order-7', '--order-id', String(orderId)])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('approved: The sale over 10.42 EUR is approved. The money is captured.'),
    })
  })

  it('reads fields from its standard input, and watches until the end', async () => {
    const { code, stdout } = await run(['call', 'sale', '--fields-file', '-', '--watch'], {
      input: JSON.stringify(sale),
    })
    expect(code).toBe(0)
    expect(stdout).toContain('approved: The sale over 10.42 EUR is approved')
  })

  it('takes fields by their names in the table and on the wire, and signs with the private key', async () => {
    const words = ['--field', 'client_orderid=p-1', '--field', 'amount=3.00', '--field', 'currency=EUR']
    const { code, stdout } = await run(['call', 'payoutCheck', ...words, '--field', 'accountNumber=12345678', '--json'])
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'processing',
      operation: 'payoutCheck',
      clientOrderId: 'p-1',
      signed: { scheme: 'oauth-rsa-sha256' },
      sent: { fields: { amount: '3.00' } },
      answered: { httpStatus: 200, fields: { 'merchant-order-id': 'p-1' } },
    })
  })

  it('ends with 1 where status says declined', async () => {
    gateway.outcomes.plan('declined')
    const { code, stdout } = await run(['call', 'sale', '--fields-file', saleFile, '--watch', '--json'])
    expect(code).toBe(1)
    const lines = stdout.trim().split('\n')
    expect(lines.map(line => JSON.parse(line).kind)).toEqual(['processing', 'declined'])
  })

  it('says in JSON which stage was approved, in our words', async () => {
    await run(['call', 'sale', '--fields-file', saleFile, '--watch'])
    const [order] = gateway.orders.list()
    const stageOf = async () => JSON.parse((await run(['status', order?.clientOrderId ?? '', '--json'])).stdout)
    expect(await stageOf()).toMatchObject({ kind: 'approved', stage: 'sale' })
    gateway.act({ action: 'reverse', orderId: order?.orderId ?? '' })
    expect(await stageOf()).toMatchObject({ kind: 'approved', stage: 'reversal' })
  })

  it('calls an answer that never came unknown, and sends nothing again', async () => {
    gateway.faults.arm('commit-then-drop')
    const { code, stdout } = await run(['call', 'sale', '--fields-file', saleFile])
    expect(code).toBe(5)
    expect(stdout).toContain('Means     unknown: ')
    expect(stdout).toContain('Do not send it again.')
    expect(stdout).not.toContain('client.resolve')
    expect(stdout).toContain('Next      tillkit status order-7\n')
    expect(gateway.calls('sale')).toHaveLength(1)
    expect(await run(['status', 'order-7'])).toMatchObject({ code: 0 })
  })

  it('gives an answer up after --timeout, and sends nothing again', async () => {
    const silent = await silentGateway()
    const { code, stdout } = await run(['call', 'sale', '--fields-file', saleFile, '--timeout', '20'], silent)
    // A machine that is busy may not have sent it by then: that is not sent, and says so.
    expect([1, 5]).toContain(code)
    expect(stdout).toMatch(code === 5 ? /\b20\sms\b/ : 'Means     not-sent: ')
    expect(silent.requests()).toBeLessThan(2)
  })

  it('names the same account in the command that comes next', async () => {
    const { stdout } = await run(['call', 'sale', '--fields-file', saleFile, '--login', "o'neil"])
    expect(stdout).toMatch(/\nNext {6}tillkit status order-7 --order-id \d+ --watch --login 'o'\\''neil'\n/)
  })

  it('is ended by SIGINT in the middle of a wait, and says that the outcome is unknown', async () => {
    const silent = await silentGateway()
    const command = startCommand(['call', 'sale', '--fields-file', saleFile], silent)
    await silent.reached
    command.stop('SIGINT')
    const { code, signal, stdout } = checked(await command.ended)
    expect([code, signal]).toEqual([5, null])
    expect(stdout).toContain('Means     unknown: ')
    expect(silent.requests()).toBe(1)
  })

  it('tells a refusal from what was not sent', async () => {
    const wrongKey = { ...env, TILLKIT_CONTROL_KEY: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' }
    const refused = await run(['call', 'sale', '--fields-file', saleFile], { env: wrongKey })
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/Means {5}refused: .*Next {6}tillkit check\n$/s),
    })
    const nowhere = { ...env, TILLKIT_BASE_URL: 'http://127.0.0.1:9/paynet' }
    const away = await run(['call', 'sale', '--fields-file', saleFile], { env: nowhere })
    expect(away).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\nNot sent {2}POST .*Means {5}not-sent: .*ECONNREFUSED/s),
    })
  })

  it('takes the settings of a file in place of the environment, and single options before both', async () => {
    const lines = Object.entries({ ...env, TILLKIT_CONTROL_KEY: '', TILLKIT_PRIVATE_KEY: '', TILLKIT_LOGIN: 'nobody' })
    const path = await file('test.env', lines.map(([name, value]) => `${name}=${value}`).join('\n'))
    const keyFile = await file('control key.txt', `${testControlKey}\n`)
    const others = { TILLKIT_BASE_URL: 'http://127.0.0.1:9/wrong', TILLKIT_CONTROL_KEY: 'wrong' }
    const words = ['--settings', path, '--login', 'merchant', '--key-file', keyFile, '--fields-file', saleFile]
    expect(await run(['call', 'sale', ...words], { env: others })).toMatchObject({ code: 4 })
  })

  it.each([
    [['sail'], 'There is no operation "sail". Did you mean sale?'],
    [['make-rebil'], 'Did you mean makeRebill?'],
    [['card'], 'Did you mean createCardRef, getCardInfo, createCardRefV4?'],
    [[], 'Which operation? There are: '],
    [['sale'], 'sale was not sent. It has no fields. It needs:\n  clientOrderId\n  amount\n  currency\n  email\n'],
    [['sale', '--field', 'amount=1.00'], 'It needs besides:\n  clientOrderId\n  currency\n  email\n'],
    [
      ['return', '--field', 'clientOrderId=o', '--field', 'orderId=1', '--field', 'amonut=1.00'],
      'Did you mean "amount"?',
    ],
    [['sale', '--field', 'amount'], '--field is "amount"; it must be name=value.'],
    [['sale', '--fields-file', 'none.json'], '--fields-file: there is no file '],
    [['sale', '--fields-file', '-'], '--fields-file is not JSON.'],
    [['sale', '--field', 'a=b', '--endpoint', '1', '--group', '2'], '--endpoint and --group were both given.'],
    [['sale', '--field', 'a=b', '--timeout', 'soon'], '--timeout is "soon"'],
    [['sale', '--field', 'a=b', '--key-file', 'none'], '--key-file does not name a file that can be read'],
    [['sale', '--field', 'a=b', '--settings', 'none'], '--settings: there is no file '],
  ])('refuses %j', async (words, text) => {
    const { code, stdout, stderr } = await run(['call', ...words])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(text)
    expect(gateway.calls()).toEqual([])
  })

  it('lists every setting that is missing', async () => {
    const { code, stderr } = await run(['call', 'sale', '--fields-file', saleFile], { env: {} })
    expect(code).toBe(2)
    for (const name of ['BASE_URL', 'LOGIN', 'ENDPOINT_ID', 'CONTROL_KEY'])
      expect(stderr).toContain(`- TILLKIT_${name} is not set`)
    expect(stderr).toContain('--settings')
  })

  it('takes no card data from arguments for another machine', async () => {
    const elsewhere = { ...env, TILLKIT_BASE_URL: 'https://gate.example/paynet' }
    const words = Object.entries(sale).flatMap(([name, value]) => ['--field', `${name}=${value}`])
    expect(await run(['call', 'sale', ...words], { env: elsewhere })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--field creditCardNumber holds card data'),
    })
    const extra = ['call', 'sale', '--field', 'clientOrderId=order-7', '--field', 'extra.cvv2=123']
    expect(await run(extra, { env: elsewhere })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--field extra.cvv2 holds card data'),
    })
    expect(await run(['call', 'sale', ...words])).toMatchObject({ code: 4 })
  })
})

describe('tillkit status', () => {
  it('watches an order until it is over, a line for each change', async () => {
    await gateway.close()
    ;({ gateway, env } = await startMerchant({ processingTime: 3_600_000 }))
    await run(['call', 'sale', '--fields-file', saleFile])
    expect(await run(['status', 'order-7'])).toMatchObject({ code: 4, stdout: expect.stringContaining('--watch') })
    const command = startCommand(['status', 'order-7', '--watch'], { env })
    expect(await command.written('not final')).toContain('processing: ')
    await gateway.clock.advance(3_600_000)
    const { code, stdout } = checked(await command.ended)
    expect(code).toBe(0)
    expect(stdout).toContain('approved: The sale over 10.42 EUR is approved.')
    expect(stdout.match(/^\d\d:\d\d:\d\d /gm)).toHaveLength(2)
  })

  it('is ended by Ctrl+C with a code of its own', async () => {
    await gateway.close()
    ;({ gateway, env } = await startMerchant({ processingTime: 3_600_000 }))
    await run(['call', 'sale', '--fields-file', saleFile])
    const command = startCommand(['status', 'order-7', '--watch', '--json'], { env })
    await command.written('\n')
    command.stop('SIGINT')
    const { code, signal, stdout, stderr } = checked(await command.ended)
    expect([code, signal, stderr]).toEqual([
      130,
      null,
      expect.stringMatching(/^tillkit: Stopped\. Asking changed nothing/),
    ])
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'processing', clientOrderId: 'order-7', status: 'processing' })
  })

  it('says that an order is not known, and that no answer came', async () => {
    expect(await run(['status', 'another-order'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('refused: '),
    })
    const nowhere = { ...env, TILLKIT_BASE_URL: 'http://127.0.0.1:9/paynet' }
    expect(await run(['status', 'another-order'], { env: nowhere })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('not-sent: '),
    })
  })

  it('says what a client warns of in the words of a terminal', async () => {
    const odd = { TILLKIT_BASE_URL: 'https://127.0.0.1:9/', TILLKIT_SERVER_CALLBACK_URL: 'https://shop.example:3000/' }
    const { stderr } = await run(['status', 'order-7'], { env: { ...env, ...odd } })
    expect(stderr).toMatch(/^tillkit: TILLKIT_SERVER_CALLBACK_URL has port 3000, .* in the file of --profile\.\n$/)
  })

  it('asks for an order', async () => {
    expect(await run(['status'])).toMatchObject({
      code: 2,
      stderr: "tillkit: Missing required argument 'order'. See tillkit status --help.\n",
    })
  })
})
