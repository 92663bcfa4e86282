import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { type Surroundings, storeOnFile } from '../../src/sqlite/store.js'
import { findDriver } from '../../src/sqlite/worker/find-driver.js'
import { workerText } from '../../src/sqlite/worker/worker-text.js'
import { codeOf, entry, freshFile } from './ground.js'

/** Ends the thread when it is asked for a key: `die-before` before the job, `die-after` between its commit and its answer. */
const mortal = `
const { parentPort } = require('node:worker_threads')
let isLast = false
parentPort.on('message', request => {
  const asked = JSON.stringify(request)
  if (asked.includes('die-before')) process.exit(3)
  isLast ||= asked.includes('die-after')
})
const post = parentPort.postMessage.bind(parentPort)
parentPort.postMessage = replies => {
  if (isLast) process.exit(4)
  post(replies)
}
`
const stores: { close(): Promise<void> }[] = []
afterEach(() => Promise.all(stores.splice(0).map(store => store.close())))

/** A store whose workers run these programs, the last of them again and again. */
function storeWith(programs: string | readonly string[], more: Partial<Surroundings> = {}, pragmas: string[] = []) {
  let starts = 0
  const texts = [programs].flat()
  const store = storeOnFile({
    file: freshFile(),
    driver: findDriver(undefined),
    lockTimeout: 1_000,
    newId: () => `commit-${starts}`,
    system: () => 1_000,
    monotonic: () => 0,
    start: settings => {
      starts += 1
      const workerData = { ...settings, pragmas: [...settings.pragmas, ...pragmas] }
      return new Worker(texts[Math.min(starts, texts.length) - 1] ?? '', { eval: true, execArgv: [], workerData })
    },
    ...more,
  })
  stores.push(store)
  return { store, starts: () => starts }
}

describe('a worker thread that ends unexpectedly', () => {
  it('leaves a write unknown, and the repeated write tells that it was not there', async () => {
    const { store, starts } = storeWith(mortal + workerText)
    await store.write('other', entry('{}'), { id: 'o' })
    await expect(store.write('die-before', entry('{"n":1}'), { id: 'i' })).rejects.toMatchObject({
      code: 'ERR_STORE_UNKNOWN',
      message: expect.stringMatching(
        /^The write of "die-before" was written or not: the worker thread .* ended unexpectedly/,
      ),
      cause: expect.objectContaining({ message: 'The worker thread ended with the code 3.' }),
    })
    expect(starts()).toBe(1)
    expect((await store.read('other')).stored?.version).toBe(1)
    expect(starts()).toBe(2)
  })

  it('leaves a write unknown that was committed, and the repeated write answers as the first would have', async () => {
    const { store } = storeWith([mortal + workerText, workerText])
    await store.write('k', entry('{}'), { id: 'o' })
    const write = () => store.write('die-after', entry('{"n":1}'), { id: 'i' })
    expect(await codeOf(write())).toBe('ERR_STORE_UNKNOWN')
    expect(await write()).toEqual({ kind: 'written', version: 1, at: 1_000 })
    expect((await store.read('die-after')).stored).toEqual({
      key: 'die-after',
      version: 1,
      writeId: 'i',
      body: '{"n":1}',
    })
  })

  it('makes every write under way unknown, and every read unreadable', async () => {
    const { store, starts } = storeWith([mortal + workerText, workerText])
    await store.read('k')
    const codes = await Promise.all([
      codeOf(store.write('k', entry('{}'), { id: 'i' })),
      codeOf(store.read('k')),
      codeOf(store.postpone('die-before', 'i', 5)),
      codeOf(
        store.commit(
          'k',
          async () => {},
          () => entry('{}'),
        ),
      ),
      codeOf(store.list({ limit: 1 })),
    ])
    expect(codes).toEqual([
      'ERR_STORE_UNKNOWN',
      'ERR_STORE_UNREADABLE',
      'ERR_STORE_UNKNOWN',
      // Its work and its read come first, and nothing of it was written by then.
      'ERR_STORE_UNREADABLE',
      'ERR_STORE_UNREADABLE',
    ])
    const again = await Promise.all(['a', 'b', 'c'].map(key => store.write(key, entry('{}'), { id: 'i' })))
    expect(again.map(({ kind }) => kind)).toEqual(['written', 'written', 'written'])
    expect(starts()).toBe(2)
  })

  it('leaves a commit unknown that was under way', async () => {
    const { store } = storeWith([mortal + workerText, workerText])
    const outcome = store.commit(
      'k',
      async ({ run }) => run`create table "die-after" (a)`,
      () => entry('{"n":1}'),
    )
    expect(await codeOf(outcome)).toBe('ERR_STORE_UNKNOWN')
    expect((await store.read('k')).stored?.body).toBe('{"n":1}')
  })

  it('has written nothing where it ended before the file was prepared', async () => {
    const { store, starts } = storeWith(['throw new Error("no such luck")', workerText])
    const [one, two] = await Promise.allSettled([store.write('k', entry('{}'), { id: 'i' }), store.read('k')])
    expect(one).toMatchObject({
      reason: { code: 'ERR_STORE_REFUSED', cause: expect.objectContaining({ message: 'no such luck' }) },
    })
    expect(two).toMatchObject({ reason: { code: 'ERR_STORE_UNREADABLE' } })
    expect(await store.write('k', entry('{}'), { id: 'i' })).toMatchObject({ kind: 'written' })
    expect(starts()).toBe(2)
  })

  it('has written nothing where it cannot be started', async () => {
    const cause = new Error('no threads here')
    const start = () => {
      throw cause
    }
    const { store } = storeWith('', { start })
    await expect(store.write('k', entry('{}'), { id: 'i' })).rejects.toMatchObject({
      code: 'ERR_STORE_REFUSED',
      message: expect.stringContaining('did not start'),
      cause,
    })
  })

  it('is told apart from a driver that cannot be loaded, which names what failed', async () => {
    const { store, starts } = storeWith(workerText, { driver: { name: 'libsql', path: '/nowhere/libsql' } })
    const write = () => store.write('k', entry('{}'), { id: 'i' })
    const failure = {
      code: 'ERR_STORE_REFUSED',
      message: expect.stringContaining("Cannot find module '/nowhere/libsql'"),
    }
    await expect(write()).rejects.toMatchObject(failure)
    await expect(write()).rejects.toMatchObject(failure)
    expect(starts()).toBe(1)
  })
})

