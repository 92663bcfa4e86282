import type { WarningEvent } from '@tillkit/express-middleware/core'
import type { OutcomeContext } from '../../engine/handler.js'
import type { GiveBackStep } from '../../rules/delivery/give-back.js'
import type { ReceivedOutcome } from '../../rules/delivery/outcome.js'
import type { WarningCode } from '../../said/warnings.js'
import type { WantedChange, Wish } from '../../state/known.js'
import type { Afterwards, Part } from '../afterwards.js'
import type { PaymentBook } from '../book.js'
import type { CarryOut } from '../deliveries.js'
import { codeOf } from '../errors.js'
import { checkPart } from './changes.js'

/**
 * Says what the till wants done about an order that it tells of: the money of a surplus order is given back. A payout cannot be.
 *
 * @returns undefined where nothing is to be done.
 */
export function surplusWish(outcome: ReceivedOutcome): WantedChange | undefined {
  if (outcome.kind !== 'surplus') return undefined
  const { moneyMoved } = outcome
  if (moneyMoved === 'held') return { name: 'void', because: 'surplus' }
  return moneyMoved === 'captured' ? { name: 'return', because: 'surplus' } : undefined
}

/** Collects what handlers want. */
export function createWishList<Transaction>() {
  const wantedIn = new WeakMap<object, readonly WantedChange[]>()
  return {
    /** Runs a handler. @param own What the till wants itself. @throws What the handler throws: then nothing is wanted. */
    async collect(
      { signal }: Pick<OutcomeContext, 'signal'>,
      handler: (afterwards: Afterwards) => void | Promise<void>,
      own: readonly WantedChange[] = [],
    ): Promise<void> {
      const wanted: WantedChange[] = []
      let isOver = false
      const want = (name: WantedChange['name'], part?: Part): void => {
        checkPart({ name, part })
        if (isOver) throw new Error(`afterwards.${name}() was called after the handler had ended. Nothing is sent.`)
        wanted.push(part === undefined ? { name } : { name, part: { amount: part.amount, key: part.key } })
      }
      try {
        await handler({
          capture: part => want('capture', part),
          return: part => want('return', part),
          void: () => want('void'),
        })
      } finally {
        isOver = true
      }
      // Each telling has a signal of its own.
      wantedIn.set(signal, [...wanted, ...own])
    },
    wantedOf: ({ signal }: OutcomeContext<Transaction>): readonly WantedChange[] => wantedIn.get(signal) ?? [],
  }
}

/** The parts of the till that it takes to carry out wishes. */
export interface WishContext {
  readonly payments: Pick<PaymentBook, 'keyOf'>
  /** Carries out all that is written of a payment. */
  readonly followUp: (reference: string) => Promise<'done' | 'open'>
}

type WarnOfWish = (code: WarningCode, event: WarningEvent) => void

/** The result of a wish. `gone`: it cannot be carried out any more, for a reason that is said where somebody has to know it. */
export type Carried =
  | { readonly kind: 'done' }
  | { readonly kind: 'later'; readonly reason: string; readonly explanation: string }
  | { readonly kind: 'gone'; readonly reason: string; readonly explanation: string }

/** Makes what carries out what handlers wanted. */
export function createCarrying({ payments, followUp }: WishContext) {
  const underWay = new Set<Promise<unknown>>()

  return {
    /** Carries out what is written of a payment. It throws where the store fails: what is left is done the next time. */
    async carryOut({ key, reference }: Parameters<CarryOut>[0]): ReturnType<CarryOut> {
      if (payments.keyOf(reference) !== key) return 'foreign'
      const carrying = followUp(reference)
      const over = () => underWay.delete(carrying)
      underWay.add(carrying)
      carrying.then(over, over)
      return carrying
    },
    /** Resolves once nothing of it is under way here. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled([...underWay])
    },
  }
}

/** Says to people what was not carried out, and why. */
export function warnOfWish(wish: Wish, carried: Carried, warn: WarnOfWish): void {
  if (carried.kind === 'done') return
  const { kind, reason, explanation } = carried
  const code = kind === 'gone' ? 'WARN_WISH_GONE' : 'WARN_WISH_POSTPONED'
  warn(code, { reason, explanation: `${nameOf(wish)}. ${explanation}` })
}

/** Says what follows for a surplus order that is not given back now. */
export function surplusCarried(step: Exclude<GiveBackStep, 'give-back'>): Carried {
  switch (step) {
    case 'wait':
      return later('surplus', 'It is not known whether the other order keeps its money.')
    case 'given':
      return done
    case 'kept':
      return gone('surplus-kept', 'The other order was given back meanwhile, so this one is kept.')
    case 'person':
      return gone(
        'surplus-person',
        'One of the orders is disputed, or it is not certain how much of its money went back. Look at the gateway. If this order is ' +
          'still to go back, decide so again, ten minutes or more after the till has seen that return.',
      )
  }
}

const nameOf = ({ name, part, clientOrderId }: Wish): string =>
  `${name}${part === undefined ? '' : ` of ${part.amount} (key ${JSON.stringify(part.key)})`} of order ${JSON.stringify(clientOrderId)}`

/** Errors after which asking again would change nothing. After any other one nothing was sent, and it is tried again. */
const lasting: ReadonlySet<unknown> = new Set([
  'ERR_NOT_POSSIBLE',
  'ERR_OTHER_AMOUNT',
  'ERR_ALREADY_SENT',
  'ERR_REQUEST_REFUSED',
  'ERR_INVALID_REQUEST',
])

export const done: Carried = { kind: 'done' }
const later = (reason: string, explanation: string): Carried => ({ kind: 'later', reason, explanation })
const gone = (reason: string, explanation: string): Carried => ({ kind: 'gone', reason, explanation })

/** Says what follows from the error of a change. */
export function carriedBy(error: unknown): Carried {
  const code = String(codeOf(error) ?? 'failed')
  return error instanceof Error && lasting.has(code)
    ? gone(code, error.message)
    : later(code, error instanceof Error ? error.message : '')
}

/** Once the account is there again it is sent. */
export const accountGone = (login: string): Carried =>
  later('no-account', `This till has no account ${JSON.stringify(login)}. Put it back into "accounts".`)

/** Once its request is known to have done nothing it is sent again. */
export const unanswered = later('unknown', 'Its request was not answered.')

/** Once status shows that an earlier request, which was refused, has done nothing it is sent again. */
export const unasked = later('no-answer', 'An earlier request was refused, and status does not answer now.')
