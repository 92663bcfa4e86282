import { describe, expect, it } from 'vitest'
import { commandOptions, helpText } from './options.js'
import { readArguments } from './read-arguments.js'

const nothing = {
  port: undefined,
  host: undefined,
  config: undefined,
  publicOrigin: undefined,
  form: false,
  expose: false,
}

describe('readArguments', () => {
  it('reads options of the gateway, long and short', () => {
    expect(readArguments(['gateway', '-p', '0', '--config=merchants.json', '--form', '--json'])).toEqual({
      kind: 'gateway',
      gateway: { ...nothing, port: 0, config: 'merchants.json', form: true },
      keys: false,
      json: true,
    })
    const exposed = ['--host', '0.0.0.0', '--expose', '--public-origin', 'http://gateway', '--keys']
    expect(readArguments(['gateway', ...exposed])).toEqual({
      kind: 'gateway',
      gateway: { ...nothing, host: '0.0.0.0', expose: true, publicOrigin: 'http://gateway' },
      keys: true,
      json: false,
    })
  })

  it('reads the shop to certify, its address before or after the options', () => {
    const shop = { startPayment: 'http://a', isPaid: 'http://b' }
    expect(readArguments(['certify', 'http://a', '--is-paid', 'http://b'])).toEqual({
      kind: 'certify',
      shop,
      only: undefined,
      gateway: nothing,
      json: false,
    })
    const words = ['certify', '--is-paid', 'http://b', '--callback', 'http://c', '--port', '1', '--json', 'http://a']
    expect(readArguments([...words, '--only', 'drop, approved', '--only=approved'])).toEqual({
      kind: 'certify',
      shop: { ...shop, receiveCallback: 'http://c' },
      only: ['drop, approved', 'approved'],
      gateway: { ...nothing, port: 1 },
      json: true,
    })
  })

  it.each([
    [['--help'], { kind: 'help', command: undefined }],
    [['-h'], { kind: 'help', command: undefined }],
    [['gateway', '--help', '--port', '1'], { kind: 'help', command: 'gateway' }],
    [['gateway', '-h'], { kind: 'help', command: 'gateway' }],
    [['certify', '--help'], { kind: 'help', command: 'certify' }],
    [['--version'], { kind: 'version' }],
    [['-v'], { kind: 'version' }],
    [['gateway', '--schema'], { kind: 'schema' }],
    [['certify', '--schema'], { kind: 'schema' }],
  ] as const)('takes %j for %j', (words, wanted) => {
    expect(readArguments(words)).toEqual(wanted)
  })

  it.each([
    [[], 'Which command?\n\nUsage: tillkit <command>'],
    [['serve'], 'There is no command "serve". There are: gateway, certify, explain. See tillkit --help.'],
    [['--port', '1'], 'See tillkit --help.'],
    [['certify'], 'Which shop? tillkit certify <address>'],
    [['certify', '--is-paid', 'http://b'], 'Which shop?'],
    [['certify', 'http://a'], '--is-paid <address> is missing'],
    [['certify', 'http://a', 'http://b', '--is-paid', 'http://b'], '"http://b" is too much.'],
    [['certify', 'http://a', '--is-pad', 'http://b'], 'See tillkit certify --help.'],
    [['gateway', '--is-paid', 'http://b'], "'--is-paid'. See tillkit gateway --help."],
    [['gateway', '--port', '65536'], '--port is "65536"; it must be a number from 0 to 65535.'],
    [['gateway', '--port', '-1'], 'See tillkit gateway --help.'],
    [['gateway', '--port=-1'], '--port is "-1"'],
    [['gateway', '--port', '0x50'], '--port is "0x50"'],
    [['gateway', '--port', ''], '--port is ""'],
    // The words are those of Node.js.
    [['gateway', '--port'], '--port'],
    [['gateway', '--prot', '1'], '--prot'],
    [['gateway', '4010'], '4010'],
    [['gateway', '--form=yes'], '--form'],
    [['gateway', '--config', ''], '--config is empty.'],
    [['gateway', '--host='], '--host is empty.'],
  ])('refuses %j', (words, text) => {
    expect(() => readArguments(words)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(text) }),
    )
  })
})

describe('helpText', () => {
  it.each(['gateway', 'certify', 'explain'] as const)(
    'names every option of %s on a line that fits 120 columns',
    command => {
      const text = helpText(command)
      for (const name of Object.keys(commandOptions[command])) {
        expect(text).toMatch(new RegExp(`^ .*--${name}\\b.*\\.$`, 'm'))
      }
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
    },
  )

  it('names every command', () => {
    for (const command of Object.keys(commandOptions)) expect(helpText()).toMatch(new RegExp(`^ {2}${command} `, 'm'))
  })
})
