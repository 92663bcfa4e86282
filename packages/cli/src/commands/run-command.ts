import { CommanderError } from 'commander'
import { exitCodes } from '../command-line/exit-codes.js'
import { InterruptedError, MayHaveHappenedError, unlessStopped } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { forCommand } from '../command-line/words.js'
import { forReader } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'
import { program } from './program.js'

/**
 * Runs the command.
 *
 * @returns Its exit code, see {@link exitCodes}.
 */
export async function runCommand(surroundings: Surroundings): Promise<number> {
  const { words, complain, terminal } = surroundings
  const input: Surroundings['input'] = ask =>
    unlessStopped(
      surroundings,
      () => surroundings.input(ask),
      () => 'Nothing was read, and nothing was sent.',
    )
  const line = program({ ...surroundings, input })
  try {
    if (words.length === 0) throw new UsageError(`Which command?\n\n${line.root.helpInformation().trimEnd()}`)
    await line.root.parseAsync(words, { from: 'user' })
    return exitCodes[line.ending() ?? 'done'].code
  } catch (error) {
    // Help and version were printed.
    if (error instanceof CommanderError) return error.exitCode
    const isInterrupted = error instanceof InterruptedError
    const message = forCommand(error instanceof Error ? error.message : String(error))
    const said = `tillkit: ${isInterrupted ? 'Stopped. ' : ''}${message}\n`
    complain(forReader(said, terminal))
    if (isInterrupted) return exitCodes.interrupted.code
    if (error instanceof MayHaveHappenedError) return exitCodes.unknown.code
    // The gateway, the client and certify throw a TypeError for an option that cannot work, and the options come from the arguments.
    const isMistake = error instanceof UsageError || error instanceof TypeError
    return exitCodes[isMistake ? 'usage' : 'failed'].code
  }
}
