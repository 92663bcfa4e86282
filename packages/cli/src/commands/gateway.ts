import { type CommandLine, option } from '../command-line/command.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { forReader } from '../command-line/wrap.js'
import { configSchema } from '../gateway/config.js'
import { introduce, introduceAsJson } from '../gateway/introduction.js'
import { startGateway } from '../gateway/start-gateway.js'
import { listening, schemaOption, startOptions } from './listening.js'

/** `tillkit gateway`: the gateway for tests, until it is stopped. */
export function addGateway(line: CommandLine, surroundings: Surroundings): void {
  const { say, complain, stopped, newControlKey, random, version, terminal } = surroundings
  const command = line.add(
    line.root,
    'gateway',
    {
      summary: 'Runs a payment gateway for tests until it is stopped.',
      does:
        'Runs a payment gateway for tests, on this machine, for any language. No money moves. ' +
        'Without --config there is one merchant, with published keys.',
      examples: [
        'tillkit gateway',
        'tillkit gateway --port 0 --json',
        'tillkit gateway --config merchants.json --keys',
      ],
      ends: {
        done: 'It was stopped by SIGINT or SIGTERM.',
        failed: 'It cannot listen.',
        usage: 'An option or the config file is wrong.',
      },
    },
    [
      ...listening(),
      option('--keys', 'Prints the keys of the merchants as well, where the config file has none.'),
      option('--json', 'Prints one line of JSON, for programs, once it listens.'),
      schemaOption(),
    ],
  )
  command.runs(async options => {
    if (options.schema === true) {
      say(configSchema())
      return 'done'
    }
    const warn = (text: string) => complain(forReader(`tillkit: ${text}\n`, terminal))
    // A shop that outlives a gateway may still send customers to its forms: they must be no forms of the next one.
    const start = { ...startOptions(options), seed: String(random()) }
    const { gateway, introduction } = await startGateway(start, { newControlKey, warn })
    const told = { ...introduction, version }
    try {
      say(options.json === true ? introduceAsJson(told) : introduce(told, { keys: options.keys === true, sale: true }))
      await stopped
      return 'done'
    } finally {
      await gateway.close()
    }
  })
}
