/** The shop of the README, killed between payment and callback: a process of its own, a real file, and SIGKILL. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../packages/express-middleware/test/listening.js'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../..')

/** The merchant's part of the README's first example, on a gateway of another process. */
function merchantsCode(port: number, file: string): string {
  const [, code = ''] =
    /^```ts\n([\s\S]*?)^\/\/ A customer types/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const own = code
    .replace(/^\/\/ A gateway to try[\s\S]*?listen\(\)$/m, '')
    .replace('gateway.clientOptions', 'JSON.parse(process.env.ACCOUNT ?? "")')
    .replaceAll('4280', String(port))
    .replaceAll("'shop.db'", JSON.stringify(file))
  return `${own}\nprocess.send?.('started')\n`
}

async function startShop(program: string, account: object): Promise<ChildProcess> {
  const loader = pathToFileURL(join(root, 'scripts/source-loader.js')).href
  const child = spawn(process.execPath, ['--conditions=@tillkit/source', '--import', loader, program], {
    env: { ...process.env, ACCOUNT: JSON.stringify(account) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

it('arrives at paid after a SIGKILL between payment and callback, charged once and told once', async () => {
  const folder = mkdtempSync(join(here, '.killed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const gateway = createFakeGateway()
  await gateway.listen()
  onTestFinished(() => gateway.close())
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const port = await freePort()
  const program = join(folder, 'shop.ts')
  writeFileSync(program, merchantsCode(port, join(folder, 'shop.db')))
  const order = `http://127.0.0.1:${port}/orders/order-7`

  const first = await startShop(program, { baseUrl, endpointId, login, controlKey })
  const answer = await fetch(`${order}/pay`, { method: 'POST', redirect: 'manual' })
  first.kill('SIGKILL')
  await once(first, 'exit')
  // The shop is gone: neither the customer's return nor the callback reaches it.
  await payAsCustomer(answer, { gateway }).catch(() => undefined)
  expect(gateway.orders.list().map(({ stages }) => stages.map(({ status }) => status))).toEqual([['approved']])

  const second = await startShop(program, { baseUrl, endpointId, login, controlKey })
  let told = ''
  second.stdout?.setEncoding('utf8').on('data', text => {
    told += text
  })
  // The gateway calls back again, as it does where nobody answered.
  await gateway.clock.advance(60 * 60_000)
  while ((await (await fetch(order)).text()) !== 'paid' || told === '') await setTimeout(50)
  // The customer presses Pay once more, and lands on the page of the order.
  const again = await fetch(`${order}/pay`, { method: 'POST', redirect: 'manual' })
  expect(again.headers.get('location')).toBe(order)
  expect(told).toBe('order-7 paid 10.00 EUR\n')
  expect(gateway.orders.list()).toHaveLength(1)
}, 120_000)
