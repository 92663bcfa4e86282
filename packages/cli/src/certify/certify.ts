import { setTimeout as pause } from 'node:timers/promises'
import {
  aCount,
  aFunction,
  aText,
  checkedLater,
  checkOptions,
  defaultProfile,
  mustBe,
  type OptionTable,
} from '@tillkit/protocol'
import { createFakeGateway, type FakeGateway, type FakeGatewayOptions } from '@tillkit/testing'
import { redactText } from '@tillkit/testing/gateway'
import { type CertifyCase, casesFor, plainCases } from './cases.js'
import { createCaseClock, createDriver, messageOf, verdictOf } from './drive.js'
import { historyOf } from './history.js'
import type { Verdict } from './judge.js'
import type { MerchantUnderTest } from './merchant.js'
import { advice, type CertifiedCase, type CertifyReport } from './report.js'
import { runCase } from './run-case.js'

/** Starts a merchant on a gateway of its own, once for each case. */
export type MerchantStarter = (gateway: FakeGateway) => MerchantUnderTest | Promise<MerchantUnderTest>

/** How far a certification is. */
export interface CertifyProgress {
  /** Cases that are done. */
  readonly done: number
  /** All that will be tried; undefined while it is not known which requests the merchant sends. */
  readonly of: number | undefined
}

/** How a merchant is certified. */
export interface CertifyOptions {
  /** The gateway that the merchant talks to, where the merchant runs by itself and is not started for each case. */
  readonly gateway?: FakeGateway
  /** The same seed gives the same identifiers and the same chance. Default: `tillkit`. */
  readonly seed?: string
  /** Names of cases to run. Default: all. */
  readonly only?: readonly string[]
  /** Options of the gateways that are made. */
  readonly gatewayOptions?: Omit<FakeGatewayOptions, 'seed' | 'clock'>
  /** What the clocks of these gateways start from, in milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Longest the merchant may take to answer, in milliseconds that pass by themselves. Default: 5000. */
  readonly patience?: number
  /** Without traffic for this long, in milliseconds, the clock is moved on. Default: 10, with `gateway` 50. */
  readonly quiet?: number
  /** How long a merchant is given in the end to find out by its own clock, in milliseconds. Default: 0, with `gateway` 10000. */
  readonly grace?: number
  /** Told of each case when it is done, and how many are done of all. */
  readonly onCase?: (done: CertifiedCase, progress: CertifyProgress) => void
}

const optionTable: OptionTable<CertifyOptions> = {
  gateway: checkedLater,
  seed: aText,
  only: mustBe(Array.isArray, 'a list of names of cases'),
  gatewayOptions: checkedLater,
  clock: aFunction,
  patience: aCount({ unit: 'milliseconds' }),
  quiet: aCount({ unit: 'milliseconds' }),
  grace: aCount({ unit: 'milliseconds', least: 0 }),
  onCase: aFunction,
}

const defaultSeed = 'tillkit'

/** The run ends when the merchant has hung or crashed in so many cases: the others would only take time. */
const mostBroken = 3

/**
 * Certifies a merchant.
 *
 * Every case has a customer who pays for one basket, and who tries again when told that it failed. The gateway's clock is moved on
 * until nothing more happens, so that fourteen days of repeated callbacks pass at once. Then the merchant is asked what is paid,
 * the gateway what it has, and the two are compared. A merchant that hangs, throws or crashes is a finding.
 *
 * @param merchant What starts the merchant, given the gateway to talk to: hand `gateway.clock.wait` to a client as its option
 * `wait`. Or a merchant that runs already, with the option `gateway`.
 * @throws {TypeError} for an option that cannot work, an address of another machine, and a case that does not exist.
 * @example
 * ```ts
 * const report = await certify(gateway => startMyShop(gateway.clientOptions))
 * assert.ok(report.passed, describeCertification(report))
 * ```
 */
export async function certify(
  merchant: MerchantUnderTest | MerchantStarter,
  options: CertifyOptions = {},
): Promise<CertifyReport> {
  checkOptions('certify', options, optionTable)
  const { seed = defaultSeed, only, gateway } = options
  if (typeof merchant !== 'function' && gateway === undefined) {
    throw new TypeError('A merchant that runs already needs the option "gateway": the fake gateway that it talks to.')
  }
  const crashes = catchCrashes()
  const cases: CertifiedCase[] = []
  const wanted = ({ name }: CertifyCase): boolean => only === undefined || only.includes(name)
  const sent = new Set<string>()
  let stopped: string | undefined
  let all: number | undefined
  const run = async (each: CertifyCase): Promise<void> => {
    const { done, operations } = await certifyCase(each, merchant, options, crashes.caught)
    for (const operation of operations) sent.add(operation)
    if (!wanted(each)) return
    cases.push(done)
    options.onCase?.(done, { done: cases.length, of: all })
  }
  try {
    // What the merchant sends when all is well tells which requests faults may strike.
    for (const each of plainCases) if (!cases.some(hasBroken)) await run(each)
    if (cases.some(({ findings }) => findings.length > 0)) {
      stopped = 'Nothing went wrong in these cases, and they failed. The others were not run: mend this first.'
    }
    const rest = casesFor([...sent])
    const unknown = only?.find(name => ![...plainCases, ...rest].some(each => each.name === name))
    if (unknown !== undefined && stopped === undefined) {
      const names = [...plainCases, ...rest].map(({ name }) => `"${name}"`)
      throw new TypeError(`There is no case ${JSON.stringify(unknown)}; there are: ${names.join(', ')}.`)
    }
    all = [...plainCases, ...rest].filter(wanted).length
    for (const each of rest.filter(wanted)) {
      if (stopped !== undefined) break
      await run(each)
      if (cases.filter(hasBroken).length < mostBroken) continue
      stopped = `The merchant hung or failed in ${mostBroken} cases, so the others were not run.`
    }
  } finally {
    crashes.stop()
  }
  return reportOf(cases, { seed, stopped })
}

