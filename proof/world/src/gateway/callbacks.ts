/** The gateway calls back until it is answered with 200: soon, then ever later, for three days. */
import type { HeardCallback } from '../../../../packages/till/src/rules/orders/callback-shown.js'
import { type Life, processUp } from '../life.js'
import { unmatchedCame } from '../people/unmatched.js'
import { looksAfter } from '../till/background.js'
import type { Booked } from './books.js'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** The pauses between two callbacks about one word, in milliseconds. */
const pauses = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, day, day, day, day, day]

/** How long the gateway waits for an answer, in milliseconds. */
const patience = 4_500

/** Calls back about a stage of an order. @param place The stage's place. */
export function callsBack(life: Life, booked: Booked, place: number): void {
  const fault = life.fault('callback')
  const said = life.books.callback(booked, place)
  if (said === undefined) return
  const label = `callback ${booked.orderId} ${place} ${said.signed.status} ${booked.past.length}`
  const soon = life.takes(label, 50, 3_000)
  const sendsIn = (delay: number, what: Partial<Sent> = {}): void => {
    life.calling += 1
    life.later(delay, () => sends(life, { said, label, nth: 0, ...what }))
  }
  switch (fault?.what) {
    case 'lost':
      sendsIn(soon, { nth: 1, isLost: true })
      return
    case 'late':
      sendsIn(Math.floor(fault.by * hour))
      return
    case 'early':
      life.lags.push({ since: life.now() - 1, until: life.now() + 500 + Math.floor(fault.by ** 2 * 10 * minute) })
      sendsIn(0)
      return
    case 'twice':
      sendsIn(soon + 1, { label: `${label} again` })
      break
    case 'stray':
      sendsIn(soon + 1, {
        said: { ...said, signed: { ...said.signed, orderId: '9999' } },
        label: `${label} astray`,
        nth: pauses.length,
      })
      break
    default:
  }
  sendsIn(soon)
}

interface Sent {
  readonly said: HeardCallback
  readonly label: string
  /** How often it was sent before. */
  readonly nth: number
  /** Whether it does not arrive. */
  readonly isLost?: boolean
}

function sends(life: Life, { said, label, nth, isLost = false }: Sent): void {
  const pause = pauses[nth]
  let isAnswered = false
  const again = (): void => {
    if (isAnswered) return
    isAnswered = true
    if (pause === undefined) life.calling -= 1
    else life.later(pause, () => sends(life, { said, label, nth: nth + 1 }))
  }
  const process = isLost ? undefined : processUp(life, life.takes(`${label} ${nth}`, 0, life.processes.length))
  if (process === undefined) {
    again()
    return
  }
  const { orderId, clientOrderId, status } = said.signed
  life.count('callbacks')
  life.say?.(`a callback says that order ${orderId} (${clientOrderId}) is ${status}`)
  life.later(patience, again)
  looksAfter(life, process, {
    clientOrderId,
    orderId,
    callbacks: [said],
    ended(answer) {
      if (answer === 503) return again()
      if (!isAnswered) life.calling -= 1
      isAnswered = true
      if (answer === 'no-order') unmatchedCame(life, said.signed)
    },
  })
}
