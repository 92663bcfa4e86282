import { type Fact, type Settled, type StageSaid, type StatusSaid, textOf } from '../state/facts.js'
import { present } from '../state/values.js'

/**
 * Facts with few replies about each stage: the first one, the one that ended it, and the last one, which says all that those between said.
 * One that gave an id stays as well, and one that took a word back, so that people read what came when.
 * The last of all that persons settled about a stage says all.
 */
export function withFewReplies(facts: readonly Fact[]): readonly Fact[] {
  const stages = new Map<string, readonly (StatusSaid | Settled)[]>()
  for (const fact of facts) {
    if (!isReply(fact) && fact.kind !== 'settled') continue
    const stage = textOf(fact.order, fact.stage)
    stages.set(stage, [...(stages.get(stage) ?? []), fact])
  }
  const left = new Map<Fact, Fact>([...stages.values()].flatMap(all => [...repliesLeft(all), ...settledBefore(all)]))
  return facts.flatMap(fact => left.get(fact) ?? (isReply(fact) ? [] : fact))
}

const isReply = (fact: Fact): fact is StatusSaid => fact.kind === 'status' && fact.stage !== undefined

/** The replies about one stage that stay, and what they say then. */
function repliesLeft(all: readonly (StatusSaid | Settled)[]): readonly (readonly [Fact, StatusSaid])[] {
  const settledAt = all.findLastIndex(({ kind }) => kind === 'settled')
  const now = all.slice(settledAt + 1).flatMap(each => (each.kind === 'status' ? each : []))
  const forgotten = now.flatMap(each => each.forgotten ?? [])
  const replies = all.flatMap(each => (each.kind === 'status' ? each : []))
  const ending = replies.find(each => each.said?.outcome !== undefined)
  const isWord = (reply: StatusSaid): boolean => reply === replies[0] || reply === ending
  const left: [Fact, StatusSaid][] = []
  let between: StatusSaid | undefined
  for (const each of replies) {
    const news = now.includes(each) ? withoutForgotten(each, forgotten) : onlyAsked(each, isWord(each))
    const reply = together(between, news)
    const isOtherMoney = reply.restated !== undefined && !left.some(([, { restated }]) => restated !== undefined)
    const isNews = (reply.orderId ?? reply.corrected ?? reply.amountCame) !== undefined || isOtherMoney
    const stays = isWord(each) || isNews || each === replies.at(-1)
    if (stays) left.push([each, reply])
    between = stays ? undefined : reply
  }
  const last = left.findLastIndex(([, { said }]) => said !== undefined)
  const isSaidLater = (each: Fact, nth: number): boolean => nth < last || !now.some(reply => reply === each)
  return left.map(([each, reply], nth) => [each, isSaidLater(each, nth) ? withWordOnly(reply) : reply])
}

/** Earlier settlements of one stage, shortened: the decisions keep the rest. */
function settledBefore(all: readonly (StatusSaid | Settled)[]): readonly (readonly [Fact, Settled])[] {
  const settled = all.flatMap(each => (each.kind === 'settled' ? each : []))
  return settled.slice(0, -1).map(each => [each, { ...each, said: wordOf(each.said) }])
}

/** A callback goes with its answer, and a correction with the reply that it makes way for. */
function withoutForgotten(reply: StatusSaid, gone: readonly number[]): StatusSaid {
  const { answersCallback: _answered, forgotten: _gone, corrected = [], ...rest } = reply
  const kept = corrected.filter(({ nth }) => !gone.includes(nth))
  return { ...rest, ...present({ corrected: kept.length === 0 ? undefined : kept }) }
}

/** A reply from before a person settled its stage: the decision keeps what it said. */
const onlyAsked = ({ kind, order, stage, at, orderId, said, firstAt }: StatusSaid, hasWord: boolean): StatusSaid => ({
  kind,
  order,
  at,
  ...present({ stage, orderId, ...(hasWord ? { said, firstAt } : {}) }),
})

/** A reply without what a later fact says of the stage. */
const withWordOnly = ({ said, ...reply }: StatusSaid): StatusSaid =>
  said === undefined ? reply : { ...reply, said: wordOf(said) }

/** One reply that says what two about one stage said. */
function together(earlier: StatusSaid | undefined, later: StatusSaid): StatusSaid {
  const corrected = [...(earlier?.corrected ?? []), ...(later.corrected ?? [])]
  return { ...earlier, ...later, ...present({ corrected: corrected.length === 0 ? undefined : corrected }) }
}

/** The word of a stage and its money: a later fact says all of the stage. */
const wordOf = ({ stage, status, word, outcome, amount, currency }: StageSaid): StageSaid => ({
  stage,
  status,
  ...present({ word, outcome, amount, currency }),
})
