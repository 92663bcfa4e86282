import type { Payment } from '@tillkit/till'
import type { Ending } from '../command-line/exit-codes.js'

/** How the request ended, as far as it is known. */
export interface Moved {
  /** `checking`, `checked`: it is about the recipient of a payout, and no money was sent. */
  readonly kind: 'sent' | 'checking' | 'checked' | 'declined' | 'processing' | 'unknown'
  /** It was sent before, and nothing was sent now. */
  readonly again: boolean
  readonly payment: Payment
  readonly reason?: string
}

/** A change that was asked for. */
interface Change {
  readonly name: string
  /** The merchant's key, where it is a part. */
  readonly key: string | undefined
  /** The reference of the payment, or the id of one of its orders. */
  readonly of: string
}

/** How a payout ended. */
export function payoutEnd({ state, timeline }: Payment, isChecked: boolean): Moved['kind'] {
  const wasExecuted = timeline.some(each => each.kind === 'requested' && each.operation === 'payoutPay')
  if (isChecked && !wasExecuted && (state === 'verified' || state === 'open'))
    return state === 'open' ? 'checking' : 'checked'
  return state === 'sent' || state === 'declined' || state === 'unknown' ? state : 'processing'
}

/** Why the gateway declined a payout, in its words. */
export const whyDeclined = ({ orders }: Payment): string => wordsOf(orders.at(-1)?.reason ?? {})

const wordsOf = ({ code, message }: { readonly code?: string | undefined; readonly message?: string | undefined }) =>
  [message, code === undefined ? undefined : `code ${code}`].filter(each => each !== undefined).join(', ')

type Timeline = Payment['timeline']
type Requested = Extract<Timeline[number], { readonly kind: 'requested' }>
type Said = Extract<Timeline[number], { readonly kind: 'status' | 'settled' }>

/** How a change ended: by what the gateway said of the stage that its last request began, or what a person settled of it. */
export function endOf({ name, key, of }: Change, { reference, timeline }: Payment): Pick<Moved, 'kind' | 'reason'> {
  // The payment's own reference is the id of its first order as well, and means whichever order has the money.
  const isOfOrder = ({ clientOrderId }: Requested): boolean => of === reference || clientOrderId === of
  const sent = timeline.findLast(
    (each): each is Requested =>
      each.kind === 'requested' && each.operation === name && each.key === key && isOfOrder(each),
  )
  const last = sent === undefined ? undefined : lastOf(sent, timeline)
  if (last?.outcome === undefined) return { kind: 'processing' }
  const isOfIt = (each: Timeline[number]) => 'nth' in each && each.order === last.order && each.nth === last.nth
  const since = timeline.slice(timeline.indexOf(last)).filter(isOfIt)
  const corrections = since.flatMap(each => (each.kind === 'corrected' ? [each] : []))
  // A person must look where it is over other money, or where the gateway contradicted itself but by approving it at last.
  if (since.some(({ kind }) => kind === 'restated')) return { kind: 'processing' }
  if (corrections.length > 0) {
    const isFirst = corrections.findIndex(({ to }) => to === 'approved') === corrections.length - 1
    const areAllKept = corrections.at(-1)?.correction === corrections.length
    return { kind: last.outcome !== 'approved' && isFirst && areAllKept ? 'sent' : 'processing' }
  }
  if (last.outcome === 'approved') return { kind: 'sent' }
  const said = timeline.findLast(each => each.kind === 'status' && isOfIt(each))
  const { errorCode: code, errorMessage: message } = said?.kind === 'status' ? said : {}
  return { kind: 'declined', reason: wordsOf({ code, message }) }
}

/** Stages that a change begins. */
const stagesOf: { readonly [name: string]: readonly string[] } = {
  capture: ['capture'],
  return: ['reversal', 'cancel'],
  void: ['void', 'cancel', 'reversal'],
}

