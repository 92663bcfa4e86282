/**
 * After how long a merchant is told of a payment whose callback was lost, beside 10,000 forms that nobody paid and that are all overdue, in
 * the time of a clock that is moved.
 */
import { createFakeClock } from '@tillkit/testing'
import { createTill } from '@tillkit/till'
import { customer } from '../../../../bench/peers/sale.js'
import { memory } from '../engines/memory.js'
import { stubGateway } from '../stub-gateway.js'

const forms = 10_000
const minute = 60_000
/** How far the clock goes at a time, in milliseconds. */
const step = 50

const start = Date.now()
const clock = createFakeClock({ base: () => start })
const { account, pay } = stubGateway()
let toldAt
const till = createTill({
  account,
  store: memory({ clock: clock.now }),
  address: 'http://127.0.0.1:4280/payments',
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: () => {
    toldAt = clock.now()
  },
  clock: clock.now,
  wait: clock.wait,
})

for (let number = 0; number < forms; number += 1) await till.pay({ reference: `form-${number}`, ...customer })
await clock.advance(10 * minute)
const { payment } = await till.pay({ reference: 'lost', ...customer })
pay(payment.orders[0].orderId)
const paidAt = clock.now()
await till.start()
while (toldAt === undefined && clock.now() < paidAt + 60 * minute) {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve))
  await clock.advance(step)
}
await till.close()

export const rows = [
  {
    name: `A payment whose callback was lost, beside ${forms.toLocaleString('en')} overdue forms`,
    against: 'minutes until it is told, at ten questions a second',
    ratio: toldAt === undefined ? Number.POSITIVE_INFINITY : (toldAt - paidAt) / minute,
    atMost: 2,
  },
]
