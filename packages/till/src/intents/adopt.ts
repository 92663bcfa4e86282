import { echoesIds, type WireProfile } from '@tillkit/protocol'
import { type Answer, isSameQuestion, questionTo } from '../rules/answer.js'
import {
  type AdoptedOrder,
  type AdoptionVerdict,
  adoptOrder,
  type RefusedAdoption,
  refused,
  skippedBy,
} from '../rules/people/adopt.js'
import type { PaymentDocument } from '../state/document.js'
import { type Asking, askedAt, type LostOrdersPlan } from './find-lost.js'
import type { Next, Scene } from './next.js'

/** An order that was made elsewhere, and that a person takes up. */
export interface AdoptPlan {
  readonly order: Omit<AdoptedOrder, 'replies' | 'login' | 'baseUrl'>
  /** The gateway's id of the order, where the person knows it. */
  readonly orderId: string | undefined
  /** Serial numbers of its requests, oldest first. */
  readonly serialNumbers: readonly string[]
  /** The account that it was made with. @throws {TypeError} where that is not known. */
  readonly accountOf: (payment: PaymentDocument | undefined) => AdoptingAccount
  /** Every account may have an earlier order of the payment. */
  readonly lost: Pick<LostOrdersPlan, 'accounts' | 'madeUp'>
  /** The answers that another run has heard. Absent: status is asked. */
  readonly answers?: readonly Answer[]
  /** The order is taken up. Otherwise status is asked, and nothing more. */
  readonly isTakenUp: boolean
}

/** An account, as adopting needs it. */
export interface AdoptingAccount {
  readonly login: string
  readonly baseUrl: string
  readonly profile: WireProfile
}

/** The end of adopting. `answered`: status has said all that is needed. */
export type Adopted =
  | { readonly kind: 'answered'; readonly answers: readonly Answer[] }
  | (AdoptionVerdict & { readonly account: AdoptingAccount; readonly orderId: string | undefined })

/** Takes an order up that was made elsewhere: status is asked by every id that is known, and what it says is what is kept. */
export const adopt =
  (plan: AdoptPlan): Next<Adopted> =>
  scene => {
    const { payment, heard, at } = scene
    const account = plan.accountOf(payment)
    const { answers = heard.answers } = plan
    const { clientOrderId } = plan.order
    // By each serial number, and at last about the latest request.
    const questions = [...plan.serialNumbers, undefined].map(bySerialNumber =>
      questionTo({}, { login: account.login, clientOrderId, orderId: plan.orderId, bySerialNumber }),
    )
    const end = (verdict: AdoptionVerdict, orderId?: string) => {
      const after = verdict.kind === 'refused' ? undefined : verdict.document
      return { kind: 'end', result: { ...verdict, account, orderId }, payment: after } as const
    }
    const replies = []
    for (const question of questions) {
      const answer = answers.find(each => isSameQuestion(each.question, question))
      if (answer === undefined) return { kind: 'ask', question }
      if (answer.kind !== 'reply') return end(refusedBy(answer))
      if (!echoesIds(answer.reply, question))
        return end(refused('unknown-at-gateway', 'The status reply was about another order.'))
      const { reply, askedAt } = answer
      replies.push({ reply, age: at.earliest - askedAt, bySerialNumber: question.bySerialNumber })
    }
    if (!plan.isTakenUp) return { kind: 'end', result: { kind: 'answered', answers } }
    const { login, baseUrl, profile } = account
    const verdict = adoptOrder(payment, { ...plan.order, login, baseUrl, replies }, { profile, at: at.earliest })
    const inTheWay = verdict.kind === 'adopted' ? earlierOrder(plan, scene) : undefined
    if (inTheWay !== undefined) return inTheWay.kind === 'ask' ? inTheWay : end(inTheWay)
    return end(verdict, replies.at(-1)?.reply.orderId)
  }

/** Status is asked about no more earlier orders than these: no payment has many. */
const mostSkipped = 20

/**
 * Looks for an earlier order of the payment that the payment lacks: it may be paid as well. One that no account has ever seen was never
 * made.
 *
 * @returns Undefined where there is none.
 */
function earlierOrder({ order, lost }: AdoptPlan, scene: Scene): Asking | RefusedAdoption | undefined {
  const skipped = skippedBy(scene.payment, order)
  if (skipped.length > mostSkipped)
    return refused(
      'skipped',
      `The payment lacks ${skipped.length} orders that come before this one: adopt them first, or correct its id.`,
    )
  for (const clientOrderId of skipped) {
    for (const { login } of lost.accounts) {
      const found = askedAt({ clientOrderId, login }, { plan: lost, scene })
      if (found.kind === 'step') return found.step
      if (found.kind === 'there')
        return refused('skipped', `The gateway has ${clientOrderId} as well, which comes before it: adopt that first.`)
      if (found.kind === 'no-answer')
        return refused('no-answer', `Status does not say whether there is ${clientOrderId}, which comes before it.`)
    }
  }
  return undefined
}

const refusedBy = ({ kind, cause }: Exclude<Answer, { readonly kind: 'reply' }>): AdoptionVerdict =>
  refused(
    kind === 'no-answer' ? 'no-answer' : 'unknown-at-gateway',
    cause instanceof Error ? cause.message : 'Status did not answer.',
  )
