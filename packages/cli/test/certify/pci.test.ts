import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCaseClock } from '../../src/certify/drive.js'
import { makeCanaries } from '../../src/certify/pci/canaries.js'
import { certifyPci, type PciContext, type PciPlaces } from '../../src/certify/pci/certify-pci.js'
import { describePci, limits, type PciReport } from '../../src/certify/pci/report.js'
import { createSearch } from '../../src/certify/search/search.js'
import type { MerchantUnderTest, PaymentToStart, ReceivedCallback } from '../../src/index.js'
import { runInProcess } from '../run-in-process.js'
import { handWritten } from './hand-written-merchant.js'

/** A number of ISO/IEC 7812-1 with its check digit, worked out from the right as annex B says: the sum of the digits is 0 modulo 10. */
const isRight = (number: string): boolean =>
  [...number].reverse().reduce((sum, each, at) => {
    const value = Number(each) * (at % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tillkit-pci-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

const named = (command: string) => ({ command, name: command })
const never = new Promise(() => undefined)

interface Leaks {
  readonly payment?: (payment: PaymentToStart) => Promise<unknown>
  readonly callback?: (callback: ReceivedCallback) => Promise<unknown>
}

/** Looks for cards at a careful merchant that leaks what it is told to. */
async function certifyCards(
  leaks: Leaks,
  places: Partial<PciPlaces>,
  change: (merchant: MerchantUnderTest, gateway: FakeGateway) => MerchantUnderTest = merchant => merchant,
): Promise<PciReport> {
  const gateway = createFakeGateway({ processingTime: 2_000, clock: createCaseClock(() => Date.UTC(2026, 0, 5, 9)) })
  onTestFinished(() => gateway.close())
  const careful = await handWritten(gateway)
  const { startPayment, receiveCallback } = careful
  const leaky: MerchantUnderTest = {
    ...careful,
    async startPayment(payment) {
      await leaks.payment?.(payment)
      return typeof startPayment === 'function' ? startPayment(payment) : {}
    },
    async receiveCallback(callback) {
      await leaks.callback?.(callback)
      return typeof receiveCallback === 'function' ? receiveCallback(callback) : 404
    },
  }
  let chance = 0
  const context: PciContext = {
    gateway,
    gateways: [gateway.clientOptions.baseUrl],
    environment: { PATH: process.env.PATH },
    version: '1.2.3',
    // Any sequence will do.
    random: () => {
      chance = (chance + 0.618_033_988_7) % 1
      return chance
    },
    clock: () => Date.UTC(2026, 0, 5, 9, 30),
    // Only the limit of time of a place is so long: it never ends.
    wait: milliseconds => (milliseconds > 60_000 ? never : Promise.resolve()),
    stopped: never,
    onProxy: () => undefined,
    patience: 5_000,
    quiet: 5,
    grace: 0,
  }
  return certifyPci(change(leaky, gateway), { logs: [], dumps: [], folders: [], ...places }, context)
}

const seen = ({ result, findings }: PciReport) => ({
  result,
  findings: [...new Set(findings.map(({ door, what, form }) => `${door}: ${what}, ${form}`))].sort(),
})

describe('certify --pci', () => {
  it('tells by which door a number came in, in which form it is where, and never shows the number', async () => {
    const folder = await makeFolder()
    const [log, file, database] = ['shop.log', 'export.bin', 'shop.sql'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await writeFile(log, 'before\n')
    const numbers: string[] = []
    const report = await certifyCards(
      {
        async payment({ card: { creditCardNumber, cvv2 }, email }) {
          numbers.push(creditCardNumber)
          if (isRight(creditCardNumber)) return appendFile(log, `${email}\n`)
          await appendFile(log, `400 no card: ${creditCardNumber} cvv=${cvv2}\n`)
          await appendFile(database, Buffer.from(`{"card":"${creditCardNumber}"}`).toString('base64'))
          return appendFile(file, [...creditCardNumber].reverse().join(''))
        },
        callback: ({ url }) => appendFile(log, `GET ${url.search}\n`),
      },
      { logs: [log], dumps: [named(`cat ${JSON.stringify(database)}`)], folders: [file] },
    )
    expect(seen(report)).toEqual({
      result: 'found',
      findings: [
        'callback: number, as it is',
        'callback: security code, beside the name of its field',
        'card-mistyped: number, Base64',
        'card-mistyped: number, as it is',
        'card-mistyped: number, reversed',
        'card-mistyped: security code, beside the name of its field',
      ],
    })
    expect(report.places.map(({ kind, problems, marked }) => [kind, problems, marked])).toEqual([
      ['answers', [], false],
      ['dump', ["This run's customer is not in it: it may be the dump of another database."], false],
      ['log', [], true],
      ['folder', [], false],
    ])
    const applied = report.doors.filter(each => each.applied).map(({ door }) => door)
    expect(applied).toEqual([
      'card-approved',
      'card-declined',
      'card-no-answer',
      'card-given-back',
      'card-mistyped',
      'callback',
    ])
    const sought = [...new Set(numbers)].map(number => ({ number, securityCode: 'none' }))
    const scan = createSearch(sought).scan()
    scan.push(Buffer.from(`${JSON.stringify(report)}\n${describePci(report)}`))
    expect(sought.length).toBe(5)
    expect(scan.end().hits).toEqual([])
  })

  it('finds nothing where nothing leaks, says so of what was searched alone, and seals the report', async () => {
    const log = join(await makeFolder(), 'shop.log')
    const masked = ({ creditCardNumber }: PaymentToStart['card']) =>
      `${creditCardNumber.slice(0, 6)}******${creditCardNumber.slice(-4)}`
    const report = await certifyCards(
      { payment: ({ card, email }) => appendFile(log, `${email} ${masked(card)} cvv2=***\n`) },
      { logs: [log] },
    )
    expect(seen(report)).toEqual({ result: 'not-found', findings: [] })
    expect(report).toMatchObject({ version: '1.2.3', at: '2026-01-05T09:30:00.000Z', problems: [] })
    const [line] = /.*/.exec(await readFile(log, 'utf8')) ?? ['']
    expect(report.doors[0]?.card).toBe(line.split(' ')[1])
    // As docs/certify-pci.md tells an assessor to: the hash is of the line without its last member.
    const { sha256 } = report
    const sealed = JSON.stringify(report).replace(`,"sha256":"${sha256}"}`, '}')
    expect(createHash('sha256').update(sealed).digest('hex')).toBe(sha256)
    const text = describePci(report)
    expect(text).toMatch(/^NOTHING WAS FOUND in what was searched\. tillkit 1\.2\.3, 2026-01-05T09:30:00\.000Z\./)
    expect(text).toContain('says nothing about compliance with PCI DSS')
    expect(text).not.toMatch(/\b(is|are) (compliant|clean|secure)\b/)
  })

  it('does not call a door tried at which nothing answered', async () => {
    const { doors } = await certifyCards({}, { folders: [await makeFolder()] }, merchant => ({
      ...merchant,
      receiveCallback: 'http://127.0.0.1:1/callback',
    }))
    expect(doors.find(({ door }) => door === 'callback')?.applied).toBe(false)
  })

  it('knows nothing where a log stayed empty, a dump failed, and no number came in', async () => {
    const log = join(await makeFolder(), 'shop.log')
    await writeFile(log, 'before\n')
    const down = (merchant: MerchantUnderTest): MerchantUnderTest => ({
      ...merchant,
      startPayment: async () => {
        throw new Error('Out of order.')
      },
    })
    const { result, problems } = await certifyCards({}, { logs: [log], dumps: [named('echo no >&2; exit 3')] }, down)
    expect(result).toBe('not-known')
    expect(problems).toEqual([
      'No number came in through any door: nothing could be found.',
      'echo no >&2; exit 3: It ended with 3: no',
      'echo no >&2; exit 3: It wrote nothing.',
      `${log}: Nothing was written to it during the run.`,
    ])
  })
})

it('says in docs/certify-pci.md what it does not see, in the words of the report', async () => {
  const guide = await readFile(new URL('../../../../docs/certify-pci.md', import.meta.url), 'utf8')
  const [, section = ''] = guide.split('\n## What it does not see\n')
  const items = section.split(/^- /m).slice(1)
  expect(items.map(each => each.split('\n\n')[0]?.replace(/\s+/g, ' ').trim())).toEqual(limits)
})

describe('makeCanaries', () => {
  it('makes numbers with a right check digit, all of them different, and one with a digit wrong', () => {
    const canaries = makeCanaries(() => 0.5)
    const right = canaries.filter(({ number }) => isRight(number))
    expect(canaries.filter(each => !right.includes(each)).map(({ door }) => door)).toEqual(['card-mistyped'])
    for (const of of [4, 16])
      expect(new Set(canaries.map(({ number }) => number.slice(-of))).size).toBe(canaries.length)
    expect(new Set(canaries.map(({ securityCode }) => securityCode)).size).toBe(canaries.length)
    for (const { number } of canaries) expect(number).toMatch(/^40120010\d{8}$/)
  })
})

it.each([
  [['--pci'], '--pci needs a place to search'],
  [['--log', 'x'], '--log says where to look with --pci, which is missing.'],
  [['--pci', '--log', 'x', '--only', 'approved'], '--only names cases, and --pci tries none of them.'],
  [['--pci', '--proxy', 'x'], '--proxy is "x"; it must be a number from 0 to 65535.'],
  [['--pci', '--dump', ''], '--dump is empty.'],
  [['--report', 'x'], '--report goes with --pci'],
])('tillkit certify %j is refused', async (words, text) => {
  const { code, complaint } = await runInProcess([
    'certify',
    'http://127.0.0.1:1/',
    '--is-paid',
    'http://127.0.0.1:1/',
    ...words,
  ])
  expect([code, complaint]).toEqual([2, expect.stringContaining(text)])
})
