/** A person decides about a payment where no machine can know. The till asks status first, and the gateway's word counts more. */
import type { StageName } from '@tillkit/protocol'
import type { Till, WantedDecision } from '@tillkit/till'
import type { OrderView } from './pages/order-view.js'

/** An answer that was given. */
export interface AnswerGiven {
  readonly till: Till
  /** Who gave it. */
  readonly who: string
  /** What was typed into a field of the form, or stood in a hidden one. */
  readonly typed: (name: string) => string
}

/** Takes an answer. @returns Why it was not taken, in words for the merchant; undefined where it was. */
export async function decide({ order }: OrderView, { till, who, typed }: AnswerGiven): Promise<string | undefined> {
  if (typed('why') === '') return 'Write who says so, and where that is written: it is kept with the payment.'
  if (typed('kind') === 'arrived' && typed('number') === '') return 'Write the number under which the gateway has it.'
  const about = { who, why: typed('why'), order: typed('of') }
  const result = await till.decide(order.id, { ...about, ...answerOf(typed) })
  return result.kind === 'refused' ? result.explanation : undefined
}

/** What was said, as the till takes it. */
function answerOf(typed: AnswerGiven['typed']): Answer {
  const [request, number] = [typed('request'), typed('number')]
  const [word, amount] = typed('outcome').split(' ')
  const outcome = finalWords.find(each => each === word)
  if (outcome !== undefined) {
    const stage = { stage: typed('stage') as StageName, ...(number === '' ? {} : { serialNumber: number }) }
    return { kind: 'settled', outcome, ...stage, ...(amount === undefined ? {} : { amount }) }
  }
  if (typed('kind') !== 'arrived') return { kind: 'failed', request }
  return {
    kind: 'arrived',
    request,
    ...(typed('effect') === 'changes' ? { serialNumber: number } : { orderId: number }),
  }
}

type Answer = Exclude<WantedDecision, { readonly kind: 'give-back' | 'abandon' | 'noted' | 'dismissed' | 'skip' }>

const finalWords = ['approved', 'declined', 'filtered', 'error'] as const
