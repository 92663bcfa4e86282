/**
 * Every `ts` block of every README is compiled, and the root README's example is run. Without this they drift.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../..')
const out = join(here, '.readme')
/** Blocks that use what a shop does not have: the client's and testing's tests, and `npm run check`, compile or run them. */
const compiledElsewhere = ['recipes.md', 'signing.md', 'testing.md']
const pages = [
  'README.md',
  ...readdirSync(join(root, 'packages')).map(name => `packages/${name}/README.md`),
  ...readdirSync(join(root, 'docs')).flatMap(name =>
    name.endsWith('.md') && !compiledElsewhere.includes(name) ? [`docs/${name}`] : [],
  ),
]

const blocks = pages.flatMap(page => {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match, index) => ({
    name: `${page}, block ${index + 1}`,
    file: join(out, `${page.replaceAll(/\W/g, '-')}-${index + 1}.ts`),
    // A module, even without imports: names of one example must not meet those of another.
    code: `${match[1]}\nexport {}\n`,
  }))
})

describe('the examples in the documentation', () => {
  beforeAll(() => {
    rmSync(out, { recursive: true, force: true })
    mkdirSync(out)
    for (const { file, code } of blocks) writeFileSync(file, code)
  })

  afterAll(() => rmSync(out, { recursive: true, force: true }))

  it('compile', () => {
    const config = ts.getParsedCommandLineOfConfigFile(
      join(here, '../tsconfig.json'),
      { noUnusedLocals: false, noUnusedParameters: false },
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: diagnostic => expect.fail(String(diagnostic.messageText)) },
    )
    const files = blocks.map(({ file }) => file)
    const program = ts.createProgram(files, config?.options ?? {})
    const problems = ts
      .getPreEmitDiagnostics(program)
      .filter(({ file }) => file === undefined || files.includes(file.fileName))
      .map(({ file, start = 0, messageText }) => {
        const name = blocks.find(block => block.file === file?.fileName)?.name ?? 'options'
        const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
        return `${name}, line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
      })
    expect(problems).toEqual([])
    // The compiler shares two processors with every other suite.
  }, 180_000)

  it('has a complete one in the root README, which runs and ends with a verified callback', async () => {
    const example = blocks.find(({ name }) => name === 'README.md, block 1')
    const lines: unknown[] = []
    const { log } = console
    console.log = (...line: unknown[]) => lines.push(line.join(' '))
    try {
      await import(/* @vite-ignore */ example?.file ?? '')
    } finally {
      console.log = log
    }
    expect(lines).toEqual(['held 10.00 EUR', 'captured 10.00 EUR', 'callback verified: approved'])
  })
})
