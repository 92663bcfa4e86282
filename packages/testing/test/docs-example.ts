import { createFakeClock, createFakeGateway } from '../src/index.js'

const clock = createFakeClock({ base: () => Date.UTC(2030, 0, 1) })
const gateway = createFakeGateway({
  clock, // stands still until it is advanced; hand clock.wait to your client as its option wait
  outcomes: [{ amount: '66.60', outcome: 'declined' }], // always
  merchants: [
    { login: 'north', controlKey: 'key of north', endpoints: [{ id: 11, currency: 'EUR' }], groups: [19] },
    { login: 'south', controlKey: 'key of south', endpoints: [21] },
  ],
})
export const north = gateway.clientOptionsFor({ login: 'north' }) // for createClient

gateway.outcomes.plan({ outcome: 'filtered', operation: 'sale' }) // the next sale
gateway.faults.arm({ fault: 'delayed-commit', operation: 'capture', delay: 90_000 })
gateway.faults.arm({ fault: 'callback-twice', times: 3 })
gateway.faults.arm({ fault: 'drop', probability: 0.1 }) // drawn from the option seed, the same in every run

// … your code pays here …

for (const { orderId, actions } of gateway.orders.list()) {
  if (actions.includes('charge-back')) gateway.act({ action: 'charge-back', orderId, amount: '4.00' })
}
await gateway.callbacks.idle()
await clock.advance(14 * 86_400_000) // every repetition of a callback that was not taken
await gateway.close()
