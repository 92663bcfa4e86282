import { isDeepStrictEqual } from 'node:util'
import type { Attempt, AttemptEnd, AttemptsPort, Reservation } from '@tillkit/protocol'
import { type AttemptMaker, type ConformanceCheck, notRefused, notReserved, plain, show } from './samples.js'

/** What a check works with. */
export interface AttemptsCheckContext {
  readonly port: AttemptsPort
  /** Another port on the same store. */
  readonly another: AttemptsPort
  readonly concurrency: number
  readonly make: AttemptMaker
}

/** One sentence of the contract, and what is wrong where a port does not keep it. */
export type AttemptsCheck = ConformanceCheck<AttemptsCheckContext>

const ended = (ending: AttemptEnd['kind'], own: Partial<AttemptEnd> = {}): AttemptEnd => ({
  kind: ending,
  at: 1_767_605_401_000,
  ...own,
})

/** Reserves an attempt, and tells how it ended, in that order. */
async function send(port: AttemptsPort, attempt: Attempt, ...ends: readonly AttemptEnd[]): Promise<Attempt> {
  await port.reserve(attempt)
  for (const end of ends) await port.settled(attempt, end)
  return attempt
}

/** Every check. */
export const attemptsChecks: readonly AttemptsCheck[] = [
  {
    name: 'reserves what it has not seen',
    run: async ({ port, make }) =>
      notReserved(await port.reserve(make.creates())) ?? notReserved(await port.reserve(make.changes())),
  },
  {
    name: 'refuses an order id that is under way',
    run: ({ port, make }) => refusesAgain(port, make.creates()),
  },
  {
    name: 'refuses an order id that was accepted',
    run: ({ port, make }) => refusesAgain(port, make.creates(), ended('accepted', { orderId: '77' })),
  },
  {
    name: 'refuses an order id whose outcome is unknown',
    run: ({ port, make }) => refusesAgain(port, make.creates(), ended('unknown')),
  },
  ...(['not-sent', 'refused', 'no-trace'] as const).map(
    (ending): AttemptsCheck => ({
      name: `reserves the same request again after it ended ${ending}`,
      run: ({ port, make }) => reservesAgain(port, make.creates(), ended(ending)),
    }),
  ),
  {
    name: 'refuses other content under an order id, even when nothing was sent under it',
    async run({ port, make }) {
      const attempt = await send(port, make.creates(), ended('not-sent'))
      const other = await port.reserve({ ...attempt, attemptId: `${attempt.attemptId}/b`, fingerprint: 'b'.repeat(64) })
      return notRefused(other, 'other-content', attempt, ended('not-sent'))
    },
  },
  {
    name: 'keeps merchants and order ids apart',
    async run({ port, make }) {
      const attempt = await send(port, make.creates())
      const { clientOrderId = '', attemptId } = attempt
      for (const [index, own] of [
        { login: 'Merchant' },
        { clientOrderId: `${clientOrderId} ` },
        { clientOrderId: clientOrderId.toUpperCase() },
      ].entries()) {
        const problem = notReserved(await port.reserve({ ...attempt, ...own, attemptId: `${attemptId}/${index}` }))
        if (problem !== undefined) return `${problem} It differs in ${Object.keys(own).join()}.`
      }
      return undefined
    },
  },
  {
    name: 'knows an order again that was sent to another address of the gateway',
    async run({ port, make }) {
      const attempt = await send(port, make.creates())
      const again = { ...attempt, attemptId: `${attempt.attemptId}/b`, baseUrl: 'https://gate.example/checkout' }
      return notRefused(await port.reserve(again), 'already-sent', attempt)
    },
  },
  {
    name: 'refuses a second change of the whole order, whatever else it says',
    async run({ port, another, make }) {
      const { amount: _amount, currency: _currency, ...whole } = make.changes({ operation: 'void', stages: ['void'] })
      await send(port, whole, ended('accepted'))
      const again = { ...whole, attemptId: `${whole.attemptId}/b`, fingerprint: 'b'.repeat(64) }
      return notRefused(await another.reserve(again), 'already-sent', whole, ended('accepted'))
    },
  },
  {
    name: 'refuses the attempt id of a change that was sent',
    async run({ port, make }) {
      const attempt = await send(port, make.changes(), ended('accepted'))
      return notRefused(await port.reserve(attempt), 'already-sent', attempt, ended('accepted'))
    },
  },
  {
    name: 'reserves the same change again after it was refused',
    run: ({ port, make }) => reservesAgain(port, make.changes(), ended('refused')),
  },
  ...[[], [ended('unknown')] as const].map(
    (ends): AttemptsCheck => ({
      name: `refuses a second change of an order while the first ${ends.length === 0 ? 'has not ended' : 'is unknown'}`,
      async run({ port, make }) {
        const first = await send(port, make.changes(), ...ends)
        const second = await port.reserve(make.changes({ operation: 'capture', stages: ['capture'] }))
        return notRefused(second, 'open-change', first, ...ends)
      },
    }),
  ),
  ...(['accepted', 'refused', 'not-sent', 'no-trace'] as const).map(
    (ending): AttemptsCheck => ({
      name: `reserves an equal change of an order once the first is ${ending}`,
      async run({ port, make }) {
        await send(port, make.changes(), ended('unknown'), ended(ending, { basis: 'status' }))
        return notReserved(await port.reserve(make.changes()))
      },
    }),
  ),
  {
    name: 'does not let what moves no money block an order, or be blocked',
    async run({ port, make }) {
      const upload = { operation: 'uploadCresResult', stages: [] }
      await port.reserve(make.changes(upload))
      const change = await port.reserve(make.changes())
      return notReserved(change) ?? notReserved(await port.reserve(make.changes(upload)))
    },
  },
  {
    name: 'does not let a change block another order',
    async run({ port, make }) {
      const first = await send(port, make.changes())
      return notReserved(await port.reserve(make.changes({ orderId: `${first.orderId}/b` })))
    },
  },
  {
    name: 'reserves one of many equal requests at once',
    run: ({ port, another, concurrency, make }) => {
      const attempt = make.creates()
      return reservesOne(concurrency, index =>
        (index % 2 === 0 ? port : another).reserve({ ...attempt, attemptId: `${attempt.attemptId}/${index}` }),
      )
    },
  },
  {
    name: 'reserves one of many changes of an order at once',
    run: ({ port, another, concurrency, make }) =>
      reservesOne(concurrency, index => (index % 2 === 0 ? port : another).reserve(make.changes())),
  },
  {
    name: 'knows in one process what another has reserved and settled',
    async run({ port, another, make }) {
      const attempt = await send(port, make.creates())
      const end = ended('accepted', { orderId: '77' })
      await another.settled(attempt, end)
      const problem = notRefused(await another.reserve(attempt), 'already-sent', attempt, end)
      return problem ?? notRefused(await port.reserve(attempt), 'already-sent', attempt, end)
    },
  },
  {
    name: 'keeps an order that was accepted, whatever is said later',
    async run({ port, make }) {
      const end = ended('accepted', { basis: 'status', orderId: '77', serialNumber: 's-1' })
      const ends = [ended('unknown'), end, ended('unknown'), ended('refused'), ended('no-trace')]
      const attempt = await send(port, make.creates(), ...ends)
      return notRefused(await port.reserve(attempt), 'already-sent', attempt, end)
    },
  },
  {
    name: 'does not fall back to unknown',
    async run({ port, make }) {
      const noTrace = ended('no-trace', { basis: 'person', note: 'ticket 4711' })
      const attempt = await send(port, make.creates(), noTrace, ended('unknown'))
      return notReserved(await port.reserve(attempt))
    },
  },
  {
    name: 'takes the ending of an attempt that was not reserved',
    async run({ port, make }) {
      const attempt = make.creates()
      await port.settled(attempt, ended('refused'))
      return notReserved(await port.reserve(attempt))
    },
  },
  {
    name: 'lists the changes of an order that move money, in order and with their endings',
    async run({ port, another, make }) {
      const [first, second] = [make.changes(), make.changes({ amount: '5.00' })]
      await send(port, first, ended('accepted', { serialNumber: 's-1' }))
      await port.reserve(make.changes({ operation: 'uploadCresResult', stages: [] }))
      await port.reserve(make.changes({ orderId: `${first.orderId}/b` }))
      await port.reserve(make.changes({ login: 'other' }))
      await port.reserve(second)
      const expected = [{ ...first, end: ended('accepted', { serialNumber: 's-1' }) }, second]
      const listed = await another.changesOf(second)
      return isDeepStrictEqual(plain(listed), plain(expected))
        ? undefined
        : `"changesOf" gave ${show(listed)}; expected ${show(expected)}.`
    },
  },
  {
    name: 'keeps every character of an order id',
    async run({ port, make }) {
      for (const odd of ['\'"; drop table attempts --', '__proto__', 'Ünïcödé 日本 🛒', '%_*?', 'x'.repeat(128)]) {
        const { clientOrderId, ...rest } = make.creates()
        const attempt = { ...rest, clientOrderId: `${odd}${clientOrderId}`.slice(-Math.max(128, odd.length)) }
        const reserved = notReserved(await port.reserve(attempt))
        const problem = reserved ?? notRefused(await port.reserve(attempt), 'already-sent', attempt)
        if (problem !== undefined) return problem
      }
      return undefined
    },
  },
]

async function refusesAgain(port: AttemptsPort, attempt: Attempt, ...ends: readonly [AttemptEnd?]) {
  await send(port, attempt, ...ends.flatMap(end => end ?? []))
  const again = await port.reserve({ ...attempt, attemptId: `${attempt.attemptId}/again` })
  return notRefused(again, 'already-sent', attempt, ...ends)
}

async function reservesAgain(port: AttemptsPort, attempt: Attempt, end: AttemptEnd) {
  await send(port, attempt, end)
  return notReserved(await port.reserve(attempt)) ?? notRefused(await port.reserve(attempt), 'already-sent', attempt)
}

async function reservesOne(times: number, reserve: (index: number) => Promise<Reservation>) {
  const all = await Promise.all(Array.from({ length: times }, (_, index) => reserve(index)))
  const reserved = all.filter(each => each.kind === 'reserved').length
  return reserved === 1 ? undefined : `${reserved} of ${times} were reserved; expected 1.`
}
