import type { ClientWithStore } from '@tillkit/client'
import {
  type ChangeStep,
  isChangeSent,
  type KnownOrder,
  nextChangeStep,
  type Payment,
  type PaymentDocument,
  type Person,
} from '@tillkit/protocol'
import type { AskedOrder } from '../../intents/ask.js'
import type { ChangeRefusal } from '../../intents/change.js'
import type { Account, Accounts } from '../accounts.js'
import type { Part } from '../afterwards.js'
import type { PaymentBook } from '../book.js'
import { codeOf, isUnanswered, TillError } from '../errors.js'
import type { RestoredMark } from '../restored.js'

/** What became of a change that was asked for. You are told of its outcome. */
export interface ChangeResult {
  /** `sent`: the gateway has it. `unknown`: it was not answered; the till finds out what became of it, and does not send it again. */
  readonly kind: 'sent' | 'unknown'
  /** Whether it was sent before, by an earlier call: nothing was sent now. */
  readonly again: boolean
  readonly payment: Payment
}

/** What changes need of the till. */
export interface ChangeContext {
  readonly accounts: Accounts
  readonly payments: PaymentBook
  ask(order: KnownOrder, account: Account, at: number): Promise<AskedOrder>
  /** Whether the store was restored from a backup. */
  readonly restored: Pick<RestoredMark, 'isSet'>
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
  /** Where it is to be sent once, even if it fails: reservations of requests that were there before. */
  readonly before?: readonly string[]
  /** What has to be so of the document at the very moment at which the request is reserved. Default: nothing more. */
  readonly onlyWhile?: (document: PaymentDocument) => boolean
}

/** Each round either ends, asks status once, or met somebody who was faster. */
const mostRounds = 5

/**
 * Captures, returns or voids. What was sent before is not sent again, unless it failed; of a return after parts the rest is sent.
 *
 * @throws {TillError} where the payment does not allow it, and what the client throws where the request was refused or not sent.
 */
export async function change(request: ChangeRequest, context: ChangeContext): Promise<ChangeResult> {
  const { reference } = request
  checkPart(request)
  const view = async () => context.payments.view(reference, await context.payments.read(reference))
  const restored = await context.restored.isSet()
  let wasAsked = false
  let faster: unknown
  let sentAs: string | undefined
  for (let round = 0; round < mostRounds; round += 1) {
    const read = await context.payments.read(reference)
    const { profile } = context.accounts.all[0]
    const usedUp = didNothing(faster) ? sentAs : undefined
    const step = nextChangeStep(read.document, request, { profile, at: read.at, wasAsked, restored, usedUp })
    switch (step.kind) {
      case 'again':
        return {
          kind: step.earlier.end?.kind === 'accepted' ? 'sent' : 'unknown',
          again: true,
          payment: context.payments.view(reference, read),
        }
      case 'ask': {
        const account = accountOf(step.order, context)
        wasAsked = true
        const asked = account === undefined ? 'answered' : await context.ask(step.order, account, read.at)
        // What the store may have lost is learnt by an answer only.
        if (restored && (asked === 'no-answer' || asked === 'not-known'))
          throw refusedChange({ kind: 'open' }, request, context.payments.view(reference, read))
        break
      }
      case 'send': {
        const account = accountOf(step.order, context)
        if (account === undefined) throw accountMissing(step.order, request)
        // The client would send no more than before: what it said then stands.
        if (codeOf(faster) === 'ERR_ALREADY_SENT' && step.attemptId === sentAs) throw faster
        sentAs = step.attemptId
        const sent = await send(step, request, account)
        if (sent.kind !== 'faster') return { ...sent, again: false, payment: await view() }
        faster = sent.error
        wasAsked = false
        break
      }
      default:
        throw refusedChange(step, request, context.payments.view(reference, read))
    }
  }
  throw faster ?? new Error(`Payment ${reference} changed ${mostRounds} times while a ${request.name} was asked for.`)
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

const accountOf = ({ login }: KnownOrder, { accounts }: ChangeContext): Account | undefined => accounts.ofLogin(login)

/** Whether an id was refused although the request that had it did nothing: it said something else, or another control key was in use. */
const didNothing = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === 'ERR_ALREADY_SENT' && Reflect.get(error, 'moneyMayHaveMoved') === false

type Sent =
  | { readonly kind: 'sent' | 'unknown' }
  /** The store refused it: somebody else wrote meanwhile. */
  | { readonly kind: 'faster'; readonly error: unknown }

/** Sends a change. @throws What the client throws where the request was refused or not sent. */
async function send(
  { order, amount, attemptId }: Extract<ChangeStep, { readonly kind: 'send' }>,
  request: ChangeRequest,
  { client }: Account,
): Promise<Sent> {
  const { name, person } = request
  let isSent = false
  const onlyWhile = (document: PaymentDocument): boolean => {
    isSent = isChangeSent(document, order, request)
    return !isSent && request.onlyWhile?.(document) !== false
  }
  const { clientOrderId = '', orderId = '' } = order
  const ids = { clientOrderId, orderId }
  // A part without a currency is refused by the client: never is the whole sent in its place.
  const currency = order.stages.find(each => each.currency !== undefined)?.currency ?? ''
  try {
    if (name === 'void' || amount === undefined || attemptId === undefined) {
      await client[name](ids, { person, onlyWhile })
    } else {
      const { [name]: method }: Pick<ClientWithStore, 'capture' | 'return'> = client
      await method({ ...ids, amount, currency }, { attemptId, person, onlyWhile })
    }
    return { kind: 'sent' }
  } catch (error) {
    if (isUnanswered(error)) return { kind: 'unknown' }
    if (isSent) return { kind: 'faster', error }
    const code = codeOf(error)
    if (code === 'ERR_ALREADY_SENT' || code === 'ERR_OPEN_CHANGE') return { kind: 'faster', error }
    throw error
  }
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
        'is not possible yet: it is not known how an earlier request ended. If status shows it, the till finds out; else a person decides. Then try again.',
      )
    case 'lost':
      return error(
        'ERR_NEEDS_PERSON',
        'is not possible: the store was restored from a backup, and status shows a change of this order that it lacks. A person must look which one that is.',
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
            ? `of all that is left is not possible: its totals are not certain, so that nobody knows how much that is. ${uncertain} Name a part.`
            : `is not possible: its totals are not certain. ${uncertain} Make this one at the gateway.`
        return error('ERR_NOT_POSSIBLE', what)
      }
      const why = step.why === 'nothing-there' ? 'there is nothing of it that this could be about' : `it is ${state}`
      return error('ERR_NOT_POSSIBLE', `is not possible, ${why}. ${possibleNow(payment)}`)
    }
  }
}

/** There is no account that could send it. */
export const accountMissing = ({ login }: Pick<KnownOrder, 'login'>, { name, reference }: ChangeRequest): TillError =>
  new TillError(
    'ERR_NOT_POSSIBLE',
    `Payment ${JSON.stringify(reference)}: ${name} is not possible: its order is of the account ${JSON.stringify(login)}, which this till does not have. Put that account back into "accounts". Nothing was sent.`,
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
