import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, copyFile, mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createSearch } from '../search/search.js'
import { type PlaceResult, watchFolder, watchLog } from './places.js'
import { inTime, type TimeLimit } from './time-limit.js'

/** The vendor's published test card. */
const number = '4444444444444448'
const search = createSearch([{ number, securityCode: '987' }], 'ada-7f3k9q')
const endless: TimeLimit = { over: new Promise(() => undefined), ended: () => undefined }

let folder: string
let log: string
beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'tillkit-places-'))
  // The random name of a folder may end with a digit, which would then stand beside the card number in the path.
  folder = join(made, 'shop')
  await mkdir(folder)
  log = join(folder, 'shop.log')
  onTestFinished(() => rm(made, { recursive: true, force: true }))
})

const seen = ({ place: { problems }, hits }: PlaceResult) => ({ problems, forms: hits.map(({ form }) => form) })

describe('watchLog', () => {
  it('searches what was written since, and no more', async () => {
    await writeFile(log, `${number}\n`)
    const watched = await watchLog(log)
    await appendFile(log, `ada-7f3k9q paid with ${number}\n`)
    const { place, hits } = await watched.search(search, endless)
    expect(place).toEqual({
      kind: 'log',
      name: log,
      // sha256 of the second line alone.
      parts: [{ name: log, from: 17, bytes: 38, sha256: sha256(`ada-7f3k9q paid with ${number}\n`) }],
      bytes: 38,
      problems: [],
      marked: true,
    })
    expect(hits).toMatchObject([{ place: log, part: log, offset: 21, times: 1 }])
  })

  it('says that nothing was written, and that there is no file', async () => {
    await writeFile(log, `${number}\n`)
    expect(seen(await (await watchLog(log)).search(search, endless)).problems).toEqual([
      'Nothing was written to it during the run.',
    ])
    const other = join(folder, 'other.log')
    expect(seen(await (await watchLog(other)).search(search, endless)).problems).toEqual([`There is no file ${other}.`])
  })

  it('searches a file that comes into being later', async () => {
    const watched = await watchLog(log)
    await writeFile(log, number)
    expect(seen(await watched.search(search, endless))).toEqual({ problems: [], forms: ['as it is'] })
  })

  it.each([['shop.log.1'], ['yesterday.txt']])('searches the end of a log that was renamed to %s', async name => {
    await writeFile(log, 'before\n')
    const watched = await watchLog(log)
    await appendFile(log, number)
    await rename(log, join(folder, name))
    await writeFile(log, 'anew\n')
    expect(seen(await watched.search(search, endless))).toEqual({ problems: [], forms: ['as it is'] })
  })

  it('searches a log that was packed when it was put aside, and says that its end may be missing', async () => {
    await writeFile(log, 'before\n')
    const watched = await watchLog(log)
    await writeFile(`${log}.1.gz`, gzipSync(`before\n${number}\n`))
    await rm(log)
    const { problems, forms } = seen(await watched.search(search, endless))
    expect(forms).toEqual(['as it is, in gzip'])
    expect(problems[0]).toContain('was cut, or replaced')
  })

  it('searches the copy and the rest of a log that was copied and cut, and says that lines between may be missing', async () => {
    await writeFile(log, 'a long line that was there before\n')
    const watched = await watchLog(log)
    await appendFile(log, number)
    await copyFile(log, `${log}.1`)
    await truncate(log)
    await appendFile(log, 'anew\n')
    const { problems, forms } = seen(await watched.search(search, endless))
    expect(forms).toEqual(['as it is'])
    expect(problems[0]).toContain('was cut, or replaced')
  })

  it.each([[''], ['the same long beginning of every file '.repeat(40)]])(
    'searches all of a log that was written anew, is longer than it was, and begins with "%s"',
    async beginning => {
      await writeFile(log, `${beginning}before\n`)
      const watched = await watchLog(log)
      await writeFile(log, `${beginning}${number} and much more than before`)
      expect(seen(await watched.search(search, endless)).forms).toEqual(['as it is'])
    },
  )
})