/** The last that was said of the stage of a request: that with the id which the gateway gave it, or the only one that can be its. */
function lastOf(sent: Requested, timeline: Timeline): Said | undefined {
  const said = timeline.flatMap(each =>
    (each.kind === 'status' || each.kind === 'settled') && each.order === sent.order ? [each] : [],
  )
  const id = idOf(sent, timeline)
  if (id !== undefined) return said.findLast(each => each.serialNumber === id)
  // The answer was lost, and with it the id: status showed that it arrived.
  const others = timeline.flatMap(each => (each.kind === 'requested' && each.request !== sent.request ? [each] : []))
  const isRival = (each: Requested) => each.operation === sent.operation && idOf(each, timeline) === undefined
  if (endedAs(sent, timeline) !== 'accepted' || others.some(each => isRival(each) && mayBeThere(each, timeline)))
    return undefined
  const ids = others.flatMap(each => idOf(each, timeline) ?? [])
  const own = said.filter(
    each =>
      stagesOf[sent.operation]?.includes(each.stage) === true &&
      timeline.indexOf(each) > timeline.indexOf(sent) &&
      (sent.amount === undefined || each.amount === sent.amount) &&
      !ids.some(other => other === each.serialNumber),
  )
  return own.every(({ nth }) => nth === own[0]?.nth) ? own.at(-1) : undefined
}

const answersTo = ({ request }: Requested, timeline: Timeline) =>
  timeline.flatMap(each => (each.kind === 'answered' && each.request === request ? [each] : []))

/** The gateway's id of a request. */
const idOf = (sent: Requested, timeline: Timeline): string | undefined =>
  answersTo(sent, timeline).findLast(({ serialNumber }) => serialNumber !== undefined)?.serialNumber

const endedAs = (sent: Requested, timeline: Timeline) => answersTo(sent, timeline).at(-1)?.ended

const mayBeThere = (sent: Requested, timeline: Timeline): boolean =>
  [undefined, 'accepted', 'unknown'].includes(endedAs(sent, timeline))

/** How a command ends that moved money. */
export const endings: Readonly<Record<Moved['kind'], Ending>> = {
  sent: 'done',
  checking: 'processing',
  checked: 'checked',
  declined: 'failed',
  processing: 'processing',
  unknown: 'unknown',
}

/** Says what became of it, for people. @param whatShows The command that shows the payment, and its verb. */
export function sentenceOf(name: string, { kind, again, payment, reason = '' }: Moved, whatShows: string): string {
  const { reference, state } = payment
  const shows = `${whatShows} how it goes on.`
  const before = again ? `That ${name} was sent before, and nothing was sent now.${toWhom(payment)} ` : ''
  switch (kind) {
    case 'sent':
      return `${before}It is over: ${name === 'return' ? returnInWords(payment, whatShows) : `payment ${reference} is ${state} now.`}`
    case 'checking':
      return 'The gateway checks the recipient. No money was sent; the same command goes on.'
    case 'checked':
      return 'The recipient is right, and nothing was sent yet. The same command sends the money.'
    case 'declined':
      return (
        `${before}The gateway declined it${reason === '' ? '' : `: ${reason.replace(/\.$/, '')}`}. ` +
        `Payment ${reference} is ${state}. ${whatShows} what happened.`
      )
    case 'processing':
      return again ? `${before}${shows}` : `The gateway has taken it, and is at work. ${shows}`
    case 'unknown':
      return (
        `${before}The gateway did not answer, and money may have moved. ` +
        `The till finds out: a process of the shop asks status. Send nothing by other means. ${shows}`
      )
  }
}

/** Nothing, in as many digits as an amount. */
const zero = (amount: string): string => amount.replace(/\d/g, '0')

/** Who got the money of a payout: the store keeps the ends of the number, and two numbers may share them. */
function toWhom({ timeline }: Payment): string {
  const recipient = timeline.flatMap(each => (each.kind === 'requested' ? (each.recipient ?? []) : [])).at(-1)
  return recipient === undefined ? '' : ` The recipient is the one that was given the first time (${recipient}).`
}

/** How much went back and what is left, where that is certain. */
function returnInWords({ reference, totals }: Payment, whatShows: string): string {
  if (totals === undefined)
    return `the money went back. How much is left of payment ${reference} is not certain: ${whatShows} why.`
  const { returned, returnable, held, captured, currency } = totals
  if (captured === zero(captured))
    return `that much of the hold is released. Payment ${reference}: ${held} ${currency} held.`
  return `the money went back. Payment ${reference}: ${returned} ${currency} returned so far, ${returnable} ${currency} left to return.`
}
