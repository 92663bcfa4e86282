/**
 * Compares every word that was said with the books of the fake gateway.
 *
 * @module
 */
import { type KnownAttempt, readDocument, type Store } from '@tillkit/protocol'
import { type FakeGateway, faultTable } from '@tillkit/testing'
import { keyOf, type Movement, type Payment, type Wish, wishesOf } from './movements.js'
import { type NumberedCall, noteField } from './network.js'

/** What was said of a call, or of an attempt that a call had made before. */
export type Word =
  /** By the call itself. */
  | 'accepted'
  | 'refused'
  | 'not-sent'
  | 'not-reserved'
  | 'unknown'
  /** Later, of its attempt. */
  | 'known'
  | 'happened'
  | 'no-trace'

interface Said {
  readonly wish: Wish
  readonly word: Word
  /** Undefined: it is not known which call made the attempt. */
  readonly call: NumberedCall | undefined
  readonly at: number
}

/** The books of one world. */
export interface Books {
  /** Numbers a call. */
  begin(): NumberedCall
  /** Remembers whose attempt a reservation is. */
  reserved(call: NumberedCall, reservation: string | undefined): void
  said(word: Word, wish: Wish, about: NumberedCall | string | undefined): void
  /** Whether the attempt of a reservation came to the gateway and was carried out: what a person sees who looks it up. */
  sees(reservation: string | undefined): boolean
  /** What an order comes to, or undefined where the gateway does not know it. */
  totals(clientOrderId: string): Totals | undefined
  /** Something that was said and is false whatever comes. */
  lie(text: string): void
  /** Every word that was said: which, of what, when. */
  told(): readonly { readonly word: Word; readonly key: string; readonly at: number }[]
  /** What is false, or was done twice, so far. */
  audit(): readonly string[]
  /** What is missing or different once every payment has come to its end. */
  auditEnd(store: Store): Promise<readonly string[]>
}

/** Major units. */
export interface Totals {
  readonly captured: number
  readonly returned: number
  /** How many stages it has. */
  readonly stages: number
}

interface Arrival {
  readonly key: string
  readonly number: number
  readonly at: number
  readonly isCarriedOut: boolean
}

