import { spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { testControlKey } from '@tillkit/testing'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import schema from '../src/gateway/config.schema.json' with { type: 'json' }
import { controlPath, controlRoutes } from '../src/gateway/control/routes.js'
import { schemaProblems } from '../src/schema.js'
import { runInProcess } from './run-in-process.js'
import { bin, endCommands, startCommand } from './start-command.js'

let page: string
beforeAll(async () => {
  page = await readFile(new URL('../../../docs/gateway-command.md', import.meta.url), 'utf8')
})
afterEach(endCommands)

const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

/** Runs a program that is given its source on its input. */
async function run(program: string, { words, source }: { words: readonly string[]; source: string }) {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(source)
  const ended = new Promise(resolve => child.on('close', resolve))
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

/** In CI both are installed, and a skipped test is a failure. */
const lacks = (program: string): boolean => spawnSync(program, ['--version']).status !== 0

describe('docs/certify.md', () => {
  it('shows what certify --help prints', async () => {
    const certify = await readFile(new URL('../../../docs/certify.md', import.meta.url), 'utf8')
    const { said } = await runInProcess(['certify', '--help'])
    expect(certify).toContain(`\`\`\`text\n${said}\`\`\``)
  })
})

describe('docs/gateway-command.md', () => {
  it('shows what --help prints', async () => {
    expect(block('text')).toBe((await runInProcess(['gateway', '--help'])).said)
  })

  it('shows a config file that is one', () => {
    expect(schemaProblems(JSON.parse(block('json')), schema, 'The config')).toEqual([])
  })

  it('lists every route of the control API with its words', () => {
    const rows = Object.values(controlRoutes).map(
      ({ method, path, does }) => `| \`${method} ${controlPath}${path}\` | ${does} |`,
    )
    expect(page.match(/^\| `.*$/gm)?.toSorted()).toEqual(rows.toSorted())
  })

  it.skipIf(lacks('python3'))('shows Python that runs', async () => {
    const words = ['-', process.execPath, bin, 'gateway']
    expect(await run('python3', { words, source: block('python') })).toEqual({
      code: 0,
      stdout: 'no answer: that is no refusal, so ask status and send nothing again\napproved\nended with 0\n',
      stderr: '',
    })
  })

  it.skipIf(lacks('php'))('shows PHP of an older client that runs', async () => {
    const command = startCommand(['gateway', '--port', '0', '--json', '--form'])
    const { baseUrl } = JSON.parse(await command.written('\n')) as { baseUrl: string }
    const words = ['--', baseUrl, testControlKey]
    expect(await run('php', { words, source: block('php') })).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^async-response\napproved\nThe control value must be .+\n$/),
      stderr: '',
    })
  })
})
