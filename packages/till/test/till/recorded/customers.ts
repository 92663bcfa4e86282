/** Customers of a world, who were sent somewhere to pay: most go there, some late, some twice, and some never. */
import type { Till } from '../../../src/index.js'
import { shop } from '../worlds/life.js'
import { walk } from '../worlds/walk.js'
import { merchantsIdIn } from './line.js'
import { hour, minute, second } from './times.js'
import type { World } from './world.js'

interface Sent {
  readonly world: World
  readonly till: Till
}

/** A customer was sent to an address. The form of an order is paid by one customer, however often its address is given. */
export function visit(address: string, { world, till }: Sent): void {
  const { gateway, fates, nth, count, later } = world
  const isForm = !address.startsWith(shop)
  const about = isForm ? orderOf(address, world) : new URL(address).pathname.split('/').slice(0, 3).join('/')
  const times = nth('customer', about)
  if (isForm && times > 1) return
  const chance = fates('customer', about, times)
  if (chance.of(0.12)) return
  const cvv2 = chance.pick(['123', '123', '123', '123', '101', '321'])
  const go = () => {
    count('customer goes')
    void walk(address, { gateway, till, chance, shop, cvv2 }).catch(() => {})
  }
  later(chance.pick([second, 40 * second, 8 * minute, 50 * minute, 5 * hour]), go)
  if (chance.of(0.1)) later(chance.pick([second, 9 * minute]), go)
}

/** The merchant's id of the order that a form is of. */
function orderOf(address: string, { gateway }: World): string {
  const opened = gateway.calls().find(({ reply }) => reply?.['redirect-url'] === address)
  return merchantsIdIn(name => opened?.fields.find(each => each[0] === name)?.[1]) ?? address
}
