import type { FinalOutcome, WireProfile } from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import { type KnownStage, wordsOf } from '../../state/known.js'
import { latestWord } from './questions.js'

/** Which of the gateway's words is so. */
export interface SettledWord {
  readonly outcome: FinalOutcome
  /** Major units, where the gateway had named two amounts. */
  readonly amount?: string | undefined
}

/**
 * A stage of which a person settled what is so: the gateway's latest word, and nothing before it. What the gateway says from now on counts
 * as it does after any other word. It is told once more, unless the merchant was told this very thing before.
 */
export function settledStage(stage: KnownStage, { outcome, amount }: SettledWord, profile: WireProfile): KnownStage {
  const { corrections: _words, restated, statusAskedAt: _first, ...rest } = stage
  const words = wordsOf(stage)
  const isRestated = amount !== undefined && restated?.amount !== undefined && sameAmount(amount, restated.amount)
  const money = isRestated ? { amount: restated.amount, currency: restated.currency ?? stage.currency } : {}
  const isOtherMoney = isRestated && (stage.amount === undefined || !sameAmount(restated.amount ?? '', stage.amount))
  const isKnown = outcome === 'approved' && !isOtherMoney && stage.approvalTold === true
  const { currency = rest.currency, ...named } = money
  return {
    ...rest,
    ...named,
    ...(currency === undefined ? {} : { currency }),
    status: latestWord(stage, profile).word,
    outcome,
    corrections: [],
    wordsBefore: words,
    ...(isKnown ? { told: words + 1 } : {}),
  }
}

/** Gives the fields of a stage that the decision keeps as they were before. */
export function stageBefore({ status, outcome, amount, currency, restated, corrections }: KnownStage) {
  return {
    status,
    ...(outcome === undefined ? {} : { outcome }),
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(restated === undefined ? {} : { restated }),
    corrections,
  }
}
