/** Examples that a newcomer copies whole, run. `npm run check` compiles them, and every other block of the documentation. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FakeGateway } from '@tillkit/testing'
import { afterAll, expect, it, vi } from 'vitest'
import { freePort } from '../../../packages/express-middleware/test/listening.js'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '.readme')

/** Runs the first block of a page. @returns What it prints, and what the fake gateway warns of, if it has one. */
async function run(page: string) {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(here, '../../..', page), 'utf8')) ?? []
  const file = join(out, `${page.replaceAll(/\W/g, '-')}.ts`)
  mkdirSync(out, { recursive: true })
  // A file and a port of its own: the page is read by people, who have both free.
  const own = code
    .replaceAll('4280', String(await freePort()))
    .replaceAll("'shop.db'", JSON.stringify(join(out, 'shop.db')))
  writeFileSync(file, code.includes('const gateway =') ? `${own}\nexport { gateway }\n` : own)
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
  ['README.md', ['order-7 declined 10.00 EUR', 'order-7 paid 10.00 EUR', 'paid']],
  ['packages/cli/README.md', ['true']],
  ['packages/protocol/README.md', ['approved captured 10.50']],
  ['packages/testing/README.md', ['approved', 'ERR_OUTCOME_UNKNOWN', '/callback']],
])('the example of %s runs, and prints what it should', async (page, lines) => {
  expect(await run(page)).toEqual({ printed: lines, warnings: [] })
})
