import { type Payment, partKeyIn } from '@tillkit/protocol'
import type { Ending } from '../command-line/exit-codes.js'

/** How the request ended, as far as it is known. */
export interface Moved {
  /** `checking`, `checked`: it is about the recipient of a payout, and no money was sent. */
  readonly kind: 'sent' | 'checking' | 'checked' | 'declined' | 'processing' | 'unknown'
  /** It was sent before, and nothing was sent now. */
  readonly again: boolean
  readonly payment: Payment
}

/** How a payout ended. */
export function payoutEnd({ state, timeline }: Payment, isChecked: boolean): Moved['kind'] {
  const wasExecuted = timeline.some(each => each.kind === 'request' && each.operation === 'payoutPay')
  if (isChecked && !wasExecuted && (state === 'verified' || state === 'open'))
    return state === 'open' ? 'checking' : 'checked'
  return state === 'sent' || state === 'declined' || state === 'unknown' ? state : 'processing'
}

/** How a change ended, by the stage with the id that the gateway gave to its last request. @param change `key`: of a part. */
export function endOf(
  { name, key }: { readonly name: string; readonly key: string | undefined },
  { timeline }: Payment,
): Moved['kind'] {
  const requests = timeline.flatMap(each => (each.kind === 'request' && each.operation === name ? [each] : []))
  const sent = requests.findLast(({ attemptId }) => partKeyIn(attemptId) === key)
  const isOfIt = (each: { readonly order: number; readonly request: number }) =>
    each.order === sent?.order && each.request === sent.request
  const id = timeline.flatMap(each => (each.kind === 'answer' && isOfIt(each) ? [each.serialNumber] : [])).at(-1)
  const stage = timeline.find(each => each.kind === 'status' && id !== undefined && each.serialNumber === id)
  if (stage?.kind !== 'status' || stage.outcome === undefined) return 'processing'
  const isCorrected = timeline.some(
    each => each.kind === 'corrected' && each.order === stage.order && each.nth === stage.nth,
  )
  if (isCorrected) return 'processing'
  return stage.outcome === 'approved' ? 'sent' : 'declined'
}

/** How a command ends that moved money. */
export const endings: Readonly<Record<Moved['kind'], Ending>> = {
  sent: 'done',
  checking: 'processing',
  checked: 'processing',
  declined: 'failed',
  processing: 'processing',
  unknown: 'unknown',
}

/** Says what became of it, for people. @param whatShows The command that shows the payment, and its verb. */
export function sentenceOf(name: string, { kind, again, payment }: Moved, whatShows: string): string {
  const { reference, state, totals } = payment
  const sums = totals === undefined ? '' : ` Returned so far: ${totals.returned}.`
  const shows = `${whatShows} how it goes on.`
  const before = again ? `That ${name} was sent before, and nothing was sent now. ` : ''
  switch (kind) {
    case 'sent':
      return `${before}It is over: payment ${reference} is ${state} now.${name === 'return' ? sums : ''}`
    case 'checking':
      return 'The gateway checks the recipient. No money was sent; the same command goes on.'
    case 'checked':
      return 'The recipient is right, and nothing was sent yet. The same command sends the money.'
    case 'declined':
      return `${before}The gateway declined it: payment ${reference} is ${state} now. ${shows}`
    case 'processing':
      return again ? `${before}${shows}` : `The gateway has taken it, and is at work. ${shows}`
    case 'unknown':
      return `${before}The gateway did not answer, and money may have moved. The till finds out: a process of the shop asks status. Send nothing by other means. ${shows}`
  }
}
