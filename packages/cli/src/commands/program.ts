import { type CommandLine, commandLine } from '../command-line/command.js'
import type { Surroundings } from '../command-line/surroundings.js'
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

/** The command `tillkit` with all that it can do, in the order of its help. */
export function program(surroundings: Surroundings): CommandLine {
  const line = commandLine(surroundings)
  line.root.description(
    'Works with a payment gateway from a terminal: a gateway for tests on this machine, single operations on a real one, and what a shop needs in between. "tillkit <command> --help" has the options of each, and examples.',
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
