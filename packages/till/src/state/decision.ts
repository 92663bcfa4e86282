import type { FinalOutcome, Stage, StageName } from '@tillkit/protocol'

/**
 * A person's decision. `failed`: a request that was not answered did nothing. `arrived`: the gateway has it. `settled`: which word of a
 * stage is so that the gateway contradicted itself about. `give-back`: which of two orders that brought money is given back.
 * `abandon`: no customer is to pay an open order any more. `noted`: what callbacks said and status did not show may be so, and no more can
 * be known of it. `dismissed`: it is not so. `skip`: an outcome counts as told although the handler fails.
 */
export type DecidedMatter =
  | ({ readonly kind: 'failed' } & DecidedRequest)
  | ({ readonly kind: 'arrived'; readonly orderId?: string; readonly serialNumber?: string } & DecidedRequest)
  | {
      readonly kind: 'settled'
      readonly clientOrderId: string
      /** Place of the stage in those of its order, and how many words it had had. */
      readonly place: number
      readonly words: number
      readonly stage: StageName
      readonly outcome: FinalOutcome
      /** Major units, where the gateway had named two amounts. */
      readonly amount?: string
    }
  | {
      readonly kind: 'give-back'
      readonly clientOrderId: string
      /** How many requests there had been that were to give it back. */
      readonly tries: number
    }
  | { readonly kind: 'abandon'; readonly clientOrderId: string }
  | {
      readonly kind: 'noted' | 'dismissed'
      readonly clientOrderId: string
      /** How many callbacks there had been that status did not show. */
      readonly callbacks: number
    }
  | {
      readonly kind: 'skip'
      readonly clientOrderId: string
      readonly stage: StageName
      /** Idempotency key of the outcome. */
      readonly outcome: string
    }

/** A request that a decision is about. */
export interface DecidedRequest {
  readonly clientOrderId: string
  readonly operation: string
  /** Its reservation. */
  readonly request: string
}

/** Somebody's word. */
export interface KnownWord {
  readonly who: string
  readonly why: string
  /** Milliseconds of the store's clock. */
  readonly at: number
}

/** A decision as a document keeps it, for good. */
export interface KnownDecision extends KnownWord {
  readonly matter: DecidedMatter
  /** Nothing was done: `open` until another person says the same, `replaced` since somebody said otherwise. Absent: it is decided. */
  readonly proposal?: 'open' | 'replaced'
  /** Who said it first, where two persons had to. */
  readonly first?: KnownWord
  /** The words and amounts that the gateway had given for a stage before a person settled it. */
  readonly before?: Pick<Stage, 'status' | 'outcome' | 'amount' | 'currency' | 'restated' | 'corrections'>
}

/** Whether two decisions say the same about the same. */
export const isSameMatter = (one: DecidedMatter, other: DecidedMatter): boolean => textOf(one) === textOf(other)

const textOf = (matter: DecidedMatter): string =>
  JSON.stringify(Object.entries(matter).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Whether two are one decision, whatever became of it since. A proposal may be replaced; it never turns into what was decided. */
export const isSameDecision = (one: KnownDecision, other: KnownDecision): boolean =>
  one.at === other.at &&
  one.who === other.who &&
  one.why === other.why &&
  (one.proposal === undefined) === (other.proposal === undefined) &&
  isSameMatter(one.matter, other.matter)

/** Most proposals that were replaced, and are kept. */
const mostReplaced = 20

/** The decisions of a payment with one more. It replaces a proposal about the same order, or the proposal has become it. */
export function decisionsWith(
  decision: KnownDecision,
  decisions: readonly KnownDecision[] = [],
): readonly KnownDecision[] {
  const replaced = decisions.flatMap((each): readonly KnownDecision[] => {
    if (each.proposal !== 'open' || each.matter.clientOrderId !== decision.matter.clientOrderId) return [each]
    return isSameMatter(each.matter, decision.matter) ? [] : [{ ...each, proposal: 'replaced' }]
  })
  const old = replaced.filter(({ proposal }) => proposal === 'replaced')
  const gone = new Set(old.slice(0, Math.max(0, old.length - mostReplaced)))
  return [...replaced.filter(each => !gone.has(each)), decision]
}