/** Opens the books of a list of payments. */
export function openBooks(gateway: FakeGateway, payments: readonly Payment[]): Books {
  const calls: NumberedCall[] = []
  const callOf = new Map<string, NumberedCall>()
  const words: Said[] = []
  const lies: string[] = []
  const wanted = new Set(payments.flatMap(wishesOf).map(({ key }) => key))

  /** Requests that came to what moves money: a fault may have kept others away from it. */
  const arrivals = (): readonly Arrival[] =>
    gateway.calls().flatMap(({ operation, fields, verdict, fault, at }) => {
      const field = (name: string) => fields.find(([each]) => each === name)?.[1]
      const clientOrderId = field('client_orderid')
      const moves = operation !== undefined && operation !== 'status' && clientOrderId !== undefined
      if (!moves || (fault !== undefined && faultTable[fault].effect === 'nothing')) return []
      const [part, number] = field(noteField)?.split('#') ?? []
      const key = keyOf(operation, clientOrderId, part)
      return [{ key, number: Number(number), at, isCarriedOut: verdict === 'accepted' }]
    })
  const ordersOf = (clientOrderId: string) => gateway.orders.list().filter(each => each.clientOrderId === clientOrderId)

  function wrong({ wish: { key, movement }, word, call, at }: Said, arrived: readonly Arrival[]): string | undefined {
    const own = arrived.filter(each => each.number === call?.number)
    // Of what creates an order, the order says that it is there, whichever call made it.
    const isThere = [...own, ...(movement.part === undefined ? arrived.filter(each => each.key === key) : [])].some(
      each => each.isCarriedOut && each.at <= at,
    )
    switch (word) {
      case 'accepted':
        return own.some(each => each.isCarriedOut && each.at <= at) ? undefined : 'it was not carried out'
      case 'not-sent':
      case 'not-reserved':
        return call?.hasStarted === true || own.length > 0 ? 'it was sent' : undefined
      case 'refused':
      case 'no-trace':
        return own.some(each => each.isCarriedOut) ? 'it was carried out' : undefined
      case 'known':
      case 'happened':
        return isThere ? undefined : 'it was not carried out'
      case 'unknown':
        return call?.hasStarted === true ? undefined : 'it was never sent'
    }
  }

  return {
    begin() {
      const call = { number: calls.length + 1, hasStarted: false }
      calls.push(call)
      return call
    },
    reserved(call, reservation = '') {
      callOf.set(reservation, call)
    },
    said(word, wish, about) {
      words.push({ wish, word, call: typeof about === 'string' ? callOf.get(about) : about, at: gateway.clock.now() })
    },
    sees(reservation = '') {
      const number = callOf.get(reservation)?.number
      return arrivals().some(each => each.number === number && each.isCarriedOut)
    },
    totals(clientOrderId) {
      const stages = ordersOf(clientOrderId).flatMap(each => each.stages)
      if (stages.length === 0) return undefined
      const sum = (...names: readonly string[]) =>
        stages
          .filter(({ stage, status }) => names.includes(stage) && status === 'approved')
          .reduce((total, { amount }) => total + Number(amount), 0)
      return { captured: sum('sale', 'capture'), returned: sum('reversal'), stages: stages.length }
    },
    lie: text => void lies.push(text),
    told: () => words.map(({ word, wish: { key }, at }) => ({ word, key, at })),
    audit() {
      const arrived = arrivals()
      const twice = [...new Set(arrived.map(({ key }) => key))].flatMap(key => {
        if (!wanted.has(key)) return [`nobody asked for ${key}`]
        const all = arrived.filter(each => each.key === key)
        const first = all.findIndex(each => each.isCarriedOut)
        const again = first < 0 ? 0 : all.length - first - 1
        return again > 0 ? [`${key} was sent again after it was carried out, ${again} times`] : []
      })
      const falsely = words.flatMap(said => {
        const why = wrong(said, arrived)
        const { word, wish, call, at } = said
        return why === undefined ? [] : [`"${word}" was said of ${wish.key} (call ${call?.number}, at ${at}): ${why}`]
      })
      return [...lies, ...twice, ...falsely]
    },
    async auditEnd(store) {
      const found: string[] = []
      for (const payment of payments) {
        const { reference } = payment
        const { stored } = await store.read(`payment/test/worlds/${reference}`)
        const document = stored === undefined ? undefined : readDocument(stored)
        for (const clientOrderId of new Set(wishesOf(payment).map(each => each.clientOrderId))) {
          const asked = wishesOf(payment)
            .filter(each => each.clientOrderId === clientOrderId)
            .map(each => each.movement)
          const known = document?.orders.filter(each => each.clientOrderId === clientOrderId) ?? []
          const attempts = known.flatMap(each => each.attempts)
          found.push(...compareOrder(clientOrderId, { asked, orders: ordersOf(clientOrderId), attempts }))
          const last = asked.at(-1)
          const same = known.flatMap(each => each.stages).filter(({ stage }) => stage === last?.stage)
          // Of one that was seen under its serial number, only an answer under that number says how it ended. It may be lost.
          const isSeen = same.some(
            ({ outcome, serialNumber }) =>
              outcome === last?.outcome || (outcome === undefined && serialNumber !== undefined),
          )
          if (!isSeen && last?.part === undefined) found.push(`the store has no ${last?.stage} of ${clientOrderId}`)
        }
      }
      return found
    },
  }
}

interface Compared {
  readonly asked: readonly Movement[]
  readonly orders: ReturnType<FakeGateway['orders']['list']>
  readonly attempts: readonly KnownAttempt[]
}

/** What was asked for, what the gateway did, and what the store has of one order. */
function compareOrder(clientOrderId: string, { asked, orders, attempts }: Compared): readonly string[] {
  const found: string[] = []
  const made = orders.flatMap(each => each.stages.map(({ stage, status }) => `${stage} ${status}`))
  const meant = asked.map(({ stage, outcome }) => `${stage} ${outcome}`)
  if (made.join() !== meant.join() || orders.length !== 1)
    found.push(`${clientOrderId} is ${orders.length} orders with ${made.join()} in place of ${meant.join()}`)
  const open = attempts.filter(({ end }) => end === undefined || end.kind === 'unknown')
  if (open.length > 0) found.push(`${clientOrderId} has ${open.length} open attempts in the store`)
  const taken = attempts.filter(({ end }) => end?.kind === 'accepted').map(each => `${each.operation} ${each.amount}`)
  const wished = asked.map(each => `${each.operation} ${each.amount}`)
  if (taken.join() !== wished.join())
    found.push(`${clientOrderId} was accepted as ${taken.join()} by the store, in place of ${wished.join()}`)
  return found
}
