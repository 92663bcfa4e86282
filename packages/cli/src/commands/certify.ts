import { type CertifyProgress, certify, reportOf } from '../certify/certify.js'
import { localAddress } from '../certify/doors.js'
import { type CertifiedCase, type CertifyReport, describeCertification, resultOf } from '../certify/report.js'
import { type CommandLine, json, type OptionsOf, option, repeated } from '../command-line/command.js'
import { clearLine, InterruptedError, withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { columnsOf, withoutUser } from '../command-line/wrap.js'
import { configSchema } from '../gateway/config.js'
import { writeDuration } from '../gateway/dashboard/look/duration.js'
import { UsageError } from '../gateway/errors.js'
import { introduce, introduceAsJson } from '../gateway/introduction.js'
import { startGateway } from '../gateway/start-gateway.js'
import { certifyCards, layOut } from './certify-cards.js'
import { listening, readPort, schemaOption, startOptions } from './listening.js'

const certifyOptions = () => [
  option('--is-paid <address>', 'Where the shop says whether {order} is paid. Required.'),
  option(
    '--callback <address>',
    'Where the shop takes callbacks. Default: the address that it sends with its payments.',
  ),
  repeated(
    '--only <case>',
    'A case to try, in place of all, such as "drop, approved"; may be repeated. A run prints the names.',
  ),
  option('--pci', 'Looks for card numbers where none may be. At least one of the next five says where.'),
  repeated('--log <file>', 'A log: what is written to it during the run is searched; may be repeated.'),
  repeated('--dump <command>', 'A shell command that writes out a database, after the run; may be repeated.'),
  repeated('--folder <path>', 'A folder, or a file: all of it is searched, after the run; may be repeated.'),
  option(
    '--start <command>',
    'A shell command that starts the shop, with TILLKIT_BASE_URL and the rest for its gateway. What it prints is searched.',
  ),
  option(
    '--proxy <port>',
    'Port of a proxy to start, 0 for any free one: what the shop sends out through it is searched. HTTP_PROXY tells the shop of --start.',
  ),
  option('--report <file>', 'With --pci: writes the report to this file as JSON, for an assessor.'),
  ...listening(),
  json('the report'),
  schemaOption(),
]

type CertifyCommandOptions = OptionsOf<ReturnType<typeof certifyOptions>>

/** `tillkit certify`: everything that can go wrong, tried on a shop. */
export function addCertify(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'certify [address]',
    {
      summary: 'Tries everything that can go wrong on your shop, and reports.',
      usage: '<address> --is-paid <address> [options]',
      does:
        'Runs a gateway for your shop, tries everything that can go wrong on the shop, which takes payments at <address>, ' +
        'and reports where it charges twice, calls an order paid without money, or loses a callback. ' +
        'With --pci it brings card numbers that nobody has into the shop instead, ' +
        'and looks for them in its logs, its database, its files, and what it sends out.\n\n' +
        "The report goes to the standard output. The gateway's address and keys, which the shop has to be told, " +
        'and each case that is done go to the standard error output.',
      examples: [
        "tillkit certify http://127.0.0.1:3000/test/pay \\\n  --is-paid 'http://127.0.0.1:3000/test/paid/{order}'",
        "tillkit certify http://127.0.0.1:3000/test/pay \\\n  --is-paid 'http://127.0.0.1:3000/test/paid/{order}' \\\n" +
          "  --only 'forged callback' --json > report.json",
        "tillkit certify http://127.0.0.1:3000/test/pay \\\n  --is-paid 'http://127.0.0.1:3000/test/paid/{order}' \\\n" +
          "  --pci --log shop.log --dump 'pg_dump shop' --folder uploads",
      ],
      ends: {
        done: 'Nothing was found.',
        failed: 'Something was found; or it cannot listen.',
        usage: 'An option, an address or the config file is wrong.',
        'not-known': 'With --pci: nothing was found, and not everything could be searched.',
        interrupted:
          'You stopped it with Ctrl+C: the report is of what was tried; with --pci there is one once all payments were tried.',
      },
    },
    certifyOptions(),
  )
  command.runs(async (options, address) => {
    if (options.schema === true) {
      surroundings.say(configSchema())
      return 'done'
    }
    const places = placesOf(options)
    if (places !== undefined) return certifyCards(shopOf(address, options), places, { options, surroundings })
    return (await certifyShop(address, options, surroundings)) ? 'done' : 'failed'
  })
}

