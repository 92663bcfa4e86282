/** The programs in other languages that docs/gateway-from-a-program.md shows, run. CI has the languages. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { testControlKey } from '@tillkit/testing'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bin, endProcesses, startProcess } from './start-process.js'

let page: string
beforeAll(async () => {
  page = await readFile(new URL('../../../docs/gateway-from-a-program.md', import.meta.url), 'utf8')
})
afterEach(endProcesses)

const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

/** Runs a program that is given its source on its input. */
async function run(program: string, { words, source }: { words: readonly string[]; source: string }) {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(source)
  const ended = new Promise(resolve => child.on('close', resolve))
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

describe('docs/gateway-from-a-program.md', () => {
  it('shows Python that runs', async () => {
    const words = ['-', process.execPath, bin, 'gateway']
    expect(await run('python3', { words, source: block('python') })).toEqual({
      code: 0,
      stdout: 'no answer: that is no refusal, so ask status and send nothing again\napproved\nended with 0\n',
      stderr: '',
    })
  })

  it('shows PHP of an older client that runs', async () => {
    const command = startProcess(['gateway', '--port', '0', '--json', '--form'])
    const { baseUrl } = JSON.parse(await command.written('\n')) as { baseUrl: string }
    const words = ['--', baseUrl, testControlKey]
    expect(await run('php', { words, source: block('php') })).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^async-response\napproved\nThe control value must be .+\n$/),
      stderr: '',
    })
  })
})
