/**
 * What a merchant's program does about one payment. It remembers nothing: what it knows it has from the client, and so from the store.
 *
 * @module
 */
import { defaultProfile, finalOutcome, type RememberedAttempt, type StageName, stageOf } from '@tillkit/protocol'
import type { FakeClock } from '@tillkit/testing'
import {
  type AnyGatewayError,
  type CallOptions,
  type Client,
  isGatewayError,
  type ResolvePosition,
} from '../../src/index.js'
import { saleRequest } from '../sample-requests.js'
import type { Books } from './books.js'
import type { Chance } from './chance.js'
import type { Sky } from './failing-store.js'
import { type Payment, type Wish, wishesOf } from './movements.js'
import { type NumberedCall, noteField } from './network.js'

/** What a program works with. */
export interface Tools {
  readonly client: Client
  readonly books: Books
  readonly chance: Chance
  readonly clock: FakeClock
  readonly sky: Sky
  /** Runs work of the process: where that died meanwhile, it never comes back. */
  run<Value>(work: () => Promise<Value>): Promise<Value>
  /** Numbers the next call of the process about an order. */
  begin(wish: Wish): NumberedCall
  /** What a person is asked who looks an attempt up in the gateway's books. */
  readonly person: (reservation: string | undefined) => 'accepted' | 'not-sent' | 'no-trace' | 'refused'
}

const [second, minute] = [1_000, 60_000]
/** What resolutions go by, in milliseconds. A quiet period is longer than any request is on its way. */
const times = { quietPeriod: 5 * minute, apart: minute } as const
/** After so long a person is asked, in milliseconds: nothing can be on its way by then. */
const patience = 30 * minute
/** By then everything would have been learned, in milliseconds: it would go on for ever. */
const stuckAfter = 24 * 60 * minute

/** A program that will never be done. */
export class LostError extends Error {}

/** Brings a payment to its end. */
export async function runErrands(payment: Payment, tools: Tools): Promise<void> {
  const wishes = wishesOf(payment)
  let orderId: string | undefined
  for (const [at, wish] of wishes.entries()) {
    const learned = await carryOut(wish, { orderId, tools })
    const { serialNumber } = learned
    orderId = wish.movement.order === '.2r' || at === 0 ? learned.orderId : (orderId ?? learned.orderId)
    // Status shows the latest stage, and another program may have gone on already.
    const later = wishes.slice(at).filter(each => each.clientOrderId === wish.clientOrderId)
    const stages = later.map(each => each.movement.stage)
    orderId = (await untilFinal(wish, { orderId, serialNumber, tools, stages })) ?? orderId
  }
}

interface Doing {
  readonly orderId: string | undefined
  readonly tools: Tools
}

/** What was learned of a request that was taken. */
interface Learned {
  readonly orderId?: string | undefined
  readonly serialNumber?: string | undefined
}

