/** The example of the README, run in a folder of its own. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it, vi } from 'vitest'

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
