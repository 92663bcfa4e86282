import { type CommandLine, commandLine } from '../command-line/command.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { addCertify } from './certify.js'
import { addExplain } from './explain.js'
import { addGateway } from './gateway.js'

/** The command `tillkit` with all that it can do, in the order of its help. */
export function program(surroundings: Surroundings): CommandLine {
  const line = commandLine(surroundings)
  line.root.description('A payment gateway for tests, on this machine, for any language. No money moves.')
  addGateway(line, surroundings)
  addCertify(line, surroundings)
  addExplain(line, surroundings)
  return line
}
