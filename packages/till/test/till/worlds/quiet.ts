/**
 * Time in a world: every timer is on its clock, which goes on when nobody has anything left to do.
 *
 * @module
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, createHmac, KeyObject, sign, type webcrypto } from 'node:crypto'
import type { FakeClock, FakeGateway } from '@tillkit/testing'

const world = new AsyncLocalStorage<true>()
const [realSetTimeout, realClearTimeout, realNow] = [setTimeout, clearTimeout, performance.now.bind(performance)]

/**
 * Runs a life: what it begins is on the clock of its gateway, and what other tests have left in this thread is not. Its warnings are said of
 * everything that is postponed, of which a world is full: nobody hears them.
 */
export const inWorld = <Result>(gateway: FakeGateway, live: (quiet: Quiet) => Promise<Result>): Promise<Result> =>
  world.run(true, async () => {
    const restore = [replace(process, 'emitWarning', () => {}), ...timersOf(gateway.clock)]
    const quiet = watchCrypto()
    try {
      return await live(quiet)
    } finally {
      quiet.restore()
      for (const each of restore.reverse()) each()
      gateway.clock.clear()
      await gateway.close()
    }
  })

/** Puts another function in the place of one. @returns What puts it back. */
function replace<Target extends object>(target: Target, name: keyof Target & string, other: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { value: other, writable: true, configurable: true })
  return () => {
    if (own === undefined) Reflect.deleteProperty(target, name)
    else Object.defineProperty(target, name, own)
  }
}

interface Passing {
  readonly clock: FakeClock
  readonly quiet: Quiet
  /** Called after each thing that happened. */
  readonly look: () => void
}

/** Time passes, in steps to whatever comes next. */
export async function pass(milliseconds: number, { clock, quiet, look }: Passing): Promise<void> {
  const end = clock.now() + milliseconds
  for (;;) {
    await quiet.settled()
    look()
    const next = clock.nextAt()
    if (next === undefined || next > end) break
    await clock.advance(Math.max(0, next - clock.now()))
  }
  await clock.advance(Math.max(0, end - clock.now()))
}

/** Puts every timer of the world on its clock, and its monotonic clock as well. @returns What takes them off it. */
function timersOf(clock: FakeClock): (() => void)[] {
  const start = (task: () => void, milliseconds = 0, ...more: unknown[]) => {
    if (world.getStore() === undefined) return realSetTimeout(task, milliseconds, ...(more as []))
    const { cancel } = clock.schedule(clock.now() + milliseconds, task)
    const timer = { cancel, unref: () => timer, ref: () => timer }
    return timer
  }
  const clear = (timer: { cancel?: () => void } | undefined) => {
    if (timer?.cancel === undefined) realClearTimeout(timer as never)
    else timer.cancel()
  }
  return [
    replace(performance, 'now', () => (world.getStore() ? clock.now() - clock.base() : realNow())),
    replace(globalThis, 'setTimeout', start),
    replace(globalThis, 'clearTimeout', clear),
  ]
}

/** Knows when nobody has anything left to do. */
export type Quiet = ReturnType<typeof watchCrypto>

type Bytes = NodeJS.ArrayBufferView

const hashOf = (algorithm: unknown): string =>
  String(typeof algorithm === 'string' ? algorithm : Reflect.get(Object(algorithm), 'name')).replace('-', '')

const exactly = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

function signed(key: webcrypto.CryptoKey, data: Bytes): Buffer {
  const hash = hashOf(Reflect.get(key.algorithm, 'hash'))
  const made = KeyObject.from(key)
  return key.algorithm.name === 'HMAC' ? createHmac(hash, made).update(data).digest() : sign(hash, data, made)
}

/** Signing runs on threads of its own, which end in any order: here it is done at once, so that a seed gives the same world each time. */
function watchCrypto() {
  const { subtle } = globalThis.crypto
  const restore = [
    replace(subtle, 'sign', async (_: unknown, key: webcrypto.CryptoKey, data: Bytes) => exactly(signed(key, data))),
    replace(subtle, 'verify', async (_: unknown, key: webcrypto.CryptoKey, signature: Bytes, data: Bytes) => {
      if (key.algorithm.name !== 'HMAC') throw new Error('Nobody verifies with RSA in a world.')
      return signed(key, data).equals(Buffer.from(signature as Uint8Array))
    }),
    replace(subtle, 'digest', async (algorithm: unknown, data: Bytes) =>
      exactly(createHash(hashOf(algorithm)).update(data).digest()),
    ),
  ]
  return {
    /** Resolves once nobody has anything left to do without the clock. */
    async settled(): Promise<void> {
      for (let idle = 0; idle < 12; idle += 1) await new Promise(resolve => setImmediate(resolve))
    },
    restore: () => {
      for (const each of restore) each()
    },
  }
}
