import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { commandOf, directory, freshFile, openStore, run, start } from './ground.js'

describe('a process', () => {
  it('lives until its write is answered, and ends with its store still open', async () => {
    const file = freshFile()
    expect(await run(await commandOf('idle.ts', file))).toEqual({ status: 0, output: 'written', errors: '' })
    expect((await openStore(file).read('k')).stored?.version).toBe(1)
  })
})

describe('eight processes that open one new file at once', () => {
  it('have one winner after every write of every key', async () => {
    const file = freshFile()
    const command = await commandOf('race.ts')
    const ended = await Promise.all(Array.from({ length: 8 }, (_, index) => run([...command, file, `p${index}`])))
    expect(ended.map(({ errors }) => errors).join('')).toBe('')
    const won: string[] = ended.flatMap(({ output }) => JSON.parse(output))
    const { items } = await openStore(file).list({ limit: 1_000 })
    const expected = items.flatMap(({ key, version }) => Array.from({ length: version }, (_, at) => `${key}@${at + 1}`))
    expect(won.toSorted()).toEqual(expected.toSorted())
    // The process that won the first write writes again, or loses that to the second of another process.
    expect(items.filter(({ version }) => version >= 2)).toHaveLength(200)
  })
})

describe('a process that is killed', () => {
  it('has lost nothing that was acknowledged, in ten kills at any moment', async () => {
    const file = freshFile()
    const command = await commandOf('lives.ts', file)
    const acknowledged = new Map<string, number>()
    for (let kill = 0; kill < 10; kill++) {
      const child = start([...command, `r${kill}`])
      const output = text(child.stdout)
      const errors = text(child.stderr)
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
      await new Promise(resolve => setTimeout(resolve, 67 * kill))
      child.kill('SIGKILL')
      for (const line of (await output).split('\n')) {
        const [, key, version] = /^(\S+) (\d)$/.exec(line) ?? []
        if (key !== undefined) acknowledged.set(key, Number(version))
      }
      expect(await errors).toBe('')
    }
    const store = openStore(file)
    expect(acknowledged.size).toBeGreaterThan(10)
    const found = await Promise.all(
      [...acknowledged].map(async ([key, version]) => ((await store.read(key)).stored?.version ?? 0) >= version),
    )
    expect(found.filter(isThere => !isThere)).toEqual([])
  })
})

describe('a small disk', () => {
  it('is filled without losing what was acknowledged, and written to again once there is room', async () => {
    const place = `${directory()}/disk`
    mkdirSync(place)
    const command = [
      'mount -t tmpfs -o size=1500k tmpfs "$0" && exec "$@"',
      place,
      ...(await commandOf('full-disk.ts', place)),
    ]
    const root = process.getuid?.() === 0
    // Its own view of what is mounted: nothing has to be unmounted afterwards.
    const { status, output, errors } = await run(['unshare', root ? '-m' : '-rm', 'sh', '-c', ...command])
    expect({ status, errors }, 'This test mounts a small disk: it needs root, or user namespaces.').toEqual({
      status: 0,
      errors: '',
    })
    const { whileFull, total, lost, refusals, isBack } = JSON.parse(output)
    expect(lost).toEqual([])
    expect(total).toBe(whileFull)
    expect(whileFull).toBeGreaterThan(8)
    expect(isBack).toBe(true)
    for (const refusal of refusals) {
      expect(refusal).toEqual({ code: 'ERR_STORE_REFUSED', message: expect.stringContaining('the disk is full under') })
    }
  })
})
