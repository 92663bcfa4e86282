import { writeFile } from 'node:fs/promises'
import type { MerchantUnderTest } from '../certify/merchant.js'
import { certifyPci, type PciPlaces } from '../certify/pci/certify-pci.js'
import { describePci, type PciReport } from '../certify/pci/report.js'
import type { Ending } from '../command-line/exit-codes.js'
import { withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { columnsOf, wrap } from '../command-line/wrap.js'
import { type Introduction, introduce, introduceAsJson } from '../gateway/introduction.js'
import { startGateway } from '../gateway/start-gateway.js'
import { type ListeningOptions, startOptions } from './listening.js'

const endings: { readonly [Result in PciReport['result']]: Ending } = {
  found: 'failed',
  'not-known': 'not-known',
  'not-found': 'done',
}

/** `tillkit certify --pci`: looks for card numbers where none may be. */
export async function certifyCards(
  shop: MerchantUnderTest,
  places: PciPlaces,
  {
    options,
    surroundings,
  }: {
    readonly options: ListeningOptions & { readonly json?: true; readonly report?: string }
    readonly surroundings: Surroundings
  },
): Promise<Ending> {
  const { say, complain, newControlKey, version, terminal, clock, random, stopped, environment } = surroundings
  const warn = (text: string) => complain(`tillkit: ${text}\n`)
  const { gateway, introduction } = await startGateway(
    { ...startOptions(options), processingTime: 2_000 },
    { newControlKey, warn },
  )
  let doing = 'Starting'
  let isSearching = false
  const sayReport = async (report: PciReport): Promise<void> => {
    const asJson = JSON.stringify(report)
    say(`${options.json === true ? asJson : layOut(describePci(report), columnsOf(terminal))}\n`)
    if (options.report !== undefined) await writeFile(options.report, `${asJson}\n`)
  }
  try {
    const told = { ...introduction, version }
    complain(options.json === true ? introduceAsJson(told) : `${introduce(told, { keys: 'needed', sale: false })}\n`)
    const working = certifyPci(shop, places, {
      gateway,
      gateways: [introduction.baseUrl, introduction.origin].map(each => new URL(each)),
      environment: { ...environment, ...settingsOf(introduction) },
      patience: 5_000,
      quiet: 50,
      grace: 10_000,
      version,
      random,
      clock,
      stopped,
      wait: (milliseconds, signal = new AbortController().signal) => surroundings.wait(milliseconds, signal),
      onProxy: origin => complain(`tillkit: The proxy listens at ${origin}.\n`),
      onRun(tried, { done, of }) {
        isSearching = done === of
        doing = isSearching ? 'Every payment was tried, now it searches' : `${done} of ${of} payments tried`
        const came = tried.map(({ door, applied }) => `${door} ${applied ? 'tried' : 'did not apply'}`)
        complain(`tillkit: ${done} of ${of}: ${came.join(', ')}\n`)
      },
    })
    const left = () =>
      isSearching ? 'The report says what was not searched.' : 'Nothing was searched yet, so there is no report.'
    try {
      const what = () => `${doing} (Ctrl+C stops)`
      await withProgress(surroundings, what, () => working, left)
    } finally {
      // A person who stops the search still hears what was found: it ends at once then.
      if (isSearching) await sayReport(await working)
    }
    return endings[(await working).result]
  } finally {
    await gateway.close()
  }
}

/** What a shop that reads the variables of `createClientFromEnv` is told. */
function settingsOf({ baseUrl, merchants, firstControlKey }: Omit<Introduction, 'version'>) {
  const [merchant] = merchants
  return {
    TILLKIT_BASE_URL: baseUrl,
    TILLKIT_ENDPOINT_ID: merchant?.endpoints[0]?.id,
    TILLKIT_LOGIN: merchant?.login,
    TILLKIT_CONTROL_KEY: firstControlKey,
    // What belongs to another account.
    TILLKIT_ENDPOINT_GROUP_ID: undefined,
    TILLKIT_ENVIRONMENT: undefined,
    TILLKIT_CONTROL_KEY_FILE: undefined,
    TILLKIT_PRIVATE_KEY: undefined,
    TILLKIT_PRIVATE_KEY_FILE: undefined,
    TILLKIT_PRIVATE_KEY_PASSPHRASE: undefined,
  }
}

/** Breaks what is longer than a line, beside its label; tables stay as they are. */
export function layOut(report: string, columns: number): string {
  const label = 17
  return report
    .split('\n')
    .flatMap(line => {
      if (!line.startsWith('  ')) return / {2}/.test(line) ? [line] : wrap(line, columns)
      return wrap(line.slice(label), columns - label).map(
        (part, at) => (at === 0 ? line.slice(0, label) : ' '.repeat(label)) + part,
      )
    })
    .join('\n')
}
