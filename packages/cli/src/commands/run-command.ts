import type { FakeGateway } from '@tillkit/testing'
import { certify } from '../certify/certify.js'
import { describeCertification, resultOf } from '../certify/report.js'
import { configSchema } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'
import { introduce, introduceAsJson } from '../gateway/introduction.js'
import { startGateway } from '../gateway/start-gateway.js'
import { helpText } from './options.js'
import { type CommandArguments, readArguments } from './read-arguments.js'
import { type ExplainSurroundings, runExplain } from './run-explain.js'

/** What the command needs of the process. */
export interface Surroundings extends ExplainSurroundings {
  /** Arguments, without the program's name. */
  readonly words: readonly string[]
  readonly version: string
  /** Writes everything else, to the standard error output. */
  readonly complain: (text: string) => void
  /** Resolves when the command has to stop. */
  readonly stopped: Promise<unknown>
  readonly newControlKey: () => string
}

/**
 * Runs the command.
 *
 * @returns Its exit code: 0, 2 when an argument or the config file is wrong, 1 when it failed or found something, 3 when a
 * signature cannot be judged.
 */
export async function runCommand(surroundings: Surroundings): Promise<number> {
  try {
    return await run(surroundings)
  } catch (error) {
    surroundings.complain(`tillkit: ${error instanceof Error ? error.message : String(error)}\n`)
    // The gateway and certify throw a TypeError for an option that cannot work, and the options come from the arguments.
    return error instanceof UsageError || error instanceof TypeError ? 2 : 1
  }
}

/** @returns The exit code. */
async function run(surroundings: Surroundings): Promise<number> {
  const { words, version, say, complain, stopped, newControlKey } = surroundings
  const wanted = readArguments(words)
  if (wanted.kind === 'help') say(helpText(wanted.command))
  if (wanted.kind === 'version') say(`${version}\n`)
  if (wanted.kind === 'schema') say(configSchema())
  if (wanted.kind === 'explain') return runExplain(wanted, surroundings)
  if (wanted.kind !== 'gateway' && wanted.kind !== 'certify') return 0

  // A shop that calls an order paid before it is must have the time to.
  const options = wanted.kind === 'certify' ? { ...wanted.gateway, processingTime: 2_000 } : wanted.gateway
  const warn = (text: string) => complain(`tillkit: ${text}\n`)
  const { gateway, introduction } = await startGateway(options, { newControlKey, warn })
  const told = { ...introduction, version }
  // The shop that is tried has to be told the keys.
  const keys = wanted.kind === 'certify' || wanted.keys
  const introduced = wanted.json ? introduceAsJson(told) : introduce(told, { keys })
  try {
    if (wanted.kind === 'certify') {
      complain(introduced)
      return (await runCertify(wanted, gateway, surroundings)) ? 0 : 1
    }
    say(introduced)
    await stopped
    return 0
  } finally {
    await gateway.close()
  }
}

/** @returns Whether all is well. */
async function runCertify(
  { shop, only, json }: Extract<CommandArguments, { readonly kind: 'certify' }>,
  gateway: FakeGateway,
  { complain, say, stopped }: Surroundings,
): Promise<boolean> {
  const certifying = certify(shop, {
    gateway,
    ...(only === undefined ? {} : { only }),
    onCase: done => complain(`tillkit: ${done.name}: ${resultOf(done)}\n`),
  })
  const report = await Promise.race([certifying, stopped.then(() => undefined)])
  if (report === undefined) return false
  const again = ({ case: name }: { readonly case: string }) => `the same, with --only ${JSON.stringify(name)}`
  say(`${json ? JSON.stringify(report) : describeCertification(report, { again })}\n`)
  return report.passed
}
