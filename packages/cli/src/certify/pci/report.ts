import { hash } from 'node:crypto'
import { textTable } from '@tillkit/testing/gateway'
import { searchedForms } from '../search/forms.js'
import type { SelfTest } from '../search/self-test.js'
import { type Canary, type Door, digestOf, doorNames, masked } from './canaries.js'
import type { TriedDoor } from './drive-doors.js'
import type { PlacedHit, PlaceResult, SearchedPlace } from './places.js'
import type { Tunnel } from './proxy.js'

/** Something of a card that was found where it must not be. */
export interface PciFinding extends Omit<PlacedHit, 'card'> {
  readonly door: Door
  /** Its number as the first six and the last four digits. */
  readonly card: string
}

/**
 * `found`: there was card data. `not-known`: there was none, and something could not be searched. `not-found`:
 * everything was searched, and there was none.
 */
export type PciResult = 'found' | 'not-known' | 'not-found'

/** The report that an assessor is handed. */
export interface PciReport {
  readonly report: 'tillkit certify --pci'
  readonly version: string
  /** When it ended, in ISO 8601. */
  readonly at: string
  readonly result: PciResult
  readonly problems: readonly string[]
  readonly findings: readonly PciFinding[]
  readonly doors: readonly (TriedDoor & { readonly means: string; readonly card: string; readonly sha256: string })[]
  readonly places: readonly SearchedPlace[]
  readonly tunnels: readonly Tunnel[]
  readonly forms: readonly string[]
  readonly selfTest: SelfTest
  readonly limits: readonly string[]
  /** The hash of all the above as one line of JSON. */
  readonly sha256: string
}

/** The ways in which a report misses a leak. docs/certify-pci.md has them in the same words. */
export const limits: readonly string[] = [
  'This report is no assessment, and says nothing about compliance with PCI DSS. It says what was searched, and what was found there.',
  'Only the places that are named here were searched, and only what was in them when they were searched. ' +
    'What is written later, or elsewhere (by a worker, a sidecar, a browser, a service of others), was not looked at.',
  'What is encrypted was not looked at: tunnels of TLS are listed by host; encrypted files and columns were searched as they are.',
  'gzip is unpacked where a whole file, dump or body is packed. ' +
    'Other packings, archives, and packed columns were searched as they are. ' +
    'So was what lies more than one packing deep.',
  'A number that is split over two records, or of which only a part is there, was not looked for; ' +
    'nor were a hash of it, and two forms over each other, such as Base64 of hexadecimal.',
  'A security code was looked for beside the name of its field only: three digits alone occur by chance. ' +
    'The name on the card and the date of expiry were not looked for.',
  'Memory, swap, core dumps, pages of the shop other than its test doors, ' +
    'and connections that do not go through the proxy were not looked at. Links within a folder were not followed.',
  'Doors that did not apply were not tried. Certify has no door for a return, a payout or a stored card that the shop begins itself.',
]

/** Everything that a run came to. */
export interface PciRun extends Pick<PciReport, 'version' | 'tunnels' | 'selfTest'> {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly canaries: readonly Canary[]
  readonly doors: readonly TriedDoor[]
  readonly results: readonly PlaceResult[]
}

/** Puts the report together. */
export function pciReport({ version, now, canaries, doors, results, tunnels, selfTest }: PciRun): PciReport {
  const findings = results.flatMap(({ hits }) =>
    hits.map(({ card, place, part, offset, what, form, before, times }): PciFinding => {
      const { door, number } = canaries[card] as Canary
      return { place, part, offset, what, form, door, card: masked(number), before, times }
    }),
  )
  const places = results.map(({ place }) => place)
  const problems = [
    ...(doors.some(({ applied }) => applied) ? [] : ['No number came in through any door: nothing could be found.']),
    ...places.flatMap(place => place.problems.map(problem => `${place.name}: ${problem}`)),
  ]
  const content = {
    report: 'tillkit certify --pci' as const,
    version,
    at: new Date(now).toISOString(),
    result:
      findings.length > 0 ? ('found' as const) : problems.length > 0 ? ('not-known' as const) : ('not-found' as const),
    problems,
    findings,
    doors: doors.map(each => {
      const { number } = canaries.find(({ door }) => door === each.door) as Canary
      return { ...each, means: doorNames[each.door], card: masked(number), sha256: digestOf(number) }
    }),
    places,
    tunnels,
    forms: searchedForms,
    selfTest,
    limits,
  }
  return { ...content, sha256: hash('sha256', JSON.stringify(content), 'hex') }
}