describe('watchFolder', () => {
  it('searches every file below it, and their names', async () => {
    await mkdir(join(folder, 'a', 'b'), { recursive: true })
    const watched = await watchFolder(folder)
    await writeFile(join(folder, 'a', 'b', 'shop.db'), Buffer.from(`\0\x01${number}\0`, 'utf16le'))
    await writeFile(join(folder, `${number}.pdf`), 'a receipt')
    const { place, hits } = await watched.search(search, endless)
    expect(place.problems).toEqual([])
    expect(hits).toMatchObject([
      { part: 'names of files and folders', form: 'as it is' },
      { part: join(folder, 'a', 'b', 'shop.db'), form: 'UTF-16', offset: 4 },
    ])
    expect(JSON.stringify(place)).not.toContain(number)
  })

  it('searches one file', async () => {
    const file = join(folder, 'shop.db-wal')
    const watched = await watchFolder(file)
    await writeFile(file, number)
    expect(seen(await watched.search(search, endless))).toEqual({ problems: [], forms: ['as it is'] })
  })

  it.each<[string, () => Promise<unknown>, string]>([
    ['is empty', async () => undefined, 'It is empty.'],
    ['did not change', () => writeFile(log, 'text'), 'Nothing in it changed during the run.'],
    ['is not there', () => rm(folder, { recursive: true }), 'There is no folder'],
  ])('says of a folder that it %s', async (_what, before, problem) => {
    await before()
    expect(seen(await (await watchFolder(folder)).search(search, endless)).problems.join()).toContain(problem)
  })

  it('searches a file beside the one that was named, if its name begins with that name', async () => {
    const file = join(folder, 'shop.db')
    await writeFile(file, 'a page')
    const watched = await watchFolder(file)
    // https://www.sqlite.org/wal.html: rows are in the file of this name until a checkpoint.
    await writeFile(`${file}-wal`, number)
    await writeFile(join(folder, 'other.db'), number)
    const { place, hits } = await watched.search(search, endless)
    expect([place.problems, hits.map(({ part }) => part)]).toEqual([[], [`${file}-wal`]])
  })

  it('searches the name of a folder that has no file', async () => {
    const watched = await watchFolder(folder)
    await mkdir(join(folder, number))
    await writeFile(log, 'text')
    expect(seen(await watched.search(search, endless))).toEqual({ problems: [], forms: ['as it is'] })
  })

  it('says of every file that is packed, and was not unpacked to its end, that it was not looked into', async () => {
    const watched = await watchFolder(folder)
    await writeFile(log, 'text')
    // The first bytes of a zip archive: APPNOTE.TXT 4.3.7.
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await writeFile(join(folder, `${name}.zip`), Buffer.from('504b03040a00000000000000', 'hex'))
    await writeFile(join(folder, 'x.gz'), gzipSync(`${'a'.repeat(50_000)} ${number}`).subarray(0, -20))
    const { place } = await watched.search(search, endless)
    const [a, b, c, cut] = ['a.zip', 'b.zip', 'c.zip', 'x.gz'].map(name => join(folder, name))
    expect(place.problems).toEqual([
      `${a}, ${b}, ${c} and 2 more: a zip archive: it was not unpacked.`,
      `${cut}: packed by gzip, and not unpacked to its end.`,
    ])
  })

  it.skipIf(process.platform === 'win32')('says what it could not look at, without a card number', async () => {
    const watched = await watchFolder(folder)
    await writeFile(log, 'text')
    // A link that leads to itself cannot be looked at by anybody, not even by root: ELOOP of POSIX.
    const loop = join(folder, `${number}.txt`)
    await symlink(loop, loop)
    const server = createServer().listen(join(folder, 'socket'))
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const inFolder = (await watched.search(search, endless)).place.problems
    expect(inFolder).toEqual([`${join(folder, 'socket')} is neither a file nor a folder, and was not searched.`])
    const asLog = await (await watchLog(loop)).search(search, endless)
    const asFolder = await (await watchFolder(loop)).search(search, endless)
    for (const { place } of [asLog, asFolder]) {
      expect(place.problems[0]).toMatch(/ could not be read: ELOOP\.$/)
      expect(JSON.stringify(place)).not.toContain(number)
    }
  })

  it.skipIf(process.platform === 'win32')('shows no name of a file that a terminal would obey', async () => {
    const watched = await watchFolder(folder)
    // ECMA-48, 8.3.39: a terminal empties its screen for it.
    await writeFile(join(folder, '\u001B[2J.zip'), Buffer.from('504b0304', 'hex'))
    const { place } = await watched.search(search, endless)
    expect(place.problems).toEqual([`${join(folder, '\uFFFD[2J.zip')}: a zip archive: it was not unpacked.`])
  })

  it('says that it had no time to search everything', async () => {
    const watched = await watchFolder(folder)
    await writeFile(log, number)
    const stopped = new Promise(() => undefined)
    const { problems } = (
      await inTime(
        async limit => {
          await limit.over
          return watched.search(search, limit)
        },
        async () => undefined,
        stopped,
      )
    ).place
    expect(problems).toContain('It was not searched to its end within 15 minutes.')
  })
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
