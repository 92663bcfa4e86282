/**
 * One world: processes that come and go, a store that fails them, a gateway that does, and payments that are to be made once.
 *
 * Nothing in it takes time: when nobody has anything left to do, its clock goes to what comes next. So a seed gives the same world
 * each time.
 *
 * @module
 */
import { type DocumentStore, defineProfile, memoryStore, type Store } from '@tillkit/protocol'
import { createFakeClock, createFakeGateway, type FakeClock, type FakeGateway } from '@tillkit/testing'
import { vi } from 'vitest'
import { createClient } from '../../src/index.js'
import { testKey } from '../test-key.js'
import { type Books, openBooks } from './books.js'
import { type Chance, chanceOf } from './chance.js'
import { LostError, runErrands, type Tools } from './errands.js'
import { failingStore, never, type Sky } from './failing-store.js'
import { kinds, type Payment } from './movements.js'
import { type NumberedCall, networkOf } from './network.js'

/** A mistake that is planted, to see that it is found. */
export interface Planted {
  /** Around the store that all processes share. */
  readonly store?: (store: Store, clock: FakeClock) => Store
  /** Around what one process sees of it. */
  readonly view?: (store: DocumentStore) => DocumentStore
  /** What a person says, given what the books say. */
  readonly person?: (hasArrived: boolean) => ReturnType<Tools['person']>
}

const [second, minute] = [1_000, 60_000]
const profile = defineProfile({ orderNeverSeen: '4711' })

interface World {
  readonly gateway: FakeGateway
  readonly clock: FakeClock
  readonly chance: Chance
  readonly sky: Sky
  readonly books: Books
  readonly store: Store
  readonly payments: readonly Payment[]
  readonly planted: Planted
  /** How much has happened. */
  readonly happened: { count: number }
}

/** What a world came to. */
export interface Lived {
  /** What was said falsely, done twice or lost. */
  readonly wrong: readonly string[]
  readonly told: ReturnType<Books['told']>
}

/** Lives through one world. */
export async function liveThrough(seed: string, planted: Planted = {}): Promise<Lived> {
  const chance = chanceOf(seed)
  const clock = createFakeClock({ base: () => Date.UTC(2026, 0, 5) })
  const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => clock.now() - clock.base())
  const processingTime = chance.pick([0, 3 * second, 40 * second])
  const gateway = createFakeGateway({ profile, clock, seed, processingTime, maxCalls: 100_000 })
  const payments = Array.from({ length: chance.between(1, 2) }, (_, at) => ({
    reference: `o-${at + 1}`,
    movements: chance.pick(kinds),
  }))
  const kept = memoryStore({ clock: () => clock.now() })
  const store = planted.store?.(kept, clock) ?? kept
  const sky = { trouble: chance.pick([0.05, 0.2, 0.4]), awayUntil: 0 }
  const books = openBooks(gateway, payments)
  const world = { gateway, clock, chance, sky, books, store, payments, planted, happened: { count: 0 } }
  try {
    armFaults(world)
    const wrong = [...(await pass(world, storm(world)).then(() => [], lostIn)), ...books.audit()]
    if (wrong.length > 0) return { wrong, told: books.told() }
    // Now nothing fails any more, and a last process has to bring everything to its end.
    sky.trouble = 0
    sky.awayUntil = 0
    gateway.faults.clear()
    await clock.advance(10 * minute)
    const stuck = await pass(world, startProcess(world).errands).then(() => [], lostIn)
    if (stuck.length > 0) return { wrong: stuck, told: books.told() }
    return { wrong: [...books.audit(), ...(await books.auditEnd(kept))], told: books.told() }
  } finally {
    monotonic.mockRestore()
    clock.clear()
    await gateway.close()
  }
}

/** What a program could not bring to its end. */
function lostIn(error: unknown): readonly string[] {
  if (error instanceof LostError) return [error.message]
  throw error
}

function armFaults({ gateway, sky: { trouble } }: World): void {
  for (const [fault, weight] of [
    ['drop', 0.3],
    ['maintenance-page', 0.2],
    ['commit-then-drop', 0.3],
    ['commit-then-timeout', 0.2],
    ['server-error-after-commit', 0.3],
    ['half-answer', 0.3],
    ['delayed-commit', 0.3],
    ['status-lags', 0.5],
    ['unknown-status-word', 0.3],
  ] as const) {
    const delay = fault === 'delayed-commit' ? { delay: 2 * minute } : {}
    gateway.faults.arm({ fault, probability: weight * trouble, ...delay })
  }
}

