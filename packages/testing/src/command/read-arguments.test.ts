import { describe, expect, it } from 'vitest'
import { commandOptions, helpText } from './command-options.js'
import { readArguments } from './read-arguments.js'

describe('readArguments', () => {
  it('reads options, long and short', () => {
    expect(readArguments(['-p', '0', '--config=merchants.json', '--form', '--json'])).toEqual({
      task: 'listen',
      port: 0,
      config: 'merchants.json',
      form: true,
      json: true,
      expose: false,
      host: undefined,
      publicOrigin: undefined,
      certify: undefined,
    })
    expect(readArguments(['--certify', 'http://a', '--is-paid', 'http://b']).certify).toEqual({
      startPayment: 'http://a',
      isPaid: 'http://b',
      receiveCallback: undefined,
      only: undefined,
    })
    expect(readArguments(['--host', '0.0.0.0', '--expose', '--public-origin', 'http://gateway'])).toMatchObject({
      host: '0.0.0.0',
      expose: true,
      publicOrigin: 'http://gateway',
    })
  })

  it.each([
    [['--help', '--port', '1'], 'help'],
    [['-h'], 'help'],
    [['--version'], 'version'],
    [['-v'], 'version'],
    [['--schema'], 'schema'],
    [[], 'listen'],
  ] as const)('takes %j for the task %s', (words, task) => {
    expect(readArguments(words).task).toBe(task)
  })

  it.each([
    [['--certify', 'http://a'], '--certify needs --is-paid <address>'],
    [['--is-paid', 'http://b'], '--is-paid goes with --certify <address>.'],
    [['--port', '65536'], '--port is "65536"; it must be a number from 0 to 65535.'],
    [['--port', '-1'], 'See tillkit-gateway --help.'],
    [['--port=-1'], '--port is "-1"'],
    [['--port', '0x50'], '--port is "0x50"'],
    [['--port', ''], '--port is ""'],
    // The words are those of Node.js.
    [['--port'], '--port'],
    [['--prot', '1'], '--prot'],
    [['4010'], '4010'],
    [['--form=yes'], '--form'],
    [['--config', ''], '--config is empty.'],
    [['--host='], '--host is empty.'],
  ])('refuses %j', (words, text) => {
    expect(() => readArguments(words)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(text) }),
    )
  })
})

describe('helpText', () => {
  it('names every option on a line that fits a terminal of 120 columns', () => {
    const text = helpText()
    for (const name of Object.keys(commandOptions)) expect(text).toMatch(new RegExp(`^ .*--${name}\\b.*\\.$`, 'm'))
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
  })
})