/** @returns Whether all is well. */
async function certifyShop(
  address: string | undefined,
  options: CertifyCommandOptions,
  surroundings: Surroundings,
): Promise<boolean> {
  const { say, complain, newControlKey, version, terminal, clock } = surroundings
  const shop = shopOf(address, options)
  const warn = (text: string) => complain(`${newLine}tillkit: ${text}\n`)
  // What waits is written over.
  const newLine = terminal?.progress === true ? clearLine : ''
  // A shop that calls an order paid before it is must have the time to.
  const start = { ...startOptions(options), processingTime: 2_000 }
  const { gateway, introduction } = await startGateway(start, { newControlKey, warn })
  const told = { ...introduction, version }
  const { only } = options
  const cases: CertifiedCase[] = []
  let of: number | undefined
  const onCase = (done: CertifiedCase, progress: CertifyProgress): void => {
    cases.push(done)
    of = progress.of
    complain(`${newLine}tillkit: ${tried(cases.length, of)}: ${done.name}: ${resultOf(done)}\n`)
  }
  const again = ({ case: name }: { readonly case: string }) => `the same, with --only ${JSON.stringify(name)}`
  const sayReport = (report: CertifyReport): void => {
    const described = () => layOut(describeCertification(report, { again }), columnsOf(terminal))
    say(`${options.json === true ? JSON.stringify(report) : described()}\n`)
  }
  const begun = clock()
  const left = () =>
    of === undefined ? '' : `, about ${writeDuration(((clock() - begun) / cases.length) * (of - cases.length))} left`
  try {
    // The shop that is tried has to be told the keys.
    complain(options.json === true ? introduceAsJson(told) : `${introduce(told, { keys: 'needed', sale: false })}\n`)
    const report = await withProgress(
      surroundings,
      () => `${tried(cases.length, of)} tried${left()} (Ctrl+C stops, and reports)`,
      () => certify(shop, { gateway, ...(only === undefined ? {} : { only }), onCase }),
      () => casesTried(cases.length, of),
    )
    sayReport(report)
    return report.passed
  } catch (error) {
    // A person who stops it still hears what was found.
    if (error instanceof InterruptedError && cases.length > 0) {
      const stopped = `You stopped it: ${casesTried(cases.length, of)}`
      sayReport(reportOf(cases, { stopped, isWhole: false }))
    }
    throw error
  } finally {
    await gateway.close()
  }
}

const tried = (count: number, of: number | undefined): string => (of === undefined ? `${count}` : `${count} of ${of}`)

const casesTried = (count: number, of: number | undefined): string =>
  `${tried(count, of)} ${count === 1 && of === undefined ? 'case was' : 'cases were'} tried.`

/** Where card numbers are looked for; undefined without --pci. */
function placesOf({ pci, only, log = [], dump = [], folder = [], start, proxy, report }: CertifyCommandOptions) {
  const given = { '--log': log[0], '--dump': dump[0], '--folder': folder[0], '--start': start, '--proxy': proxy }
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  for (const [name, value] of Object.entries({ ...given, '--report': report }))
    if (value === '') throw new UsageError(`${name} is empty.`)
  if (pci !== true) {
    if (report !== undefined)
      throw new UsageError('--report goes with --pci, which is missing. --json prints the other report.')
    if (names.length > 0)
      throw new UsageError(`${names.join(' and ')} says where to look with --pci, which is missing.`)
    return undefined
  }
  if (only !== undefined)
    throw new UsageError('--only names cases, and --pci tries none of them. Leave one of the two out.')
  if (names.length === 0) {
    throw new UsageError(
      '--pci needs a place to search: --log, --dump, --folder, --start or --proxy. See tillkit certify --help.',
    )
  }
  return {
    logs: log,
    dumps: dump.map(named),
    folders: folder,
    start: start === undefined ? undefined : named(start),
    proxy: proxy === undefined ? undefined : readPort('--proxy', proxy),
  }
}

/** A password in an address is not for the report. */
const named = (command: string) => ({ command, name: withoutUser(command) })

function shopOf(startPayment: string | undefined, { isPaid, callback }: CertifyCommandOptions) {
  if (startPayment === undefined) {
    throw new UsageError('Which shop? tillkit certify <address>: where it takes payments. See tillkit certify --help.')
  }
  if (isPaid === undefined) {
    throw new UsageError('--is-paid <address> is missing: where the shop says whether an order is paid.')
  }
  for (const [named, given] of [
    ['<address>', startPayment],
    ['--is-paid', isPaid],
    ['--callback', callback],
  ] as const) {
    if (given !== undefined) localAddress(named, given)
  }
  return { startPayment, isPaid, ...(callback === undefined ? {} : { receiveCallback: callback }) }
}
