/** The example of the README, run in a folder of its own. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFakeGateway } from '@tillkit/testing'
import { afterAll, expect, it, vi } from 'vitest'
import { createTill, type TillAccount } from '../src/index.js'
import { memoryStore } from '../src/store/memory-store.js'
import type { Store } from '../src/store/store.js'

const out = fileURLToPath(new URL('.readme', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tillkit-'))
afterAll(() => {
  for (const each of [out, folder]) rmSync(each, { recursive: true, force: true })
})

it('sends a payment once, also when another client on the same file asks for it', async () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? []
  mkdirSync(out, { recursive: true })
  const file = join(out, 'example.ts')
  writeFileSync(
    file,
    `${code.replaceAll("'sales.db'", JSON.stringify(join(folder, 'sales.db')))}\nawait later.close()\n`,
  )
  const log = vi.spyOn(console, 'log').mockReturnValue()
  await import(/* @vite-ignore */ file)
  expect(log.mock.calls.map(line => line.join(' '))).toEqual(['ERR_ALREADY_SENT', '1'])
})

it('docs/own-store.md shows a test that is run', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const [, shown] = /^```ts\n([\s\S]*?)^```/m.exec(read('../../../docs/own-store.md')) ?? []
  const outside = read('docs-store.test.ts').replace('../src/index.js', '@tillkit/till')
  expect(shown).toBe(outside.replace('../src/conformance.js', '@tillkit/till/conformance'))
})

it('changes accounts while the till runs', async () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const code = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(block => block[1] ?? '').at(-1) ?? ''
  mkdirSync(out, { recursive: true })
  const file = join(out, 'accounts.ts')
  writeFileSync(file, code)
  const { change } = await import(/* @vite-ignore */ file)
  const logins = ['bakery', 'florist', 'butcher'] as const
  const gateway = createFakeGateway({
    merchants: logins.map((login, index) => ({ login, controlKey: `key of the ${login}`, endpoints: [11 + index] })),
  })
  const [bakery, florist, butcher] = logins.map(login => gateway.clientOptionsFor({ login }))
  const till = createTill({
    accounts: [bakery as TillAccount, florist as TillAccount],
    store: memoryStore() as Store<never>,
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    onOutcome: () => {},
  })
  const log = vi.spyOn(console, 'log').mockReturnValue()
  log.mockClear()
  const checked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no such address'))
  await change(till, [bakery, florist], butcher, 'the new key')
  expect(log.mock.calls[0]?.[0]).toEqual([
    { login: 'bakery', currencies: undefined },
    { login: 'florist', currencies: [] },
    { login: 'butcher', currencies: undefined },
  ])
  expect(log.mock.calls[0]?.[1]).toMatchObject([{ login: 'butcher' }])
  expect(till.accounts.list().map(({ login }) => login)).toEqual(['bakery', 'butcher'])
  checked.mockRestore()
  await till.close()
  await gateway.close()
})
