/** Sends a request, as the client does: no byte of it leaves after its time, and once that is over its caller waits no longer. */
import type { AttemptEnd } from '@tillkit/protocol'
import type { KnownAttempt } from '../../../../packages/till/src/state/known.js'
import { addressOf } from '../gateway/books.js'
import { callsBack } from '../gateway/callbacks.js'
import { wrongRequest } from '../judge/moments.js'
import type { Life } from '../life.js'
import { kill, type Living } from './driver.js'

/** How long after its caller has given up a request may still arrive, in milliseconds: the till counts on 15 minutes. */
const latest = 850_000

export function sends(life: Life, living: Living, attempt: KnownAttempt, startBy: number): void {
  const { id, time, process } = living
  const { reservation, operation } = attempt
  const fault = life.fault('request')
  const hear = (end: AttemptEnd): void => living.hear({ kind: 'sent', end })
  if (fault?.what === 'dies') {
    kill(life, process)
    return
  }
  const { latest: at } = time.now()
  const within = startBy - at
  if (within <= 0) {
    living.later(0, () => hear({ kind: 'not-sent', at }))
    return
  }
  life.say?.(
    `${id} sends ${operation} ${reservation} for ${attempt.clientOrderId}${attempt.amount === undefined ? '' : ` over ${attempt.amount}`}`,
  )
  life.count(`requests: ${operation}`)
  const wrong = wrongRequest(life, living, attempt)
  if (wrong !== undefined) life.accuse(wrong)
  life.wire.add(reservation)
  const label = `${reservation} goes`
  const givesUp = (): void =>
    living.later(within, () => {
      const at = time.now().latest
      life.say?.(`${id} waits no longer for ${reservation}`)
      hear({ kind: 'unknown', connection: 'closed', at })
    })
  if (fault?.what === 'lost') {
    life.wire.delete(reservation)
    givesUp()
    return
  }
  if (fault?.what === 'late') {
    life.later(within + Math.floor(latest * fault.by ** 3), () => void arrives(life, attempt, false))
    givesUp()
    return
  }
  life.later(life.takes(label, 20, 400), () => {
    const end = arrives(life, attempt, fault?.what === 'refused')
    if (fault?.what === 'dies-after') return kill(life, process)
    if (fault?.what === 'unheard') return givesUp()
    const takes = fault?.what === 'slow' ? Math.floor(within * fault.by) : life.takes(`${label} back`, 20, 400)
    living.later(takes, () => hear({ ...end, at: time.now().latest }))
  })
}

/** A request arrives at the gateway. @param isRefused Whatever it is for. */
function arrives(life: Life, attempt: KnownAttempt, isRefused: boolean): AttemptEnd {
  const { books, plan, wire } = life
  const { reservation, effect } = attempt
  wire.delete(reservation)
  const fails = effect === 'changes' && life.dice(`${reservation} fails`) < 0.06
  const taken = isRefused ? ({ kind: 'refused' } as const) : books.take(attempt, fails)
  life.say?.(
    `${reservation} arrives: ${taken.kind === 'accepted' ? `${taken.stage.stage} of order ${taken.booked.orderId}${fails ? ', declined' : ''}` : 'refused'}`,
  )
  if (taken.kind === 'refused') return { kind: 'refused', connection: 'answered', at: 0 }
  const { booked, serialNumber, stage } = taken
  if (effect === 'changes') callsBack(life, booked, booked.order.stages.indexOf(stage))
  const number = effect === 'creates' || plan.manners.isNumbered ? { serialNumber } : {}
  const form = effect === 'creates' ? { redirectUrl: addressOf(booked) } : {}
  return { kind: 'accepted', orderId: booked.orderId, ...number, ...form, connection: 'answered', at: 0 }
}
