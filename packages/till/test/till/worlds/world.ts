/**
 * One world: a gateway, a store, several tills that come and go, and customers who pay on any form that they were ever given.
 *
 * @module
 */

import { defaultProfile } from '@tillkit/protocol'
import { createFakeClock, createFakeGateway, type FaultName } from '@tillkit/testing'
import { chanceOf } from '../../../../client/test/worlds/chance.js'
import { memoryStore } from '../../../src/store/memory-store.js'
import { unsaidIn } from '../timelines.js'
import { openBooks } from './books.js'
import { oneThing, type Planted, startProcess, type Watch, type World } from './life.js'
import { inWorld, pass, type Quiet } from './quiet.js'

/** The result of a world. */
export interface Lived {
  readonly wrong: readonly string[]
  /** The outcomes that were told, without times. */
  readonly told: readonly string[]
  /** Requests to the gateway, in their order. */
  readonly asked: readonly string[]
}

const [minute, hour] = [60_000, 3_600_000]
/** The options of a world. */
export interface WorldOptions {
  /** Whether customers come back and go through 3DS, and the merchant changes payments and pays out. Default: false. */
  readonly hasMore?: boolean
  /** Default: nobody watches. */
  readonly watch?: Watch
}

/** Lives through one world. */
export function liveThrough(
  seed: string,
  planted: Planted = {},
  { hasMore = false, watch }: WorldOptions = {},
): Promise<Lived> {
  const chance = chanceOf(seed)
  const clock = createFakeClock({ base: () => Date.UTC(2026, 0, 5) })
  const replaces = chance.of(0.4)
  // A till that lets no second form open beside an open one relies on the profile: a form is over in time.
  const formLifetime = replaces ? undefined : defaultProfile.formLifetime.value * 1000
  const gateway = createFakeGateway({ clock, seed, maxCalls: 100_000, ...(formLifetime && { formLifetime }) })
  const books = openBooks(gateway)
  const world: World = {
    gateway,
    chance,
    books,
    planted,
    store: memoryStore({ clock: clock.now }),
    replaces,
    payments: Array.from({ length: chance.between(1, 2) }, (_, at) => ({
      reference: `basket-${at + 1}`,
      hold: chance.of(0.2),
      byCard: chance.of(hasMore ? 0.5 : 0.2),
    })),
    payouts: [
      { reference: 'payout-1', checked: false },
      { reference: 'payout-2', checked: true },
    ],
    hasMore,
    watch,
    mail: [],
    read: 0,
  }
  return inWorld(gateway, async quiet => {
    armFaults(world)
    await storm(world, quiet)
    await calm(world, quiet)
    await watch?.over(world)
    const told = books.told.map(({ clientOrderId, kind }) => `${clientOrderId} ${kind}`)
    const asked = gateway.calls().map(({ operation }) => String(operation))
    return {
      wrong: [...books.audit(world), ...(await unsaidIn(world.store))],
      told,
      asked,
    }
  })
}

/** Faults of a request that creates or changes something. */
export const lineFaults = [
  ...(['commit-then-drop', 'commit-then-timeout', 'half-answer', 'server-error-after-commit'] as const),
  ...(['delayed-commit', 'drop', 'maintenance-page'] as const),
] satisfies readonly FaultName[]

function armFaults({ gateway, chance, hasMore }: World): void {
  const trouble = chance.pick([0, 0.3, 1])
  for (const fault of lineFaults)
    for (const operation of [
      ...['saleForm', 'preauthForm', 'sale', 'preauth', 'status'],
      ...(hasMore ? ['capture', 'return', 'void', 'payoutV4', 'payoutCheck', 'payoutPay'] : []),
    ])
      if (trouble > 0)
        gateway.faults.arm({ fault, operation, probability: (operation === 'status' ? 0.02 : 0.08) * trouble })
}

/** How time passes in a world. */
const timeOf = (world: World, quiet: Quiet) => ({ clock: world.gateway.clock, quiet, look: () => lookAt(world) })

function lookAt(world: World): void {
  world.books.look()
  world.watch?.look(world)
}

async function storm(world: World, quiet: Quiet): Promise<void> {
  const { chance } = world
  const processes = Array.from({ length: chance.between(1, 3) }, () => startProcess(world))
  for (let events = chance.between(15, 45); events > 0; events -= 1) {
    const at = chance.between(0, processes.length - 1)
    if (processes[at]?.isDead() === true || chance.of(0.03)) processes[at] = startProcess(world)
    const { till } = processes[at] ?? startProcess(world)
    await oneThing(world, till)
    lookAt(world)
    // Some things happen at once.
    if (chance.of(0.3)) continue
    const pause = chance.pick([1, 5, 300, 20_000, minute, 4 * minute, 40 * minute, 5 * hour])
    await pass(pause, timeOf(world, quiet))
  }
}

/** Nothing fails any more, and one process brings everything to its end. */
async function calm(world: World, quiet: Quiet): Promise<void> {
  world.gateway.faults.clear()
  const { till } = startProcess(world, true)
  for (let pause = 5 * minute; pause < 20 * 24 * hour; pause *= 1.6) {
    await pass(pause, timeOf(world, quiet))
    void till.tick().catch(() => 0)
  }
  await pass(hour, timeOf(world, quiet))
}
