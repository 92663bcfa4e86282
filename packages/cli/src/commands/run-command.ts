import { CommanderError } from 'commander'
import { type CommandLine, commandLine } from '../command-line/command.js'
import { exitCodes } from '../command-line/exit-codes.js'
import { InterruptedError, MayHaveHappenedError, unlessStopped } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { forCommand } from '../command-line/words.js'
import { forReader } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'
import { addCall } from '../merchant/call.js'
import { addCallback } from '../merchant/callback.js'
import { addCheck } from '../merchant/check.js'
import { addStatus } from '../merchant/status.js'
import { addDecide } from '../till/decide.js'
import { addPayment, addReport } from '../till/look.js'
import { addStore } from '../till/migrate.js'
import { addChange, addPayOut } from '../till/move-money.js'
import { hasStore } from '../till/open-store.js'
import { addCertify } from './certify.js'
import { addExplain } from './explain.js'
import { addGateway } from './gateway.js'
import { addKeygen } from './keygen.js'

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

/** The command `tillkit` with all that it can do, in the order of its help. */
export function program(surroundings: Surroundings): CommandLine {
  const line = commandLine(surroundings)
  line.root.description(
    'Works with a payment gateway from a terminal: ' +
      'a gateway for tests on this machine, single operations on a real one, and what a shop needs in between. ' +
      '"tillkit <command> --help" has the options of each, and examples.',
  )
  line.root.commandsGroup('Tests:')
  addGateway(line, surroundings)
  addCertify(line, surroundings)
  line.root.commandsGroup('A gateway:')
  addExplain(line, surroundings)
  addKeygen(line, surroundings)
  addCall(line, surroundings, hasStore)
  addStatus(line, surroundings)
  addCallback(line, surroundings)
  addCheck(line, surroundings)
  line.root.commandsGroup('A till:')
  addPayment(line, surroundings)
  addReport(line, surroundings)
  addPayOut(line, surroundings)
  for (const name of ['return', 'capture', 'void'] as const) addChange(name, line, surroundings)
  addDecide(line, surroundings)
  addStore(line, surroundings)
  return line
}
