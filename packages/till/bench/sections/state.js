/** How long it takes to read what a payment is, by the number of its parts that were given back. */
import { createFakeGateway, testCard } from '@tillkit/testing'
import { createTill } from '@tillkit/till'
import { median } from '../../../../bench/median.js'
import { customer } from '../../../../bench/peers/sale.js'
import { memory } from '../engines/memory.js'

const numbersOfParts = [0, 10, 20, 40]
const rounds = 41
const readsPerRound = 20
const card = {
  creditCardNumber: testCard,
  cardPrintedName: 'ADA LOVELACE',
  expireMonth: '12',
  expireYear: '2083',
  cvv2: '123',
}

const gateway = createFakeGateway()
const { clock } = gateway.clientOptions
const till = createTill({
  account: gateway.clientOptions,
  store: memory({ clock }),
  address: 'http://127.0.0.1:4280/payments',
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: () => {},
  clock,
})

/** A payment of which so many parts were given back, each of which is known to have arrived. */
async function paymentWith(parts) {
  const reference = `parts-${parts}`
  await till.pay({ reference, ...customer, amount: '100.00', ...card })
  await till.wait(reference)
  for (let part = 1; part <= parts; part += 1) {
    await till.return(reference, { amount: '1.00', key: `part-${part}` })
    const { underWay } = await till.ask(reference)
    if (underWay.length > 0) throw new Error(`Part ${part} has not arrived.`)
  }
  const { totals } = await till.payment(reference)
  if (Number(totals?.returned) !== parts) throw new Error(`Of ${parts} parts ${totals?.returned} came back.`)
  return reference
}

const references = []
for (const parts of numbersOfParts) references.push(await paymentWith(parts))
const times = numbersOfParts.map(() => [])
// The first rounds are for the compiler.
for (let round = -10; round < rounds; round += 1) {
  for (const [at, reference] of references.entries()) {
    const start = performance.now()
    for (let read = 0; read < readsPerRound; read += 1) await till.payment(reference)
    if (round >= 0) times[at].push((performance.now() - start) / readsPerRound)
  }
}
await till.close()
await gateway.close()

const [none, , twenty, forty] = times
const microseconds = Object.fromEntries(
  numbersOfParts.map((parts, at) => [`${parts} parts`, 1_000 * median(times[at])]),
)

export const rows = [
  {
    name: 'till.payment, 40 parts given back, store in memory',
    against: 'ms',
    ratio: median(forty),
    atMost: 1,
    microseconds,
  },
  {
    name: 'till.payment, 40 parts given back, store in memory',
    against: 'times what 20 parts add; 2 is linear, 4 is quadratic',
    ratio: median(forty.map((time, round) => (time - none[round]) / (twenty[round] - none[round]))),
    atMost: 2.5,
  },
]