/** Sends a request until it is known that it was taken. */
async function carryOut(wish: Wish, { orderId, tools }: Doing): Promise<Learned> {
  const { books, clock, chance } = tools
  const begunAt = clock.now()
  for (;;) {
    if (clock.now() - begunAt > stuckAfter) throw new LostError(`${wish.key} cannot be carried out.`)
    await rest(tools, chance.of(0.4) ? 0 : chance.between(0, 5 * second))
    const call = tools.begin(wish)
    const { reply, error } = await asked(wish, { orderId, tools })
    if (reply !== undefined) {
      books.said('accepted', wish, call)
      return reply
    }
    let open: RememberedAttempt | undefined
    switch (error.code) {
      case 'ERR_NOT_SENT':
        books.said('not-sent', wish, call)
        continue
      case 'ERR_REQUEST_REFUSED':
        books.said('refused', wish, call)
        continue
      case 'ERR_OUTCOME_UNKNOWN':
        books.said('unknown', wish, call)
        // As it comes back from a store.
        open = JSON.parse(JSON.stringify(error.attempt))
        break
      case 'ERR_ALREADY_SENT':
        books.said('not-reserved', wish, call)
        open = error.earlier
        break
      case 'ERR_OPEN_CHANGE':
        books.said('not-reserved', wish, call)
        open = error.openAttempt
        break
      default:
        throw error
    }
    if (open === undefined) throw error
    const isOwn = open.clientOrderId === wish.clientOrderId && open.operation === wish.movement.operation
    if (isOwn && open.end?.kind === 'accepted' && open.amount === wish.movement.amount) {
      books.said('known', wish, open.reservation)
      return open.end
    }
    if (!isOwn && open.end !== undefined && open.end.kind !== 'unknown') {
      // The order before is not known to have failed: what status said of it was not written.
      const { clientOrderId = '', end } = open
      const ids = { clientOrderId, ...(end.orderId === undefined ? {} : { orderId: end.orderId }) }
      await tools.run(() => tools.client.status(ids)).catch(onlyTrouble)
      continue
    }
    const learned = await learn(open, { wish, tools })
    if (isOwn && learned !== undefined && open.amount === wish.movement.amount && isSamePart(open, wish))
      return { ...open.end, ...learned }
  }
}

/** A part is known by the id of its attempt. */
const isSamePart = ({ attemptId }: RememberedAttempt, { movement: { part } }: Wish): boolean =>
  part === undefined || attemptId === part

const rest = ({ run, clock }: Tools, milliseconds: number): Promise<void> => run(() => clock.wait(milliseconds))

type Ended =
  | { readonly reply: Learned; readonly error?: never }
  | { readonly reply?: never; readonly error: AnyGatewayError }

/** One call, which ends after thirty seconds of the world's, or when whoever made it has had enough. */
async function asked(wish: Wish, { orderId, tools }: Doing): Promise<Ended> {
  const { clock, chance, sky } = tools
  const controller = new AbortController()
  const time = chance.of(sky.trouble / 2) ? chance.between(0, 5 * second) : 30 * second
  const end = clock.schedule(clock.now() + time, () => controller.abort(new Error('the time is over')))
  try {
    return await tools.run(async () => {
      try {
        return { reply: await send(wish, { orderId, tools, signal: controller.signal }) }
      } catch (error) {
        if (isGatewayError(error)) return { error }
        throw error
      }
    })
  } finally {
    end.cancel()
  }
}

function send(
  { movement, clientOrderId }: Wish,
  { orderId = '', tools: { client }, signal }: Doing & { readonly signal: AbortSignal },
) {
  const { operation, amount = '', part, outcome } = movement
  const options: CallOptions = { signal }
  const money = { amount, currency: 'EUR' }
  if (operation === 'sale' || operation === 'preauth') {
    const cvv2 = outcome === 'declined' ? '116' : '123'
    return client[operation]({ ...saleRequest, ...money, clientOrderId, cvv2 }, options)
  }
  const ids = { clientOrderId, orderId }
  if (operation === 'void') return client.void(ids, options)
  if (part === undefined) return client[operation](ids, options)
  return client[operation]({ ...ids, ...money, extra: { [noteField]: part } }, { ...options, attemptId: part })
}

