import { isDeepStrictEqual } from 'node:util'
import type { Attempt, AttemptEnd, AttemptsPort, Reservation } from '@tillkit/protocol'
import { type AttemptMaker, notRefused, notReserved, plain, show } from './samples.js'

/** What a check works with. */
export interface AttemptsCheckContext {
  readonly port: AttemptsPort
  /** Another port on the same store. */
  readonly another: AttemptsPort
  readonly concurrency: number
  readonly make: AttemptMaker
}

/** One sentence of the contract, and what is wrong where a port does not keep it. */
export interface AttemptsCheck {
  /** Third person: "refuses …". */
  readonly name: string
  readonly run: (context: AttemptsCheckContext) => Promise<string | undefined>
}

const ended = (ending: AttemptEnd['kind'], own: Partial<AttemptEnd> = {}): AttemptEnd => ({
  kind: ending,
  at: 1_767_605_401_000,
  ...own,
})

/** Every check. */
export const attemptsChecks: readonly AttemptsCheck[] = [
  {
    name: 'reserves what it has not seen',
    run: async ({ port, make }) =>
      notReserved(await port.reserve(make.creates())) ?? notReserved(await port.reserve(make.changes())),
  },
  {
    name: 'refuses an order id that is under way',
    run: ({ port, make }) => refusesAgain(port, make.creates(), undefined),
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
      const attempt = make.creates()
      await port.reserve(attempt)
      await port.settled(attempt, ended('not-sent'))
      const other = await port.reserve({ ...attempt, attemptId: `${attempt.attemptId}/b`, fingerprint: 'b'.repeat(64) })
      return notRefused(other, { kind: 'other-content', earlier: attempt, end: ended('not-sent') })
    },
  },
  {
    name: 'keeps merchants and order ids apart',
    async run({ port, make }) {
      const attempt = make.creates()
      await port.reserve(attempt)
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
      const attempt = make.creates()
      await port.reserve(attempt)
      const again = { ...attempt, attemptId: `${attempt.attemptId}/b`, baseUrl: 'https://gate.example/checkout' }
      return notRefused(await port.reserve(again), { kind: 'already-sent', earlier: attempt })
    },
  },
  {
    name: 'refuses a second change of the whole order, whatever else it says',
    async run({ port, another, make }) {
      const { amount: _amount, currency: _currency, ...whole } = make.changes({ operation: 'void', stages: ['void'] })
      await port.reserve(whole)
      await port.settled(whole, ended('accepted'))
      const again = { ...whole, attemptId: `${whole.attemptId}/b`, fingerprint: 'b'.repeat(64) }
      return notRefused(await another.reserve(again), {
        kind: 'already-sent',
        earlier: whole,
        end: ended('accepted'),
      })
    },
  },
  {
    name: 'refuses the attempt id of a change that was sent',
    async run({ port, make }) {
      const attempt = make.changes()
      await port.reserve(attempt)
      await port.settled(attempt, ended('accepted'))
      return notRefused(await port.reserve(attempt), {
        kind: 'already-sent',
        earlier: attempt,
        end: ended('accepted'),
      })
    },
  },
  {
    name: 'reserves the same change again after it was refused',
    run: ({ port, make }) => reservesAgain(port, make.changes(), ended('refused')),
  },
  ...([undefined, 'unknown'] as const).map(
    (ending): AttemptsCheck => ({
      name: `refuses a second change of an order while the first ${ending === undefined ? 'has not ended' : 'is unknown'}`,
      async run({ port, make }) {
        const first = make.changes()
        await port.reserve(first)
        const end = ending === undefined ? undefined : ended(ending)
        if (end !== undefined) await port.settled(first, end)
        const second = await port.reserve(make.changes({ operation: 'capture', stages: ['capture'] }))
        return notRefused(second, { kind: 'open-change', earlier: first, end })
      },
    }),
  ),
  ...(['accepted', 'refused', 'not-sent', 'no-trace'] as const).map(
    (ending): AttemptsCheck => ({
      name: `reserves an equal change of an order once the first is ${ending}`,
      async run({ port, make }) {
        const first = make.changes()
        await port.reserve(first)
        await port.settled(first, ended('unknown'))
        await port.settled(first, ended(ending, { basis: 'status' }))
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
      const first = make.changes()
      await port.reserve(first)
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
      const attempt = make.creates()
      await port.reserve(attempt)
      await another.settled(attempt, ended('accepted', { orderId: '77' }))
      const expected = { kind: 'already-sent', earlier: attempt, end: ended('accepted', { orderId: '77' }) } as const
      return notRefused(await another.reserve(attempt), expected) ?? notRefused(await port.reserve(attempt), expected)
    },
  },
  {
    name: 'keeps an order that was accepted, whatever is said later',
    async run({ port, make }) {
      const attempt = make.creates()
      await port.reserve(attempt)
      const end = ended('accepted', { basis: 'status', orderId: '77', serialNumber: 's-1' })
      for (const each of [ended('unknown'), end, ended('unknown'), ended('refused'), ended('no-trace')]) {
        await port.settled(attempt, each)
      }
      return notRefused(await port.reserve(attempt), { kind: 'already-sent', earlier: attempt, end })
    },
  },
  {
    name: 'does not fall back to unknown',
    async run({ port, make }) {
      const attempt = make.creates()
      await port.reserve(attempt)
      await port.settled(attempt, ended('no-trace', { basis: 'person', note: 'ticket 4711' }))
      await port.settled(attempt, ended('unknown'))
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
      await port.reserve(first)
      await port.settled(first, ended('accepted', { serialNumber: 's-1' }))
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
        const problem = reserved ?? notRefused(await port.reserve(attempt), { kind: 'already-sent', earlier: attempt })
        if (problem !== undefined) return problem
      }
      return undefined
    },
  },
]

async function refusesAgain(port: AttemptsPort, attempt: Attempt, end: AttemptEnd | undefined) {
  await port.reserve(attempt)
  if (end !== undefined) await port.settled(attempt, end)
  const again = await port.reserve({ ...attempt, attemptId: `${attempt.attemptId}/again` })
  return notRefused(again, { kind: 'already-sent', earlier: attempt, end })
}

async function reservesAgain(port: AttemptsPort, attempt: Attempt, end: AttemptEnd) {
  await port.reserve(attempt)
  await port.settled(attempt, end)
  const again = notReserved(await port.reserve(attempt))
  if (again !== undefined) return again
  return notRefused(await port.reserve(attempt), { kind: 'already-sent', earlier: attempt })
}

async function reservesOne(times: number, reserve: (index: number) => Promise<Reservation>) {
  const all = await Promise.all(Array.from({ length: times }, (_, index) => reserve(index)))
  const reserved = all.filter(each => each.kind === 'reserved').length
  return reserved === 1 ? undefined : `${reserved} of ${times} were reserved; expected 1.`
}
