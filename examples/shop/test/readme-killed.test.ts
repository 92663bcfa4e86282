/** The shop of the README, killed between payment and callback: a process of its own, a real file, and SIGKILL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import type { Till } from '@tillkit/till'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../packages/express-middleware/test/listening.js'
import { bundle } from '../../../packages/till/test/bundle.js'

const here = dirname(fileURLToPath(import.meta.url))

/** The merchant's part of the README's first example, as a program on a gateway of another process. */
function merchantsCode({ port, file, account }: { port: number; file: string; account: object }): string {
  const [, code = ''] =
    /^```ts\n([\s\S]*?)^\/\/ A customer types/m.exec(readFileSync(join(here, '../../../README.md'), 'utf8')) ?? []
  const own = code
    .replace(/^\/\/ A gateway to try[\s\S]*?listen\(\)$/m, '')
    .replace('gateway.clientOptions', JSON.stringify(account))
    .replaceAll('4280', String(port))
    .replaceAll("'shop.db'", JSON.stringify(file))
  return `${own}\nexport { server, till }\nprocess.send?.('started')\n`
}

it('the shop of the README, killed between payment and callback: paid, charged once and told once after a restart', async () => {
  const folder = mkdtempSync(join(here, '.killed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const gateway = createFakeGateway()
  await gateway.listen()
  onTestFinished(() => gateway.close())
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const account = { baseUrl, endpointId, login, controlKey }
  const port = await freePort()
  const program = join(folder, 'shop.ts')
  writeFileSync(program, merchantsCode({ port, file: join(folder, 'shop.db'), account }))
  const order = `http://127.0.0.1:${port}/orders/order-7`

  const bundled = join(folder, 'shop.mjs')
  await bundle(program, bundled)
  const first = spawn(process.execPath, [bundled], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  onTestFinished(() => void first.kill('SIGKILL'))
  first.stderr?.setEncoding('utf8').on('data', text => console.warn(text))
  const ended = once(first, 'exit')
  expect((await Promise.race([once(first, 'message'), ended]))[0]).toBe('started')
  const answer = await fetch(`${order}/pay`, { method: 'POST', redirect: 'manual' })
  first.kill('SIGKILL')
  await ended
  // The shop is gone: neither the customer's return nor the callback reaches it.
  await payAsCustomer(answer, { gateway }).catch(() => undefined)
  expect(gateway.orders.list().map(({ stages }) => stages.map(({ status }) => status))).toEqual([['approved']])

  // It starts again, on the same file. This process can be the second one, since nothing of the first is in it.
  const told = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => told.mockRestore())
  const isTold = new Promise(resolve => told.mockImplementation(resolve))
  const second: { readonly server: Server; readonly till: Till } = await import(/* @vite-ignore */ program)
  onTestFinished(async () => {
    second.server.close()
    await second.till.close()
  })
  // The gateway calls back again, as it does where nobody answered.
  await gateway.clock.advance(60 * 60_000)
  await gateway.callbacks.idle()
  await isTold
  expect(await (await fetch(order)).text()).toBe('paid')
  // The customer presses Pay once more, and lands on the page of the order.
  const again = await fetch(`${order}/pay`, { method: 'POST', redirect: 'manual' })
  expect(again.headers.get('location')).toBe(order)
  expect(told.mock.calls).toEqual([['order-7 paid 10.00 EUR']])
  expect(gateway.orders.list()).toHaveLength(1)
})
