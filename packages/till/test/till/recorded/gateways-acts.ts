/**
 * A gateway's acts in a world besides answering: it calls back, and its own people and the bank change orders that have ended.
 *
 * @module
 */
import { type FakeGateway, ImpossibleActionError } from '@tillkit/testing'
import { deliver } from '../worlds/life.js'
import { hour, minute, second } from './times.js'
import type { World } from './world.js'

/**
 * @returns Looks for callbacks that the gateway has made, and for orders that were approved or declined, and puts on the clock what follows.
 * Call it after each thing that happened.
 */
export function gatewaysActs(world: World): () => void {
  const { gateway } = world
  const seen = new Set<string>()
  let read = 0
  return () => {
    const all = gateway.callbacks.list()
    for (const { orderId, status, attempt } of all.slice(read)) if (attempt === 1) post({ orderId, status }, world)
    read = all.length
    for (const { clientOrderId, orderId, stages } of gateway.orders.list()) {
      const [first] = stages
      const about = `${clientOrderId} ${first?.status}`
      if (first === undefined || first.status === 'processing' || seen.has(about)) continue
      seen.add(about)
      change({ orderId, about, isApproved: first.status === 'approved' }, world)
    }
  }
}

interface Callback {
  readonly orderId: string
  readonly status: string
}

/** A callback is on its way: it is lost, late, brought twice, and brought again where it was not taken. */
function post({ orderId, status }: Callback, { gateway, fates, nth, count, isCalm, later, process }: World): void {
  const clientOrderId = gateway.orders.find(orderId)?.clientOrderId ?? ''
  const chance = fates('callback', clientOrderId, status, nth('callback', clientOrderId, status))
  if (!isCalm() && chance.of(0.2)) {
    count('callback lost')
    return
  }
  const at = chance.between(0, 1)
  const bring = async (again: readonly number[]) => {
    const answered = await deliver({ gateway }, process(at).till, { status, orderId })
    const [next, ...rest] = again
    if (answered !== 200 && next !== undefined) later(next, () => bring(rest))
  }
  const repeats = [minute, 5 * minute, 30 * minute, 6 * hour, 24 * hour]
  later(chance.pick([10, 10, second, minute, 10 * minute, 3 * hour]), () => bring(repeats))
  if (!chance.of(0.15)) return
  count('callback twice')
  later(chance.pick([10, second, hour]), () => bring([]))
}

/** An order that has ended. */
interface Ended {
  readonly orderId: string
  readonly about: string
  readonly isApproved: boolean
}

/** Some orders are corrected, charged back, or given back at the gateway's screens. */
function change({ orderId, about, isApproved }: Ended, { gateway, fates, count, isCalm, later }: World): void {
  const chance = fates('act', about)
  if (isCalm() || !chance.of(isApproved ? 0.4 : 0.2)) return
  const amount = chance.pick(['2.00', '4.00', undefined])
  const wish = isApproved
    ? chance.pick([
        { action: 'correct', status: 'declined' },
        { action: 'charge-back', amount },
        { action: 'reverse', amount, toldApartBy: chance.pick(['serial-number', 'codes'] as const) },
      ] as const)
    : ({ action: 'correct', status: 'approved', stage: 1 } as const)
  const act = () => {
    try {
      gateway.act({ orderId, ...wish } as Parameters<FakeGateway['act']>[0])
      count(`gateway: ${wish.action}`)
    } catch (error) {
      if (!(error instanceof ImpossibleActionError)) throw error
    }
  }
  for (let times = chance.pick([1, 1, 2]); times > 0; times -= 1)
    later(chance.pick([2 * second, 10 * minute, 3 * hour]), act)
}
