/** Examples that a newcomer copies whole, run as they stand on their page. */
import crypto from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'
import type { FakeGateway } from '@tillkit/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../../packages/express-middleware/test/listening.js'
import { otherPrivateKey, otherPublicKey } from '../../../packages/testing/test/other-keys.js'

/** A block of a page by its number from 0, and the lines that it prints. */
export type Example = readonly [page: string, block: number, lines: readonly unknown[]]

/** Defines a test for each example. */
export function itRuns(examples: readonly Example[]): void {
  beforeAll(() => void vi.spyOn(crypto, 'generateKeyPairSync').mockReturnValue(otherKeys as never))
  afterAll(() => void vi.mocked(crypto.generateKeyPairSync).mockRestore())
  afterAll(removeFiles)

  it.each(examples)('the example of %s (%i) runs, and prints what it should', async (page, block, lines) => {
    expect(await run(page, block)).toMatchObject({ printed: lines, warnings: [] })
    // A newcomer runs it again, on the file that the first time has left.
    if (runsAgain(page, block)) expect(await run(page, block, 2)).toMatchObject({ printed: someLines, warnings: [] })
  })
}

/** Removes what examples have left on the disk. */
export const removeFiles = (): void => rmSync(out, { recursive: true, force: true })

const here = dirname(fileURLToPath(import.meta.url))
/** Test files of one thread run one after the other. */
const out = join(here, '.readme', String(threadId))

/** The code of a block of a page. */
function codeOf(page: string, block: number): string {
  const blocks = [...readFileSync(join(here, '../../..', page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)]
  return blocks[block]?.[1] ?? ''
}

/** Where a test puts a file that an example opens by its name alone. */
export const fileOf = (name: string): string => join(out, name)

/**
 * Runs a block of a page.
 *
 * @param edit What a test puts in place of a part of it.
 * @returns What it prints, its fake gateway, if it has one, and what that warns of.
 */
export async function run(page: string, block: number, time = 1, edit = (code: string) => code) {
  const code = edit(codeOf(page, block))
  const file = join(out, `${page.replaceAll(/\W/g, '-')}-${block}-${time}.ts`)
  mkdirSync(out, { recursive: true })
  // A file and a port of its own: the page is read by people, who have both free.
  const own = code
    .replaceAll('4280', String(await freePort()))
    .replaceAll(/'(\w+\.db)'/g, (_, name) => JSON.stringify(fileOf(name)))
  writeFileSync(file, code.includes('const gateway =') ? `${own}\nexport { gateway }\n` : own)
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    const { gateway }: { readonly gateway?: FakeGateway } = await import(/* @vite-ignore */ file)
    const printed = log.mock.calls.map(line => line.join(' '))
    return { printed, gateway, warnings: gateway?.calls().flatMap(call => call.warnings ?? []) ?? [] }
  } finally {
    log.mockRestore()
  }
}

/** Whether an example finds its own file when it runs again. Some pages tell their reader to delete that file first. */
const runsAgain = (page: string, block: number): boolean =>
  /'\w+\.db'/.test(codeOf(page, block)) &&
  !readFileSync(join(here, '../../..', page), 'utf8').includes('before you run the example again')

const someLines = expect.arrayContaining([expect.any(String)])

/** Making an RSA key takes up to a second, as chance will have it: the examples are given one that is there. */
const otherKeys = { privateKey: otherPrivateKey, publicKey: otherPublicKey }