/** Several processes at once, which die and are followed by others, until all are done or it has lasted long enough. */
async function storm(world: World): Promise<void> {
  const { chance, clock, sky } = world
  const until = clock.now() + chance.pick([1, 3, 20]) * minute
  const lanes = Array.from({ length: chance.between(1, 3) }, async () => {
    while (clock.now() < until) {
      const { errands, die } = startProcess(world)
      const life = chance.of(0.7) ? chance.between(1, chance.of(0.5) ? 20 * second : 20 * minute) : until - clock.now()
      const isDone = await Promise.race([errands.then(() => true), clock.wait(life).then(() => false)])
      await die()
      if (isDone) return
      await clock.wait(chance.between(0, 90 * second))
    }
  })
  const weather = async (): Promise<void> => {
    for (let outages = chance.between(0, 2); outages > 0; outages -= 1) {
      await clock.wait(chance.between(1, 10 * minute))
      sky.awayUntil = clock.now() + chance.between(1, 2 * minute)
    }
  }
  void weather()
  await Promise.all(lanes)
}

/** Starts a process that works through all payments. */
function startProcess({ gateway, clock, chance, sky, books, store, payments, planted, happened }: World) {
  let hasDied = false
  const isDead = () => hasDied
  const calls = new Map<string, NumberedCall>()
  const stir = (): void => {
    happened.count += 1
  }
  const view = { clock, chance, sky, isDead, stir }
  const seen = failingStore(store, view)
  // No two machines have the same time.
  const offset = chance.pick([0, 0, -7 * minute, 11 * minute])
  const wait = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    await clock.wait(milliseconds, signal)
    if (hasDied) await never()
  }
  const client = createClient({
    ...gateway.clientOptions,
    privateKey: testKey,
    dispatcher: networkOf({ ...view, gateway, current: id => calls.get(id) }),
    store: planted.view?.(seen) ?? seen,
    name: 'worlds',
    environment: 'test',
    retries: 0,
    random: chance.number,
    clock: () => clock.now() + offset,
    wait,
    observer: {
      // Said of every trouble of the store, of which a world is full.
      warning() {},
      attempt({ reservation, clientOrderId = '' }, end) {
        const call = calls.get(clientOrderId)
        if (end === undefined && call !== undefined) books.reserved(call, reservation)
      },
    },
  })
  const {
    person = hasArrived => (hasArrived ? 'accepted' : chance.pick(['not-sent', 'no-trace', 'refused'] as const)),
  } = planted
  const tools: Tools = {
    client,
    books,
    chance,
    clock,
    sky,
    run: async work => {
      const result = await Promise.allSettled([work()])
      stir()
      if (hasDied) return never()
      const [ended] = result
      if (ended.status === 'rejected') throw ended.reason
      return ended.value
    },
    begin(wish) {
      const call = books.begin()
      calls.set(wish.clientOrderId, call)
      return call
    },
    person: reservation => person(books.sees(reservation)),
  }
  const errands = async (): Promise<void> => {
    const order = [...payments].sort(() => chance.number() - 0.5)
    // Some programs do everything at once.
    if (chance.of(0.5)) await Promise.all(order.map(each => runErrands(each, tools)))
    else for (const each of order) await runErrands(each, tools)
  }
  return {
    errands: errands(),
    /** In some order, or at once. */
    async die(): Promise<void> {
      if (chance.of(0.3)) await client.close()
      hasDied = true
    },
  }
}

/** Within so many turns of the event loop something happens, where anybody has anything left to do. */
const longestThought = 6

/** Moves the clock on whenever everybody waits for it. */
async function pass({ clock, happened }: World, work: Promise<unknown>): Promise<void> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  over.catch(() => {})
  while (!isOver) {
    for (let idle = 0, before = happened.count; idle < longestThought; idle += 1) {
      await new Promise(resolve => setImmediate(resolve))
      if (before !== happened.count) [idle, before] = [0, happened.count]
    }
    const next = clock.nextAt()
    if (next !== undefined) await clock.advance(Math.max(0, next - clock.now()))
    else if (!isOver) throw new Error('Everybody waits for somebody else.')
  }
  await over
}