/** Learns what became of an attempt, from the gateway or in the end from a person. @returns The order where it happened. */
async function learn(
  open: RememberedAttempt,
  { wish, tools }: { readonly wish: Wish; readonly tools: Tools },
): Promise<Learned | undefined> {
  const { client, books, chance, clock, run } = tools
  const { reservation } = open
  const begunAt = clock.now()
  let position: ResolvePosition | undefined
  for (;;) {
    const since = clock.now() - begunAt
    if (since > stuckAfter) throw new LostError(`${wish.key} cannot be resolved.`)
    if (open.end === undefined || open.end.kind === 'unknown' || open.end.kind === 'accepted') {
      const told = open.end === undefined ? {} : { connectionClosed: chance.of(0.7) }
      const resolution = await run(() => client.resolve(open, { ...times, ...told, position }))
      if (resolution.kind === 'happened') {
        books.said('happened', wish, reservation)
        const { orderId } = resolution.order
        return orderId === undefined ? {} : { orderId }
      }
      if (resolution.kind === 'no-trace') {
        books.said('no-trace', wish, reservation)
        return undefined
      }
      // Not every program keeps it: the store does.
      if (chance.of(0.5)) ({ position } = resolution)
    }
    if (since > patience) {
      const kind = tools.person(reservation)
      const decided = await run(() => client.decide(open, { kind, note: 'looked up' }).then(() => true)).catch(
        onlyTrouble,
      )
      if (decided === true) return kind === 'accepted' ? {} : undefined
    }
    await rest(tools, chance.pick([20 * second, 2 * minute, 6 * minute]))
    // Whoever asks anew may take what the next refusal says.
    if (chance.of(0.02)) return undefined
  }
}

/** Lets pass what a failing world does to calls that send nothing. */
function onlyTrouble(error: unknown): undefined {
  const code = typeof error === 'object' && error !== null ? String(Reflect.get(error, 'code')) : ''
  const isUnderWay = code === 'ERR_INVALID_REQUEST' && String(error).includes('may still wait for its answer')
  if (isUnderWay || code.startsWith('ERR_STORE_') || troubles.includes(code)) return undefined
  throw error
}

const troubles: readonly string[] = [
  'ERR_NOT_SENT',
  'ERR_TRANSPORT',
  'ERR_GATEWAY_FAILURE',
  'ERR_UNREADABLE_REPLY',
  'ERR_REQUEST_REFUSED',
]

interface Watching extends Doing, Pick<Learned, 'serialNumber'> {
  /** Those that say that it has ended. */
  readonly stages: readonly StageName[]
}

/** Asks status, and for the order, until the outcome is final. @returns The order's id, once status says it. */
async function untilFinal(wish: Wish, watching: Watching): Promise<string | undefined> {
  const { orderId, serialNumber, tools, stages } = watching
  const { client, chance, clock, run, sky } = tools
  // Some do not wait, and are refused what comes next.
  if (chance.of(sky.trouble / 2)) return orderId
  const { clientOrderId } = wish
  const ids = {
    clientOrderId,
    ...(orderId === undefined ? {} : { orderId }),
    ...(serialNumber === undefined ? {} : { byRequestSn: serialNumber }),
  }
  const begunAt = clock.now()
  for (;;) {
    if (clock.now() - begunAt > stuckAfter) throw new LostError(`${wish.key} does not end.`)
    if (chance.of(0.3)) await look(clientOrderId, { orderId, tools })
    const reply = await run(() => client.status(ids)).catch(onlyTrouble)
    const stage = reply === undefined ? undefined : stageOf(reply, defaultProfile)
    const isFinal = reply !== undefined && finalOutcome(reply.status, defaultProfile) !== undefined
    if (isFinal && stage !== undefined && stages.includes(stage)) return reply.orderId
    await rest(tools, chance.between(1, 20) * second)
  }
}

/** Totals are never a guess: they are what the books had at the beginning of the question, or at its end. */
async function look(clientOrderId: string, { orderId, tools }: Doing): Promise<void> {
  const { client, books, run } = tools
  const before = books.totals(clientOrderId)
  const ids = { clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
  const view = await run(() => client.order(ids)).catch(onlyTrouble)
  const after = books.totals(clientOrderId)
  if (view?.totals === undefined || before === undefined || after === undefined) return
  // What lags is shown as under way.
  if (view.stages.some(({ outcome }) => outcome === undefined)) return
  if (after.stages - before.stages > 1) return
  const { captured, returned } = view.totals
  const isTrue = [before, after].some(each => each.captured === Number(captured) && each.returned === Number(returned))
  if (isTrue) return
  const had = `${after.captured} and ${after.returned}`
  books.lie(`${clientOrderId}: totals say ${captured} captured and ${returned} returned; the books have ${had}`)
}
