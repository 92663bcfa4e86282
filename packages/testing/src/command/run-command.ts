/**
 * The command, without the process it runs in.
 *
 * @module
 */
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

/** Runs the command. @returns Its exit code: 0, 2 when it was asked for something impossible, 1 when it failed. */
export async function runCommand(surroundings: Surroundings): Promise<number> {
  try {
    await run(surroundings)
    return 0
  } catch (error) {
    surroundings.complain(`tillkit-gateway: ${error instanceof Error ? error.message : String(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function run({ words, version, say, stopped, newControlKey }: Surroundings): Promise<void> {
  const wanted = readArguments(words)
  switch (wanted.task) {
    case 'help':
      return say(helpText())
    case 'version':
      return say(`${version}\n`)
    case 'schema':
      return say(configSchema())
    case 'listen': {
      const { gateway, introduction } = await startGateway(wanted, newControlKey)
      try {
        const write = wanted.json ? introduceAsJson : introduce
        say(write({ ...introduction, version }))
        await stopped
      } finally {
        await gateway.close()
      }
    }
  }
}
