import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { until } from '../../../test/until.js'
import { createSearch } from '../search/search.js'
import { refuseAnother, searchDump, startShop } from './programs.js'
import { inTime } from './time-limit.js'

/** The vendor's published test card. */
const number = '4444444444444448'
const search = createSearch([{ number, securityCode: '987' }], 'ada-7f3k9q')
const environment = { PATH: process.env.PATH }
const named = (command: string) => ({ command, name: command })
const never = new Promise<never>(() => undefined)
const dump = (command: string) =>
  searchDump(named(command), search, environment, { over: never, ended: () => undefined })

/** A file that a command makes when it has come so far. */
async function marker(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-shop-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'ready')
}

/** An address at which something listens. */
async function listening(): Promise<URL> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`)
}

it('searches what a command writes, and says why a dump is not known', async () => {
  expect(await dump(`echo ada-7f3k9q ${number}`)).toMatchObject({
    place: { kind: 'dump', problems: [], parts: [{ name: 'what it wrote', bytes: 28 }] },
    hits: [{ offset: 11, form: 'as it is' }],
  })
  const { place } = await dump(`echo ada-7f3k9q; echo no ${number} >&2; exit 2`)
  expect(place.problems).toEqual(['It ended with 2: no ################'])
})

it.each([
  ['echo other rows', "This run's customer is not in it: it may be the dump of another database."],
  // The shell tells of the last command of a pipe alone: POSIX, 2.9.2. An empty file packed by gzip has 20 bytes.
  ['false | gzip', 'It wrote nothing.'],
])('says of the dump %s that it is not known', async (command, problem) => {
  expect((await dump(command)).place.problems).toEqual([problem])
})

it("does not show the user of an address that a dump's program complains of", async () => {
  const { place } = await dump('echo ada-7f3k9q; echo "cannot reach postgres://shop:hun5er@db" >&2; exit 1')
  expect(place.problems).toEqual(['It ended with 1: cannot reach postgres://***@db'])
})

it.each([['echo up; while :; do sleep 0.01; done'], ['echo up; sleep 5 &']])(
  'ends a dump that does not end in time: %s',
  async command => {
    const { place } = await inTime(
      limit => searchDump(named(command), search, environment, limit),
      () => pause(20),
      never,
    )
    expect(place.problems[0]).toBe('It was not searched to its end within 15 minutes.')
  },
)

it('searches both outputs of a shop, also what it writes when it is told to end', async () => {
  const ready = await marker()
  const command = `trap 'echo ${number} >&2; exit' TERM; echo up; touch ${ready}; while :; do sleep 0.01; done`
  const shop = startShop(named(command), search, environment)
  await until(() => existsSync(ready))
  const { place, hits } = await shop.stop()
  expect(place.parts[0]).toMatchObject({ name: 'standard output', bytes: 3 })
  expect([place.problems, hits.map(({ part }) => part)]).toEqual([[], ['standard error output']])
})

it('says that a shop ended before the run was over, and why', async () => {
  const shop = startShop(named('echo no key; exit 4'), search, environment)
  const nobody = new URL('http://127.0.0.1:1/')
  await expect(shop.up(nobody, () => pause(5))).rejects.toThrow('The shop ended with 4: no key')
  expect((await shop.stop()).place.problems).toEqual(['It ended with 4 before the run was over.'])
})

it('does not wait for a process that a shop left behind', async () => {
  const ready = await marker()
  // A group of its own is not ended with the shop.
  const program = `child_process.spawn('sleep', ['1'], { detached: true, stdio: 'inherit' }).unref(); fs.writeFileSync('${ready}', '')`
  const command = `${JSON.stringify(process.execPath)} -e "${program}"; sleep 5`
  const shop = startShop(named(command), search, environment, { longestEnd: 10, longestOpen: 10 })
  await until(() => existsSync(ready))
  const { problems } = (await shop.stop()).place
  expect(problems).toEqual(['A process that it left behind could still write to its outputs.'])
})

it('refuses to start a shop where something listens already', async () => {
  await expect(refuseAnother(await listening())).rejects.toThrow('before the shop is started')
  await expect(refuseAnother(new URL('http://127.0.0.1:1/'))).resolves.toBeUndefined()
})
