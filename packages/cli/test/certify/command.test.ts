import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createFakeClock, createFakeGateway } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../express-middleware/test/listening.js'
import type { Surroundings } from '../../src/command-line/surroundings.js'
import { runInProcess } from '../run-in-process.js'
import { type Habits, handWrittenFor } from './hand-written-merchant.js'
import { serveMerchant } from './served-merchant.js'

/** Runs the command on a shop that was told the gateway's address, and nothing else. */
async function certifyShop(habits: Habits, ...words: readonly string[]) {
  return certifyShopIn({}, habits, ...words)
}

async function certifyShopIn(given: Partial<Surroundings>, habits: Habits, ...words: readonly string[]) {
  const port = await freePort()
  const { clientOptions } = createFakeGateway({ origin: `http://127.0.0.1:${port}` })
  const clock = createFakeClock({ base: Date.now, realTime: true })
  const { doors, close } = await serveMerchant(handWrittenFor(clientOptions, { ...habits, clock }))
  const addresses = ['certify', String(doors.startPayment), '--is-paid', String(doors.isPaid)]
  const ended = await runInProcess([...addresses, '--port', String(port), ...words], given)
  clock.clear()
  await close()
  return ended
}

it('tillkit certify ends with 0 for a shop in which nothing was found', async () => {
  const { code, said, complaint } = await certifyShop({}, '--only', 'forged callback')
  expect(code).toBe(0)
  expect(said).toMatch(/^0 findings in 1 case /)
  expect(complaint).not.toContain('PRIVATE KEY')
  // What the shop has to be told is no part of the report.
  expect(complaint).toMatch(
    /^tillkit gateway 0\.0\.0: .*Stop it with Ctrl\+C\..* {2}Control key {2}.*\ntillkit: 1 of 1: forged callback: ok\n$/s,
  )
})

it('tillkit certify ends with 1 for one in which something was, and says how to look again', async () => {
  const { code, said } = await certifyShop({ withCallback: 'believes it' }, '--only', 'forged callback')
  expect(code).toBe(1)
  expect(said).toContain('PAID WITHOUT MONEY.')
  expect(said).toContain('the same, with --only "forged callback"')
})

it('tillkit certify --json prints the report as data, for programs', async () => {
  const { said, complaint } = await certifyShop({ whenAccepted: 'calls it paid' }, '--json')
  expect(complaint).toContain('\ntillkit: 1: approved: paid-without-money\n')
  expect(JSON.parse(complaint.split('\n')[0] ?? '')).toMatchObject({
    baseUrl: expect.stringMatching(/\/paynet$/),
    merchants: [{}],
  })
  expect(JSON.parse(said)).toMatchObject({ passed: false, findings: [{ kind: 'paid-without-money' }, {}, {}] })
})

it('tillkit certify that is stopped ends with 130, and reports what it had found by then', async () => {
  let stop: (() => void) | undefined
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  let complaint = ''
  const complain = (text: string): void => {
    complaint += text
    if (text.includes('1 of 2')) stop?.()
  }
  const words = ['--only', 'forged callback', '--only', 'forged browser return', '--json']
  const { code, said } = await certifyShopIn({ stopped, complain }, { withCallback: 'believes it' }, ...words)
  expect(code).toBe(130)
  const report = JSON.parse(said)
  expect(report).toMatchObject({
    passed: false,
    stopped: expect.stringMatching(/^You stopped it: 1 of 2 cases were tried\.$/),
  })
  expect(report.cases).toMatchObject([{ name: 'forged callback', findings: [{ kind: 'paid-without-money' }] }])
  expect(complaint).toMatch(/\ntillkit: 1 of 2: .*\ntillkit: Stopped\. 1 of 2 cases were tried\.\n$/)
})

it('tillkit certify ends with 2 for what is not an address, and for an unknown case', async () => {
  expect(await certifyShop({}, '--is-paid', 'here')).toMatchObject({ code: 2 })
  const { code, complaint } = await certifyShop({}, '--only', 'forged')
  expect(code).toBe(2)
  expect(complaint).toContain('"forged callback"')
})

it('tillkit certify --pci that is stopped while it searches ends the dump, and reports what was searched', async () => {
  const port = await freePort()
  const addresses = [`http://127.0.0.1:${port}/pay`, '--is-paid', `http://127.0.0.1:${port}/paid`]
  const never = new Promise(() => undefined)
  let stop = (): void => undefined
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  let complaint = ''
  const { code, said } = await runInProcess(
    ['certify', ...addresses, '--port', '0', '--pci', '--dump', 'echo rows; sleep 100'],
    {
      stopped,
      complain(text) {
        complaint += text
        if (text.includes('7 of 7')) stop()
      },
      // The limit of time of a place never ends.
      wait: (milliseconds, signal) => (milliseconds > 60_000 ? never : setTimeout(1, undefined, { signal })),
    },
  )
  expect([code, said.replace(/\s+/g, ' ')]).toEqual([
    130,
    expect.stringContaining('Not known: echo rows; sleep 100: You stopped it before it was searched to its end.'),
  ])
  expect(complaint).toContain('The report says what was not searched.')
})

it('tillkit certify --pci ends with 3 where no number came in, says that nothing is known, and writes the report', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-report-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'report.json')
  const port = await freePort()
  const addresses = ['certify', `http://127.0.0.1:${port}/pay`, '--is-paid', `http://127.0.0.1:${port}/paid`]
  const { code, said, complaint } = await runInProcess([
    ...addresses,
    '--port',
    '0',
    '--pci',
    '--dump',
    'echo rows',
    '--report',
    file,
  ])
  expect([code, said]).toEqual([
    3,
    expect.stringMatching(/^NOT KNOWN\. Nothing was found, and not everything was searched\./),
  ])
  expect(said).toMatch(/^card fields of the shop, approved +401200\*{6}\d{4} +did not apply: .*Nothing answered at /m)
  expect(complaint).toContain('\ntillkit: 7 of 7: return did not apply\n')
  const report = JSON.parse(await readFile(file, 'utf8'))
  expect(report).toMatchObject({ result: 'not-known', findings: [] })
  expect(said).toContain(report.sha256)
})
