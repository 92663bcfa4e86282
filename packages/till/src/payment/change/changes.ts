import type { Person } from '@tillkit/protocol'
import type { ChangeRefusal } from '../../intents/change.js'
import type { Payment } from '../../rules/pay/payment.js'
import type { PaymentDocument } from '../../state/document.js'
import type { KnownOrder } from '../../state/known.js'
import type { Part } from '../afterwards.js'
import { TillError } from '../errors.js'

/** The result of asking for a change. You are told of its outcome. */
export interface ChangeResult {
  /** `sent`: the gateway has it. `unknown`: it was not answered; the till finds out what became of it, and does not send it again. */
  readonly kind: 'sent' | 'unknown'
  /** Whether it was sent before, by an earlier call: nothing was sent now. */
  readonly again: boolean
  readonly payment: Payment
}

/** Name of a change. */
export type ChangeName = 'capture' | 'return' | 'void'

/** A change that is asked for. */
export interface ChangeRequest {
  readonly reference: string
  readonly name: ChangeName
  readonly part: Part | undefined
  /** Who wants it, where a person does. */
  readonly person?: Person | undefined
  /** Default: the order that the payment is about now. */
  readonly clientOrderId?: string | undefined
  /** Given for a change that is to be sent once, even if it fails: reservations of requests that were there before. */
  readonly before?: readonly string[]
  /** The condition that the document has to meet at the very moment at which the request is reserved. Default: none. */
  readonly onlyWhile?: (document: PaymentDocument) => boolean
}

/** @throws {TypeError} for a part without an amount or a key, and for a part of a void. */
export function checkPart({ name, part }: Pick<ChangeRequest, 'name' | 'part'>): void {
  if (part === undefined) return
  if (name === 'void') throw new TypeError('A void is of the whole: leave "amount" out, or return a part of it.')
  const { amount, key } = part
  if (typeof amount === 'string' && typeof key === 'string' && key.trim() !== '' && key === key.trim()) return
  throw new TypeError(
    `A part needs "amount" and "key": till.${name}(reference, { amount: '3.00', key: 'parcel-2' }). The same key is sent once.`,
  )
}

/** Why a change is not sent. */
export function refusedChange(
  step: ChangeRefusal,
  { name, reference, part }: ChangeRequest,
  payment: Payment,
): TillError {
  const named = `Payment ${JSON.stringify(reference)}: ${name}`
  const error = (code: TillError['code'], message: string) =>
    new TillError(code, `${named} ${message} Nothing was sent.`, reference)
  switch (step.kind) {
    case 'open':
      return error(
        'ERR_CHANGE_OPEN',
        'is not possible yet: it is not known how an earlier request ended. ' +
          'If status shows it, the till finds out; else a person decides. Then try again.',
      )
    case 'lost':
      return error(
        'ERR_NEEDS_PERSON',
        'is not possible: the store was restored from a backup, and status shows a change of this order that it lacks. ' +
          'A person must look which one that is.',
      )
    case 'other-amount':
      return error(
        'ERR_OTHER_AMOUNT',
        `with key ${JSON.stringify(part?.key)} was sent before, over ${step.was}. Use a new key for another part.`,
      )
    case 'too-much':
      return error('ERR_NOT_POSSIBLE', `of ${part?.amount} is not possible: at most ${step.most} is left.`)
    default: {
      const { state, uncertain } = payment
      if (uncertain !== undefined && (state === 'paid' || state === 'held') && step.why !== 'nothing-there') {
        const what =
          step.why === 'only-a-part'
            ? 'of all that is left is not possible: its totals are not certain, so that nobody knows how much that is. ' +
              `${uncertain} Name a part.`
            : `is not possible: its totals are not certain. ${uncertain} ` +
              'Look at the gateway whether that is this one. If it is not, make it there.'
        return error('ERR_NOT_POSSIBLE', what)
      }
      if (payment.orders.length === 0)
        return error(
          'ERR_NOT_POSSIBLE',
          'is not possible: the store has no such payment. Look how the reference is spelled, and whether this is the store, and the ' +
            '"name" of the till, with which it was paid.',
        )
      const why = step.why === 'nothing-there' ? 'there is nothing of it that this could be about' : `it is ${state}`
      return error('ERR_NOT_POSSIBLE', `is not possible, ${why}. ${possibleNow(payment)}`)
    }
  }
}

/** There is no account that could send it. */
export const accountMissing = ({ login }: Pick<KnownOrder, 'login'>, { name, reference }: ChangeRequest): TillError =>
  new TillError(
    'ERR_NOT_POSSIBLE',
    `Payment ${JSON.stringify(reference)}: ${name} is not possible: ` +
      `its order is of the account ${JSON.stringify(login)}, which this till does not have. ` +
      'Put that account back into "accounts". Nothing was sent.',
    reference,
  )

function possibleNow({ allowed, needsPerson }: Payment): string {
  const possible = [
    ...(allowed.capture ? ['capture'] : []),
    ...(allowed.void ? ['void'] : []),
    ...(allowed.return === undefined ? [] : ['return']),
  ]
  const now = possible.length === 0 ? 'Nothing is possible now' : `Possible now: ${possible.join(', ')}`
  return needsPerson === undefined ? `${now}.` : `${now}. ${needsPerson}`
}
