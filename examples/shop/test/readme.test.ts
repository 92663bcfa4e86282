/** Examples that a newcomer copies whole, run. `npm run check` compiles them, and every other block of the documentation. */
import crypto from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FakeGateway } from '@tillkit/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../../packages/express-middleware/test/listening.js'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '.readme')

/** The code of a block of a page. */
function codeOf(page: string, block: number): string {
  const blocks = [...readFileSync(join(here, '../../..', page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)]
  return blocks[block]?.[1] ?? ''
}

/** Runs a block of a page. @returns What it prints, and what the fake gateway warns of, if it has one. */
async function run(page: string, block: number, time = 1) {
  const code = codeOf(page, block)
  const file = join(out, `${page.replaceAll(/\W/g, '-')}-${block}-${time}.ts`)
  mkdirSync(out, { recursive: true })
  // A file and a port of its own: the page is read by people, who have both free.
  const own = code
    .replaceAll('4280', String(await freePort()))
    .replaceAll(/'(\w+\.db)'/g, (_, name) => JSON.stringify(join(out, name)))
  writeFileSync(file, code.includes('const gateway =') ? `${own}\nexport { gateway }\n` : own)
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    const { gateway }: { readonly gateway?: FakeGateway } = await import(/* @vite-ignore */ file)
    const printed = log.mock.calls.map(line => line.join(' '))
    return { printed, warnings: gateway?.calls().flatMap(call => call.warnings ?? []) ?? [] }
  } finally {
    log.mockRestore()
  }
}

const hotel = [
  ...['room-7 held 20.00', 'true', 'sent', 'room-7 paid 20.00', 'true'],
  ...['room-7 returned 5.00', 'room-8 held 20.00', 'room-8 released 20.00'],
]
const cups = [
  ...['order-7 paid 20.00', 'true', 'order-7 returned 5.00', '15.00'],
  ...['unknown', 'order-7 returned 2.00', '2'],
]
const payout = ['payout-7 sent 7.00', 'sent', 'sent 1']
const tickets = ['tickets-7 declined Decline, expired card', 'tickets-7 paid 18.00', 'paid']
const magazine = ['reader-7-2026-11 paid 9.00', '444444 4448', 'reader-7-2026-12 paid 9.00', 'paid 1']
const moved = ['web-117 paid 10.00', 'adopted', 'unknown-at-gateway', 'web-117 returned 4.00']
const ownCode = ['we are checking: happened', 'we are checking: ERR_ALREADY_SENT', '1']
const checked = [
  'baseUrl ok',
  'clock ok',
  'endpoint ok',
  'login ok',
  'controlKey wrong',
  'privateKey ok',
  'address cannot-tell',
  '0 0',
]
const started = [
  ...['baseUrl', 'clock', 'endpoint', 'login', 'controlKey', 'privateKey'].map(each => `${each} ok `),
  expect.stringMatching(/^address cannot-tell Nothing answers this process at http:\/\/127\.0\.0\.1:\d+\/payments: /),
]
const unknown = [
  ...['wait unknown', 'wait', 'order-1 paid 10.00', '1'],
  ...['order-2', 'unknown', 'done', 'order-2 paid 10.00'],
]

/** Whether an example finds its own file when it runs again. Some pages tell their reader to delete that file first. */
const runsAgain = (page: string, block: number): boolean =>
  /'\w+\.db'/.test(codeOf(page, block)) &&
  !readFileSync(join(here, '../../..', page), 'utf8').includes('before you run the example again')

const someLines = expect.arrayContaining([expect.any(String)])

/** Half of the time went into RSA keys, and chance decides how long one takes: the examples share the one that is made first. */
const makeKeys = crypto.generateKeyPairSync
let keys: ReturnType<typeof makeKeys> | undefined
const firstKeys = (...options: Parameters<typeof makeKeys>) => {
  keys ??= makeKeys(...options)
  return keys
}

beforeAll(() => void vi.spyOn(crypto, 'generateKeyPairSync').mockImplementation(firstKeys))
afterAll(() => void vi.mocked(crypto.generateKeyPairSync).mockRestore())
afterAll(() => rmSync(out, { recursive: true, force: true }))

it.each([
  ['README.md', 0, ['order-7 declined 10.00 EUR', 'order-7 paid 10.00 EUR', 'paid']],
  ['docs/take-a-payment.md', 0, tickets],
  ['docs/take-a-payment.md', 1, ['order-9 paid']],
  ['docs/hold-and-capture.md', 0, hotel],
  ['docs/assumptions.md', 0, ['hundredths']],
  ['docs/backup-and-restore.md', 0, ['order-7 paid 10.00', 'order-7 paid 10.00', 'over', '1']],
  ['docs/give-money-back.md', 0, cups],
  ['docs/keys.md', 0, ['order-7 paid', '200', 'control-mismatch', '403']],
  ['docs/looking-after-the-till.md', 0, ['order-7: your handler fails at paid: Error: the warehouse does not answer']],
  ['docs/migrate-from-php.md', 0, moved],
  ['docs/migrate-from-your-own-code.md', 0, ownCode],
  ['docs/pay-out.md', 0, payout],
  ['docs/pci.md', 0, ['true true']],
  ['docs/start.md', 0, started],
  ['docs/stored-cards.md', 0, magazine],
  ['docs/troubleshooting.md', 0, checked],
  ['docs/when-you-do-not-know.md', 0, unknown],
  ['docs/your-orders.md', 0, ['paid', 'paid']],
  ['packages/cli/README.md', 0, ['true']],
  ['packages/protocol/README.md', 0, ['approved captured 10.50']],
  ['packages/testing/README.md', 0, ['approved', 'ERR_OUTCOME_UNKNOWN', '/callback']],
])('the example of %s (%i) runs, and prints what it should', async (page, block, lines) => {
  expect(await run(page, block)).toEqual({ printed: lines, warnings: [] })
  // A newcomer runs it again, on the file that the first time has left.
  if (runsAgain(page, block)) expect(await run(page, block, 2)).toEqual({ printed: someLines, warnings: [] })
})
