/** Help, versions and wrong arguments of every command. */
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { exitCodes } from '../src/command-line/exit-codes.js'
import { program } from '../src/commands/run-command.js'
import { runInProcess, surroundingsOf } from './run-in-process.js'

const { root } = program(surroundingsOf([]))

const below = (command: Command, words: readonly string[] = []): readonly (readonly string[])[] =>
  command.commands.flatMap(each => {
    const name = [...words, each.name()]
    return each.commands.length === 0 ? [name] : below(each, name)
  })
const commands = below(root).map(words => words.join(' '))

describe('--help', () => {
  it('names every command', async () => {
    const { code, said } = await runInProcess(['--help'])
    expect(code).toBe(0)
    for (const name of commands) expect(said).toMatch(new RegExp(`^ {2}${name.split(' ')[0]} `, 'm'))
  })

  it.each(commands)('of %s fits 80 columns, and has examples, --json and exit codes', async name => {
    const { code, said, complaint } = await runInProcess([...name.split(' '), '--help'])
    expect([code, complaint]).toEqual([0, ''])
    for (const line of said.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(said).toMatch(new RegExp(`^Usage: tillkit ${name}`))
    expect(said).toContain(`\nExamples:\n  `)
    expect(said).toContain(`tillkit ${name}`)
    expect(said).toContain('--json')
    const codes = [...(/\nExit codes:\n(.*)/s.exec(said)?.[1] ?? '').matchAll(/^ {2}(\d+) /gm)].map(([, each]) => each)
    expect(codes).toContain('0')
    expect(codes).toContain('2')
    expect(Object.values(exitCodes).map(({ code: each }) => String(each))).toEqual(expect.arrayContaining(codes))
  })

  it('is printed for a wide terminal as well, and never wider than 100 columns', async () => {
    const { said } = await runInProcess(['gateway', '--help'], {
      terminal: { columns: 300, colours: false, progress: false },
    })
    const widest = Math.max(...said.split('\n').map(line => line.length))
    expect(widest).toBeGreaterThan(80)
    expect(widest).toBeLessThanOrEqual(100)
  })
})

it.each([
  [['--version'], '0.0.0\n'],
  [['-v'], '0.0.0\n'],
])('%j prints the version', async (words, said) => {
  expect(await runInProcess(words)).toEqual({ code: 0, said, complaint: '' })
})

it.each([
  [[], 'Which command?\n\nUsage: tillkit <command>'],
  [['serve'], "Unknown command 'serve'. See tillkit --help."],
  [['gatewy'], "Unknown command 'gatewy'. Did you mean gateway? See tillkit --help."],
  [['--port', '1'], 'See tillkit --help.'],
  [['certify'], 'Which shop? tillkit certify <address>'],
  [['certify', '--is-paid', 'http://b'], 'Which shop?'],
  [['certify', 'http://a'], '--is-paid <address> is missing'],
  [
    ['certify', 'http://a', 'http://b', '--is-paid', 'http://b'],
    'tillkit certify takes one argument, so what is "http://b"?',
  ],
  [['certify', 'a', '--is-paid', 'http://127.0.0.1/'], '"<address>" is "a", which is no address.'],
  [['certify', 'http://a', '--is-pad', 'http://b'], 'Did you mean --is-paid? See tillkit certify --help.'],
  [['gateway', '--is-paid', 'http://b'], "'--is-paid'. See tillkit gateway --help."],
  [['gateway', '--port', '65536'], '--port is "65536"; it must be a number from 0 to 65535.'],
  [['gateway', '--port', '-1'], '--port is "-1"'],
  [['gateway', '--port', '0x50'], '--port is "0x50"'],
  [['gateway', '--port', ''], '--port is ""'],
  [['gateway', '--port'], '--port'],
  [['gateway', '--prot', '1'], 'Did you mean --port?'],
  [['gateway', '4010', 'x'], 'tillkit gateway takes no argument, so what is "4010", "x"? See tillkit gateway --help.'],
  [
    ['gateway', '--public-origin', 'http://ada:open-sesame@gate/x'],
    '--public-origin is "http://***@gate/x"; it must be like',
  ],
  [['gateway', '--form=yes'], '--form'],
  [['gateway', '--config', ''], '--config is empty.'],
  [['gateway', '--host='], '--host is empty.'],
])('%j is refused', async (words, text) => {
  const { code, said, complaint } = await runInProcess(words)
  expect([code, said]).toEqual([2, ''])
  expect(complaint).toMatch(/^tillkit: /)
  expect(complaint).toContain(text)
})
