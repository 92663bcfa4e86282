/**
 * The command, without the process it runs in.
 *
 * @module
 */
import { certifyShop } from './certify-shop.js'
import { helpText } from './command-options.js'
import { introduce, introduceAsJson } from './introduction.js'
import { readArguments } from './read-arguments.js'
import { configSchema } from './read-config.js'
import { startGateway } from './start-gateway.js'
import { UsageError } from './usage-error.js'

/** What the command needs of the process. */
export interface Surroundings {
  /** Arguments, without the program's name. */
  readonly words: readonly string[]
  readonly version: string
  /** Writes for whoever started it. */
  readonly say: (text: string) => void
  /** Writes what is wrong. */
  readonly complain: (text: string) => void
  /** Resolves when it has to stop. */
  readonly stopped: Promise<unknown>
  readonly newControlKey: () => string
}

/** Runs the command. @returns Its exit code: 0, 2 when it was asked for something impossible, 1 when it failed or found something. */
export async function runCommand(surroundings: Surroundings): Promise<number> {
  try {
    return (await run(surroundings)) ? 0 : 1
  } catch (error) {
    surroundings.complain(`tillkit-gateway: ${error instanceof Error ? error.message : String(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** @returns Whether all is well. */
async function run({ words, version, say, complain, stopped, newControlKey }: Surroundings): Promise<boolean> {
  const wanted = readArguments(words)
  switch (wanted.task) {
    case 'help':
      say(helpText())
      return true
    case 'version':
      say(`${version}\n`)
      return true
    case 'schema':
      say(configSchema())
      return true
    case 'listen': {
      const { gateway, introduction } = await startGateway(wanted, {
        newControlKey,
        warn: text => complain(`tillkit-gateway: ${text}\n`),
      })
      try {
        const write = wanted.json ? introduceAsJson : introduce
        say(write({ ...introduction, version }))
        if (wanted.certify === undefined) {
          await stopped
          return true
        }
        const certifying = certifyShop(wanted.certify, { gateway, json: wanted.json })
        const certified = await Promise.race([certifying, stopped.then(() => undefined)])
        if (certified !== undefined) say(certified.text)
        return certified?.passed ?? false
      } finally {
        await gateway.close()
      }
    }
  }
}
