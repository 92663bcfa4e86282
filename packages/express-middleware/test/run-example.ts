/**
 * An example of the documentation as a module that a test can import.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Which example, and what a test needs of it. */
export interface ExampleOptions {
  /** Path of the page from the root of the repository. Its first `ts` block is taken. */
  readonly page: string
  /** Names to hand out. */
  readonly exports: readonly string[]
  /** What is written otherwise: the reader's part of it, such as ports and addresses. */
  readonly replace?: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const out = fileURLToPath(new URL('.readme/', import.meta.url))

/** Runs an example, anew each time. @returns What it was asked to hand out. */
export async function runExample<Handed>({ page, exports, replace = {} }: ExampleOptions): Promise<Handed> {
  const [, block = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(root, page), 'utf8')) ?? []
  const runnable = Object.entries({ ...replace, "'@tillkit/express-middleware'": "'../../src/index.js'" }).reduce(
    (code, [text, other]) => {
      if (!code.includes(text)) throw new Error(`${page} no longer has ${text}.`)
      return code.replaceAll(text, other)
    },
    `${block}\nexport { ${exports.join(', ')} }\n`,
  )
  mkdirSync(out, { recursive: true })
  // Two threads of one process may run examples at the same moment.
  const file = join(out, `example-${randomUUID()}.ts`)
  writeFileSync(file, runnable)
  try {
    return await import(/* @vite-ignore */ file)
  } finally {
    rmSync(file)
  }
}
