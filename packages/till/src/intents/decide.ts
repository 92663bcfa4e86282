import type { Person, WireProfile } from '@tillkit/protocol'
import type { Answer } from '../rules/answer.js'
import { withHappening } from '../rules/happening.js'
import { decideMatter, questionsFor } from '../rules/people/decide.js'
import {
  type AmountsByCurrency,
  type DecisionVerdict,
  refused,
  type StatusWord,
  type WantedDecision,
} from '../rules/people/wanted.js'
import { wordOfStatus } from '../rules/status-word.js'
import type { PaymentDocument } from '../state/document.js'
import type { Next, Profiles } from './next.js'

/** A decision that a person takes about a payment. */
export interface DecidePlan extends Profiles {
  readonly wanted: WantedDecision
  readonly person: Person
  /** Above which amounts two persons have to say the same; undefined: one will do. */
  readonly secondPersonAbove: AmountsByCurrency | undefined
  /** By how much two readings of the store's clock may differ, in milliseconds. Default: a second, in which nobody looks anything up. */
  readonly clockSlack?: number
}

/** The end of a decision, and by which moment of the store's clock it was taken, in milliseconds. */
export interface Decided {
  readonly verdict: DecisionVerdict
  readonly at: number
}

/** Takes what a person decides about a payment. Status is asked first, and its word counts more. */
export const decide =
  ({ wanted, person, secondPersonAbove, clockSlack = 1_000, profile, profileOf }: DecidePlan): Next<Decided> =>
  ({ payment, kept, heard: { answers, passed, lived = passed }, at: { earliest: at } }) => {
    if (payment === undefined || kept === undefined)
      return { kind: 'end', result: { verdict: refused('nothing-to-decide', 'There is no such payment.'), at } }
    // The same question throughout, though an answer may end it.
    const [question, other] = questionsFor(kept, wanted, { at, profile })
    let status: StatusWord | undefined
    if (question !== undefined && other === undefined) {
      const { login } = question.order
      const profileOfOrder = profileOf(login)
      if (profileOfOrder === undefined) {
        const explanation = `This till has no account ${JSON.stringify(login)}.`
        status = { kind: 'no-answer', explanation }
      } else {
        const said = wordOfStatus({ question, wanted, profile: profileOfOrder, answers, payment })
        if (said !== undefined && 'ask' in said) return { kind: 'ask', question: said.ask }
        status = said
      }
    }
    // By the id that the person names status may end the question itself: it is the person's word all the same.
    const isConfirmed = status?.kind === 'confirmed'
    const verdict = decideMatter(isConfirmed ? kept : payment, wanted, {
      person,
      at,
      spokenAt: at - lived + clockSlack,
      profile,
      status,
      secondPersonAbove,
    })
    if (verdict.kind === 'refused') return { kind: 'end', result: { verdict, at } }
    const { document } = verdict
    const after = isConfirmed ? withAnswers(document, answers, login => profileOf(login) ?? profile) : document
    return { kind: 'end', result: { verdict, at }, payment: after }
  }

/**
 * The payment with what status says of it, after the person's word. The question stays:
 * where two persons have to answer it, the other one will.
 */
const withAnswers = (
  document: PaymentDocument,
  answers: readonly Answer[],
  profileOf: (login: string) => WireProfile,
): PaymentDocument | undefined =>
  answers.reduce<PaymentDocument | undefined>(
    (after, answer) => (answer.kind === 'reply' ? withHappening(after, { kind: 'status', answer }, profileOf) : after),
    document,
  )
