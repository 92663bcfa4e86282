/**
 * Starts the command: in this process, which takes a twentieth of the time.
 *
 * @module
 */
import * as till from '@tillkit/till'
import * as postgres from '@tillkit/till/postgres'
import * as sqlite from '@tillkit/till/sqlite'
import manifest from '../package.json' with { type: 'json' }
import { runCommand } from '../src/commands/run-command.js'
import { surroundingsOf } from './run-in-process.js'
import { type EndedCommand, type RunningCommand, type StartCommandOptions, watchOutput } from './running-command.js'

/** Built packages are loaded by a command of the users; these are their sources. */
const packages = { '@tillkit/till': till, '@tillkit/till/sqlite': sqlite, '@tillkit/till/postgres': postgres }

const running = new Set<RunningCommand>()

/** Starts the command. */
export function startCommand(words: readonly string[], options: StartCommandOptions = {}): RunningCommand {
  const { env = process.env, input = '', clock = Date.now } = options
  const { promise: stopped, resolve: stop } = withResolvers()
  const output = watchOutput()
  const code = runCommand(
    surroundingsOf(words, {
      version: manifest.version,
      say: output.say,
      complain: output.complain,
      input: async () => input,
      environment: env,
      clock,
      folders: ['packages/cli'],
      packages,
      stopped,
    }),
  )
  const command: RunningCommand = { stop, ...output.until(code.then(each => ({ code: each, signal: null }))) }
  running.add(command)
  void command.ended.finally(() => running.delete(command))
  return command
}

function withResolvers() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>(each => {
    resolve = each
  })
  return { promise, resolve }
}

/** Runs the command to its end. */
export const runToEnd = (words: readonly string[], options: StartCommandOptions = {}): Promise<EndedCommand> =>
  startCommand(words, options).ended

/** Ends what a test left behind. */
export async function endCommands(): Promise<void> {
  for (const { stop } of running) stop('SIGTERM')
  await Promise.all([...running].map(({ ended }) => ended))
}
