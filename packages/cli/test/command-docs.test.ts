/** docs/command.md and the README: their help, their exit codes, and the options in their commands. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { exitCodes } from '../src/command-line/exit-codes.js'
import { runInProcess } from './run-in-process.js'

const page = new URL('../../../docs/command.md', import.meta.url)
const readme = new URL('../README.md', import.meta.url)

/** Lines of `sh` blocks that begin with the command. */
async function commandsIn(file: URL): Promise<readonly string[]> {
  const blocks = (await readFile(file, 'utf8')).match(/(?<=```sh\n).*?(?=```)/gs) ?? []
  return blocks
    .flatMap(block => block.split('\n'))
    .filter(line => /^(?:npx )?tillkit /.test(line))
    .map(line => line.replace(/^npx /, '').replace(/ # .*$/, ''))
}

describe('docs/command.md', () => {
  it('shows what --help prints, in under 200 lines', async () => {
    const text = await readFile(page, 'utf8')
    expect(text).toContain(`\`\`\`text\n${(await runInProcess(['--help'])).said}\`\`\``)
    expect(text.split('\n').length).toBeLessThan(200)
  })

  it('lists the exit codes', async () => {
    const text = await readFile(page, 'utf8')
    const rows = Object.values(exitCodes).map(({ code, means }) => `| ${code} | ${means} |`)
    expect(text.match(/^\| \d+ .*$/gm)).toEqual(rows)
  })
})

it.each([
  ['docs/command.md', page],
  ['README.md', readme],
])('%s shows commands that there are, with options that they have', async (_name, file) => {
  const commands = await commandsIn(file)
  expect(commands.length).toBeGreaterThan(8)
  for (const command of commands) {
    const [, ...words] = command.split(' ')
    const name = words.slice(0, /^(?:callback|store)$/.test(words[0] ?? '') ? 2 : 1)
    const { code, said } = await runInProcess([...name, '--help'])
    expect([command, code]).toEqual([command, 0])
    for (const [option] of command.matchAll(/ --[a-z-]+/g)) expect(said).toContain(`${option} `)
  }
})
