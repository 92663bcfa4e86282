import { present } from '../store/timeline/timeline.js'
import { type Fact, type Settled, type StageSaid, type StatusSaid, textOf } from './facts.js'

/**
 * Facts with at most two replies about each stage: the first one begins it, and the last one says all that those between said. One that gave
 * an id stays as well. Of what persons settled about a stage only the last says all.
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
  const [first, ...others] = all.flatMap(each => (each.kind === 'status' ? each : []))
  if (first === undefined) return []
  const newsOf = (reply: StatusSaid) => (now.includes(reply) ? withoutForgotten(reply, forgotten) : onlyAsked(reply))
  const isSaidLater = settledAt >= 0 || others.some(each => each.said !== undefined)
  const begun = {
    ...newsOf(first),
    ...present({ said: isSaidLater && first.said !== undefined ? wordOf(first.said) : first.said }),
  }
  const left: [Fact, StatusSaid][] = [[first, begun]]
  let between: StatusSaid | undefined
  for (const each of others) {
    const said = together(between, newsOf(each))
    const stays = each === others.at(-1) || each.orderId !== undefined
    if (stays) left.push([each, said])
    between = stays ? undefined : said
  }
  return left
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
const onlyAsked = ({ kind, order, stage, at, orderId }: StatusSaid): StatusSaid => ({
  kind,
  order,
  at,
  ...present({ stage, orderId }),
})

/** One reply that says what two about one stage said. */
function together(earlier: StatusSaid | undefined, later: StatusSaid): StatusSaid {
  const corrected = [...(earlier?.corrected ?? []), ...(later.corrected ?? [])]
  return { ...earlier, ...later, ...present({ corrected: corrected.length === 0 ? undefined : corrected }) }
}

/** The word of a stage alone: a later fact says all of the stage. */
const wordOf = ({ stage, status, word, outcome }: StageSaid): StageSaid => ({
  stage,
  status,
  ...present({ word, outcome }),
})
