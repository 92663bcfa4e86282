/** Examples that a newcomer copies whole, run. `npm run check` compiles them, and every other block of the documentation. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FakeGateway } from '@tillkit/testing'
import { afterAll, expect, it, vi } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '.readme')

/** Runs the first block of a page. @returns What it prints, and what the fake gateway warns of, if it has one. */
async function run(page: string) {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(here, '../../..', page), 'utf8')) ?? []
  const file = join(out, `${page.replaceAll(/\W/g, '-')}.ts`)
  mkdirSync(out, { recursive: true })
  writeFileSync(file, code.includes('const gateway =') ? `${code}\nexport { gateway }\n` : code)
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    const { gateway }: { readonly gateway?: FakeGateway } = await import(/* @vite-ignore */ file)
    const printed = log.mock.calls.map(line => line.join(' '))
    return { printed, warnings: gateway?.calls().flatMap(call => call.warnings ?? []) ?? [] }
  } finally {
    log.mockRestore()
  }
}

afterAll(() => rmSync(out, { recursive: true, force: true }))

it.each([
  ['README.md', ['order-1001 held 10.00 EUR', 'order-1001 paid 10.00 EUR']],
  ['packages/cli/README.md', ['true']],
  ['packages/protocol/README.md', ['approved captured 10.50']],
  ['packages/testing/README.md', ['approved', 'ERR_OUTCOME_UNKNOWN', '/callback']],
])('the example of %s runs, and prints what it should', async (page, lines) => {
  expect(await run(page)).toEqual({ printed: lines, warnings: [] })
})