describe('close', () => {
  it('finishes what was begun, and refuses what comes after', async () => {
    const { store, starts } = storeWith(workerText)
    let finishWork = () => {}
    const open = new Promise<void>(resolve => {
      finishWork = resolve
    })
    const writes = Array.from({ length: 50 }, (_, n) => store.write(`k${n}`, entry('{}'), { id: 'i' }))
    const commit = store.commit(
      'c',
      () => open,
      () => entry('{}'),
    )
    const closing = store.close()
    await expect(store.write('k', entry('{}'), { id: 'i' })).rejects.toMatchObject({
      code: 'ERR_STORE_CLOSED',
      message: expect.stringContaining('A write came after close()'),
    })
    expect(await codeOf(store.read('k'))).toBe('ERR_STORE_CLOSED')
    finishWork()
    await closing
    expect((await Promise.all(writes)).every(({ kind }) => kind === 'written')).toBe(true)
    expect(await commit).toMatchObject({ kind: 'written' })
    expect(starts()).toBe(1)
    await store.close()
  })

  it('ends at once where nothing was asked, and where the worker is gone', async () => {
    const idle = storeWith(workerText)
    await idle.store.close()
    expect(idle.starts()).toBe(0)
    const dead = storeWith(mortal + workerText)
    await codeOf(dead.store.write('die-before', entry('{}'), { id: 'i' }))
    await dead.store.close()
    expect(dead.starts()).toBe(1)
  })
})

describe('a disk that is full', () => {
  it('refuses what it has no room for, loses nothing, and takes what fits', async () => {
    const { store } = storeWith(workerText, {}, ['max_page_count = 40'])
    const body = JSON.stringify('x'.repeat(30_000))
    await store.write('small', entry('{}'), { id: 'i' })
    const writes = await Promise.allSettled([
      ...Array.from({ length: 8 }, (_, n) => store.write(`large${n}`, entry(body), { id: 'i' })),
      store.write('small', entry('{"n":2}'), { after: 'i', id: 'j' }),
    ])
    const refused = writes.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(8)
    for (const error of refused) {
      expect(error).toMatchObject({
        code: 'ERR_STORE_REFUSED',
        message: expect.stringContaining('the disk is full under'),
      })
    }
    expect(writes.at(-1)).toMatchObject({ value: { kind: 'written', version: 2 } })
    const { total } = await store.list({ limit: 1 })
    expect(total).toBe(9 - refused.length)
  })
})
