import type { FakeGateway } from '@tillkit/testing'
import type { Surroundings } from '../../command-line/surroundings.js'
import type { MerchantUnderTest } from '../merchant.js'
import { createSearch } from '../search/search.js'
import { testSearch } from '../search/self-test.js'
import { makeCanaries, makeMark } from './canaries.js'
import { type DoorTrial, type TriedDoor, tryDoors } from './drive-doors.js'
import { openPart, safeText } from './part.js'
import { placeOf, type WatchedPlace, watchFolder, watchLog } from './places.js'
import { refuseAnother, type ShellCommand, type StartedShop, searchDump, startShop } from './programs.js'
import { type SearchingProxy, startProxy } from './proxy.js'
import { type PciReport, pciReport } from './report.js'
import { inTime } from './time-limit.js'

/** The places in which card numbers are looked for. */
export interface PciPlaces {
  readonly logs: readonly string[]
  readonly dumps: readonly ShellCommand[]
  readonly folders: readonly string[]
  /** Port of the proxy; undefined for none. */
  readonly proxy?: number | undefined
  /** Starts the shop; undefined where it runs already. */
  readonly start?: ShellCommand | undefined
}

/** Everything else that the run needs. */
export interface PciContext
  extends Pick<DoorTrial, 'onRun' | 'patience' | 'quiet' | 'grace'>,
    Pick<Surroundings, 'environment' | 'version' | 'random' | 'clock' | 'stopped'> {
  readonly gateway: FakeGateway
  readonly gateways: readonly URL[]
  /** Resolves after so many milliseconds, and may reject when `signal` aborts. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<unknown>
  readonly onProxy: (origin: string) => void
}

/** How long what was written late is waited for, in milliseconds. */
const lateness = 1_000

/**
 * Brings a card number of its own in through each door of a shop, and looks for all of them where none may be.
 *
 * @throws When its own search does not find what was hidden for it, and when the shop does not start.
 */
export async function certifyPci(
  merchant: MerchantUnderTest,
  places: PciPlaces,
  context: PciContext,
): Promise<PciReport> {
  const { gateway, gateways, version, random, clock, wait, stopped, onProxy, onRun, environment, ...times } = context
  const canaries = makeCanaries(random)
  const mark = makeMark(random)
  const search = createSearch(canaries, mark)
  const selfTest = testSearch(search, canaries)
  if (selfTest.missed.length > 0) {
    throw new Error(
      `The search misses ${selfTest.missed.join(', ')}, so it can say nothing. This is a mistake of tillkit.`,
    )
  }
  const watched: readonly WatchedPlace[] = [
    ...(await Promise.all(places.logs.map(watchLog))),
    ...(await Promise.all(places.folders.map(watchFolder))),
  ]
  let proxy: SearchingProxy | undefined
  let shop: StartedShop | undefined
  // It is in a group of processes of its own, which Ctrl+C does not reach.
  void stopped.then(() => shop?.kill())
  try {
    proxy = places.proxy === undefined ? undefined : await startProxy(places.proxy, gateways, search)
    if (proxy !== undefined) onProxy(proxy.origin)
    if (places.start !== undefined) {
      const address = new URL(String(merchant.startPayment))
      await refuseAnother(address)
      shop = startShop(places.start, search, { ...environment, ...proxyVariables(proxy?.origin) })
      await shop.up(address, wait)
    }
    const email = `${mark}@customer.example`
    const answers = openPart('status, headers and bodies', search)
    const doors: readonly TriedDoor[] = await tryDoors(merchant, {
      gateway,
      canaries,
      email,
      hear: answer => void answers.push(Buffer.from(answer)),
      ...times,
      ...(onRun === undefined ? {} : { onRun }),
    })
    await wait(lateness)
    const results = [placeOf({ kind: 'answers', name: 'answers of the shop' }, [await answers.end()], [], search)]
    // A shop that has ended has written what it had still in hand.
    const output = await shop?.stop()
    shop = undefined
    if (output !== undefined) results.push(output)
    for (const dump of places.dumps)
      results.push(await inTime(limit => searchDump(dump, search, environment, limit), wait, stopped))
    for (const place of watched) results.push(await inTime(limit => place.search(search, limit), wait, stopped))
    const { tunnels = [], ...sent } = (await proxy?.close()) ?? {}
    proxy = undefined
    if ('place' in sent) results.push({ place: sent.place, hits: sent.hits })
    const shownDoors = doors.map(({ why, ...door }) =>
      why === undefined ? door : { ...door, why: safeText(why, search) },
    )
    return pciReport({ version, now: clock(), canaries, doors: shownDoors, results, tunnels, selfTest })
  } finally {
    await shop?.stop()
    await proxy?.close()
  }
}

/** Variables that tell programs to use a proxy, also for addresses of this machine. */
const proxyVariables = (origin: string | undefined): Readonly<Record<string, string>> => {
  if (origin === undefined) return {}
  const all = { HTTP_PROXY: origin, HTTPS_PROXY: origin, ALL_PROXY: origin, NO_PROXY: '' }
  const lower = Object.entries(all).map(([name, value]) => [name.toLowerCase(), value])
  // Without it `fetch` of Node.js goes around them.
  return { ...all, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: '1' }
}