/** Writes the report for people. */
export function describePci(report: PciReport): string {
  const { version, at, result, problems, findings, doors, places, tunnels, selfTest, sha256 } = report
  const count = findings.reduce((sum, { times }) => sum + times, 0)
  const verdict = {
    found:
      `FOUND. Card data was found ${count} ${count === 1 ? 'time' : 'times'}, ` +
      `in ${findings.length} ${findings.length === 1 ? 'way' : 'ways'}.`,
    'not-known': 'NOT KNOWN. Nothing was found, and not everything was searched.',
    'not-found': 'NOTHING WAS FOUND in what was searched.',
  }[result]
  return [
    `${verdict} tillkit ${version}, ${at}.`,
    ...problems.map(problem => `Not known: ${problem}`),
    ...describeFindings(findings),
    textTable(
      ['door', 'number', 'result'],
      doors.map(({ door, means, card, applied, why }) => [
        means,
        card,
        resultOf(applied, findings.filter(finding => finding.door === door).length, why),
      ]),
    ),
    textTable(
      ['searched', 'parts', 'bytes', 'this run in it', 'result'],
      places.map(place => [
        `${place.kind} ${place.name}`,
        String(place.parts.length),
        String(place.bytes),
        isNamed(place) ? (place.marked ? 'yes' : 'no') : '-',
        resultOfPlace(place, findings),
      ]),
    ),
    ...(tunnels.length === 0
      ? []
      : [`Encrypted, and not looked at: ${tunnels.map(({ host, bytes }) => `${host} (${bytes} bytes)`).join(', ')}.`]),
    ...(places.some(place => isNamed(place) && !place.marked) ? [notMarked] : []),
    `The search was tried first: ${selfTest.found} of ${selfTest.hidden} hidden numbers and codes were found.`,
    ['What this does not say:', ...limits.map(each => `- ${each}`)].join('\n'),
    `SHA-256 of this report as JSON (--report): ${sha256}`,
  ].join('\n\n')
}

/** True for a place that a person named. It may be the wrong one. */
const isNamed = ({ kind }: SearchedPlace): boolean => kind === 'log' || kind === 'dump' || kind === 'folder'

const notMarked =
  'Where "this run in it" is no, the e-mail address of this run\'s customer is not there either: look whether it is the right place.'

const resultOf = (applied: boolean, found: number, why: string | undefined): string => {
  if (found > 0) return 'number found'
  if (!applied) return why === undefined ? 'did not apply' : `did not apply: ${why}`
  return 'number not found'
}

const resultOfPlace = ({ name, problems }: SearchedPlace, findings: readonly PciFinding[]): string => {
  if (findings.some(({ place }) => place === name)) return 'found'
  return problems.length > 0 ? 'not known' : 'not found'
}

/** Findings of one form in one part, of all doors together. */
function describeFindings(findings: readonly PciFinding[]): readonly string[] {
  const keyOf = ({ place, part, what, form }: PciFinding) => JSON.stringify([place, part, what, form])
  return [...new Set(findings.map(keyOf))].map(key => describeForm(findings.filter(each => keyOf(each) === key)))
}

function describeForm(findings: readonly PciFinding[]): string {
  const [{ place, part, offset, what, form, before }] = findings as readonly [PciFinding, ...PciFinding[]]
  const more = findings.reduce((sum, { times }) => sum + times, 0) - 1
  return [
    `CARD DATA. ${what === 'number' ? 'A card number' : 'A security code'}, ${form}.`,
    `  Where          ${place === part ? place : `${place}: ${part}`}, byte ${offset}${more > 0 ? `, and ${more} more` : ''}`,
    ...(before.trim() === '' ? [] : [`  After          ${before.trim()}`]),
    `  Came in by     ${findings.map(({ door, card }) => `${doorNames[door]} (${card})`).join('; ')}`,
  ].join('\n')
}
