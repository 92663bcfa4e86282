import { certify } from '../certify/certify.js'
import { describeCertification, resultOf } from '../certify/report.js'
import { configSchema } from '../gateway/config.js'
import { UsageError } from '../gateway/errors.js'
import { introduce, introduceAsJson } from '../gateway/introduction.js'
import { type StartOptions, startGateway } from '../gateway/start-gateway.js'
import { helpText } from './options.js'
import { type CommandArguments, readArguments } from './read-arguments.js'

/** What the command needs of the process. */
export interface Surroundings {
  /** Arguments, without the program's name. */
  readonly words: readonly string[]
  readonly version: string
  /** Writes the result, to the standard output. */
  readonly say: (text: string) => void
  /** Writes everything else, to the standard error output. */
  readonly complain: (text: string) => void
  /** Resolves when the command has to stop. */
  readonly stopped: Promise<unknown>
  readonly newControlKey: () => string
}

/**
 * Runs the command.
 *
 * @returns Its exit code: 0, 2 when an argument or the config file is wrong, 1 when it failed or found something.
 */
export async function runCommand(surroundings: Surroundings): Promise<number> {
  try {
    return (await run(surroundings)) ? 0 : 1
  } catch (error) {
    surroundings.complain(`tillkit: ${error instanceof Error ? error.message : String(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** @returns Whether all is well. */
async function run(surroundings: Surroundings): Promise<boolean> {
  const { words, version, say } = surroundings
  const wanted = readArguments(words)
  switch (wanted.kind) {
    case 'help':
      say(helpText(wanted.command))
      return true
    case 'version':
      say(`${version}\n`)
      return true
    case 'schema':
      say(configSchema())
      return true
    case 'gateway':
      return runGateway(wanted, surroundings)
    case 'certify':
      return runCertify(wanted, surroundings)
  }
}

type Wanted<Kind extends CommandArguments['kind']> = Extract<CommandArguments, { readonly kind: Kind }>

async function runGateway({ gateway: options, json }: Wanted<'gateway'>, surroundings: Surroundings) {
  const { gateway, introduced } = await start({ options, json }, surroundings)
  try {
    surroundings.say(introduced)
    await surroundings.stopped
    return true
  } finally {
    await gateway.close()
  }
}

async function runCertify({ shop, only, gateway: options, json }: Wanted<'certify'>, surroundings: Surroundings) {
  const { complain, say, stopped } = surroundings
  // A shop that calls an order paid before it is must have the time to.
  const { gateway, introduced } = await start({ options: { ...options, processingTime: 2_000 }, json }, surroundings)
  try {
    complain(introduced)
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
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  } finally {
    await gateway.close()
  }
}

async function start(
  { options, json }: { readonly options: StartOptions; readonly json: boolean },
  { version, complain, newControlKey }: Surroundings,
) {
  const { gateway, introduction } = await startGateway(options, {
    newControlKey,
    warn: text => complain(`tillkit: ${text}\n`),
  })
  const write = json ? introduceAsJson : introduce
  return { gateway, introduced: write({ ...introduction, version }) }
}