/** The report of the cases that were tried. @param isWhole False where somebody ended it: that is no pass, whatever was found. */
export function reportOf(
  cases: readonly CertifiedCase[],
  {
    seed = defaultSeed,
    stopped,
    isWhole = true,
  }: { readonly seed?: string; readonly stopped?: string | undefined; readonly isWhole?: boolean },
): CertifyReport {
  const findings = cases.flatMap(each => each.findings)
  const passed = isWhole && findings.length === 0
  return { passed, seed, cases, findings, ...(stopped === undefined ? {} : { stopped }) }
}

/** A merchant that hung or failed does so again, and each time takes seconds. */
const hasBroken = ({ findings }: CertifiedCase): boolean =>
  findings.some(({ kind }) => kind === 'hung' || kind === 'failed')

async function certifyCase(
  each: CertifyCase,
  merchant: MerchantUnderTest | MerchantStarter,
  options: CertifyOptions,
  crashes: unknown[],
): Promise<{ readonly done: CertifiedCase; readonly operations: readonly string[] }> {
  const { gatewayOptions, gateway: shared, seed = defaultSeed } = options
  const clock = createCaseClock(options.clock)
  const gateway =
    shared ?? createFakeGateway({ processingTime: 2_000, ...gatewayOptions, clock, seed: `${seed}:${each.name}` })
  const { profile, secrets } = known(gateway)
  const times = {
    patience: options.patience ?? 5_000,
    quiet: options.quiet ?? (shared === undefined ? 10 : 50),
    grace: options.grace ?? (shared === undefined ? 0 : 10_000),
    nextTaskAt: shared === undefined ? clock.nextTaskAt : undefined,
  }
  const begun = { from: gateway.clock.now(), after: gateway.calls().at(-1)?.number ?? 0 }
  const starting = await createDriver(gateway, times).until(() =>
    typeof merchant === 'function' ? merchant(gateway) : merchant,
  )
  const doors = starting.kind === 'answered' ? starting.value : undefined
  try {
    const result =
      starting.kind === 'answered'
        ? await runCase(each, starting.value, { gateway, profile, ...times })
        : { verdicts: [verdictOf(starting, neverUp)], answers: {}, orders: [], applied: true, operations: [] }
    const crashed = crashes
      .splice(0)
      .map((error): Verdict => ({ kind: 'failed', explanation: `It crashed: ${messageOf(error)}` }))
    const history = historyOf(gateway, begun)
    const findings = [...result.verdicts, ...crashed.slice(0, 1)].map(({ kind, explanation }) => ({
      kind,
      case: each.name,
      seed,
      explanation: redactText(explanation, secrets),
      history,
      advice: advice[kind],
    }))
    const { operations, verdicts: _, ...seen } = result
    const { name, outcome } = each
    const faults = each.faults.map(({ fault }) => fault)
    return { operations, done: { name, outcome, faults, ...seen, findings } }
  } finally {
    if (typeof merchant === 'function') {
      // Whether closing it fails does not matter: its test is over.
      await Promise.race([
        Promise.resolve()
          .then(() => doors?.close?.())
          .catch(() => undefined),
        pause(times.patience, undefined, { ref: false }),
      ])
    }
    if (shared === undefined) await gateway.close()
    clock.clear()
  }
}

const neverUp = { hung: 'The merchant never came up.', failed: 'The merchant did not come up' }

/** What a gateway lets its clients know. */
export function known(gateway: FakeGateway) {
  try {
    const { profile, controlKey } = gateway.clientOptions
    return { profile, secrets: { controlKeys: [controlKey], controlField: profile.controlField.value } }
  } catch {
    // A merchant with groups only, or without a private key, has no options for a client of an endpoint.
    return { profile: defaultProfile, secrets: { controlKeys: [], controlField: '' } }
  }
}

const crashEvents = ['unhandledRejection', 'uncaughtException'] as const

/**
 * Catches what would end the process: a merchant in this process that crashes is a finding, and must not end the test. Other
 * listeners of the process are not called until `stop`.
 */
function catchCrashes() {
  const caught: unknown[] = []
  const listener = (error: unknown) => void caught.push(error)
  const before = crashEvents.map(event => [event, process.rawListeners(event)] as const)
  for (const event of crashEvents) process.removeAllListeners(event).on(event, listener)
  return {
    caught,
    stop() {
      for (const [event, listeners] of before) {
        process.removeListener(event, listener)
        for (const each of listeners) process.on(event, each as () => void)
      }
    },
  }
}
