/** `till.tick()` from a cron: a process that takes up what others left behind, and ends by itself. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { sqliteStore } from '../../src/sqlite.js'
import { basket, openShop } from './shop.js'

const program = fileURLToPath(new URL('programs/cron.ts', import.meta.url))
const loader = new URL('../../../../scripts/source-loader.js', import.meta.url).href

/** Starts what the cron starts. @returns What it prints, and its exit code. */
async function runCron(options: object) {
  const child = spawn(process.execPath, ['--conditions=@tillkit/source', '--import', loader, program], {
    env: { ...process.env, CRON_OPTIONS: JSON.stringify(options) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = text(child.stdout)
  const [code] = await once(child, 'exit')
  return { printed: await printed, code }
}

it('tells what nobody heard of, once, and ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillkit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'shop.db')
  const store = sqliteStore(file)
  onTestFinished(() => store.close())
  const shop = await openShop({ store, listens: true })
  const { address } = await shop.till.pay(basket)
  // The shop stops: the customer pays, and neither the return nor the callback arrives.
  await shop.close()
  await shop.customerPays(address).catch(() => undefined)
  expect(shop.books()).toEqual(['basket-7 sale approved'])
  const { baseUrl, endpointId, login, controlKey } = shop.gateway.clientOptions
  const account = { baseUrl, endpointId, login, controlKey }
  expect(await runCron({ account, file, ahead: 120_000 })).toEqual({ printed: 'basket-7 paid\n', code: 0 })
  expect(await runCron({ account, file, ahead: 240_000 })).toEqual({ printed: '', code: 0 })
  expect(shop.books()).toEqual(['basket-7 sale approved'])
})
