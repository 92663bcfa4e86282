/** People: they look at the gateway's own books, and decide what no machine can know. */
import { defaultProfile } from '@tillkit/protocol'
import { adopt } from '../../../../packages/till/src/intents/adopt.js'
import { ask } from '../../../../packages/till/src/intents/ask.js'
import { decide } from '../../../../packages/till/src/intents/decide.js'
import { deliver } from '../../../../packages/till/src/intents/deliver.js'
import type { Next } from '../../../../packages/till/src/intents/next.js'
import { type PaymentQuestion, questionsOf } from '../../../../packages/till/src/rules/people/questions.js'
import type { WantedDecision } from '../../../../packages/till/src/rules/people/wanted.js'
import { isUntold } from '../../../../packages/till/src/state/known.js'
import { latestOutcome } from '../../../../packages/till/src/state/late-approval.js'
import { gatewayUrl, login, outcomeOf } from '../gateway/books.js'
import { type Life, processUp, reference } from '../life.js'
import { carriesOut } from '../till/background.js'
import { begin } from '../till/driver.js'
import { lease } from '../till/handler.js'
import { textOf } from '../till/plans.js'
import { knownOf } from '../till/store.js'

const profile = defaultProfile

/** All questions of a payment that only a person can end. */
export const questionsNow = (life: Life): readonly PaymentQuestion[] =>
  questionsOf(knownOf(life.store.row()).document, { at: life.storeTime(), profile })

/** Decisions after which nothing is sent or asked. */
const endsThere: ReadonlySet<WantedDecision['kind']> = new Set(['failed', 'abandon', 'noted', 'dismissed'])

/** A person looks at everything that is open, and says what the gateway's books say. */
export function decides(life: Life): void {
  const process = processUp(life, life.runs)
  if (process === undefined) return
  const told = (wanted: readonly unknown[]) => wanted.length > 0 && carriesOut(life, process)
  const questions = questionsNow(life)
  for (const question of questions) {
    // One of two orders goes back, and never both.
    if (question.kind === 'surplus' && question !== questions.findLast(({ kind }) => kind === 'surplus')) continue
    const wanted = answerTo(life, question)
    if (question.kind === 'incomplete' || question.kind === 'not-shown') completes(life, question.order)
    if (wanted === undefined) continue
    life.count(`decisions: ${wanted.kind}`)
    life.say?.(`a person says: ${wanted.kind}${'order' in wanted ? ` of ${wanted.order}` : ''}`)
    begin(life, process, {
      does: 'take a decision',
      next: decide({
        wanted,
        person: { who: 'ann', why: 'looked it up' },
        secondPersonAbove: undefined,
        profile,
        profileOf: () => profile,
      }),
      ended(ended) {
        if (ended.kind === 'failed') return
        const { verdict } = ended.result
        life.say?.(
          `the decision is ${verdict.kind}${verdict.kind === 'refused' ? `: ${verdict.because}. ${verdict.explanation}` : ''}`,
        )
        life.count(`decisions ${verdict.kind === 'refused' ? `refused: ${verdict.because}` : verdict.kind}`)
        if (verdict.kind !== 'done') return
        if (wanted.kind === 'give-back') carriesOut(life, process)
        else if (!endsThere.has(wanted.kind)) asksAbout(life, verdict.decision.matter.clientOrderId)
        const { clientOrderId } = verdict.decision.matter
        if (wanted.kind === 'settled' || wanted.kind === 'skip') life.settled.add(clientOrderId)
      },
      told,
    })
  }
}

/** A person's answer, by the gateway's books. Undefined: nobody can say yet. */
function answerTo(life: Life, question: PaymentQuestion): WantedDecision | undefined {
  const { books, wire } = life
  const { order } = question
  switch (question.kind) {
    case 'unknown': {
      const { request } = question
      if (wire.has(request)) return undefined
      if (question.effect === 'creates') {
        const booked = books.orders.find(each => each.request === request)
        return booked === undefined
          ? { kind: 'failed', order, request }
          : { kind: 'arrived', order, request, orderId: booked.orderId }
      }
      const serialNumber = books.changed.get(request)
      return serialNumber === undefined
        ? { kind: 'failed', order, request }
        : { kind: 'arrived', order, request, serialNumber }
    }
    case 'disputed': {
      const { stage, serialNumber, words, amounts } = question
      const booked = books.orders.findLast(each => each.clientOrderId === order)
      const own = booked?.order.stages.filter(each => each.stage === stage) ?? []
      // Without a number the gateway's screens show which one has had such words. Where none has had all, the last word was about another one.
      const hasHad = (some: readonly string[]) => (each: (typeof own)[number]) => {
        const said = booked?.words[booked.order.stages.indexOf(each)]
        return amounts[0] === textOf(Number(each.amount)) && some.every(word => said?.has(word))
      }
      const found =
        own.find(each => serialNumber !== undefined && each.serialNumbers.includes(serialNumber)) ??
        own.findLast(hasHad(words)) ??
        own.findLast(hasHad(words.slice(0, 1))) ??
        own.at(-1)
      if (found?.verdict === undefined || found.verdict.outcome === 'unknown') return undefined
      // Without a number the amount tells two such questions apart.
      const isUnnumbered = serialNumber === undefined && amounts.length === 1 && words.length > 1
      const amount = amounts.length > 1 || isUnnumbered ? amounts.at(-1) : undefined
      return {
        kind: 'settled',
        order,
        stage,
        outcome: found.verdict.outcome,
        ...(serialNumber === undefined ? {} : { serialNumber }),
        ...(amount === undefined ? {} : { amount }),
      }
    }
    case 'surplus':
      return { kind: 'give-back', order }
    case 'open-order':
      return { kind: 'abandon', order }
    // By the serial numbers of its requests it is taken up anew.
    case 'incomplete':
      return undefined
    // First by its numbers as well. Of what those do not show either the gateway's screens say whether it is so.
    case 'not-shown':
      if (!marksLookedUp(life.lookedUp, order)) return undefined
      return { kind: lacksMovements(life, order) ? 'noted' : 'dismissed', order }
    // The work in the background has tried again first.
    case 'failing':
      return question.tries < 3 ? undefined : { kind: 'skip', outcome: question.outcome }
  }
}

/** Whether the store's stages of an order are not those that the gateway's books have. */
function lacksMovements({ books, store }: Life, order: string): boolean {
  const namesOf = (stages: readonly { readonly stage: string }[]) =>
    stages
      .map(({ stage }) => stage)
      .sort()
      .join()
  const known = knownOf(store.row()).document?.orders.find(each => each.clientOrderId === order)?.stages ?? []
  const booked = books.orders.findLast(each => each.clientOrderId === order)?.order.stages ?? []
  return (
    namesOf(known.filter(each => latestOutcome(each, profile) === 'approved')) !==
    namesOf(booked.filter(each => outcomeOf(each) === 'approved'))
  )
}

/** Marks an order as looked up, and says whether it was before. */
function marksLookedUp(lookedUp: Set<string>, order: string): boolean {
  const isSo = lookedUp.has(order)
  lookedUp.add(order)
  return isSo
}

/** Somebody looks at an order: status is asked about it, and what is new is told. */
export function asksAbout(life: Life, clientOrderId: string): void {
  const process = processUp(life, life.runs)
  const order = knownOf(life.store.row()).document?.orders.find(each => each.clientOrderId === clientOrderId)
  if (process === undefined || order === undefined) return
  const asking = ask({ order, profile })
  const next: Next<unknown> = scene => {
    const asked = asking(scene)
    if (asked.kind !== 'end') return asked
    const step = deliver({ lease })(scene)
    return step.kind === 'end' ? asked : step
  }
  begin(life, process, {
    does: 'ask for a person',
    next,
    told: wanted => wanted.length > 0 && carriesOut(life, process),
  })
}

/** A person looks up the serial numbers of a known order, and status is asked by them. */
export function completes(life: Life, clientOrderId: string): void {
  const booked = life.books.orders.findLast(each => each.clientOrderId === clientOrderId)
  if (booked !== undefined) adopts(life, { clientOrderId, orderId: booked.orderId })
}

/** A person takes up an order that the gateway has and the store lacks, or has in part. */
export function adopts(
  life: Life,
  { clientOrderId, orderId }: { readonly clientOrderId: string; readonly orderId: string },
): void {
  const process = processUp(life, life.runs)
  if (process === undefined) return
  const name = `adopted-${life.runs}`
  life.say?.(`a person takes up order ${orderId} (${clientOrderId})`)
  // The numbers of its requests stand at the gateway's own screens, oldest first.
  const stages = life.books.orders.find(each => each.orderId === orderId)?.order.stages ?? []
  const serialNumbers = stages.flatMap(each => each.serialNumbers[0] ?? [])
  const account = { login, baseUrl: gatewayUrl, profile }
  begin(life, process, {
    does: 'adopt an order',
    next: adopt({
      order: { reference, clientOrderId, attemptId: name, reservation: name, fingerprint: '' },
      orderId,
      serialNumbers,
      accountOf: () => account,
      lost: { accounts: [account], madeUp: 'never-0' },
      isTakenUp: true,
    }),
    ended(ended) {
      const kind =
        ended.kind === 'failed'
          ? 'failed'
          : ended.result.kind === 'refused'
            ? `refused: ${ended.result.because}`
            : ended.result.kind
      life.count(`adoptions ${kind}`)
      life.say?.(`adopting is ${kind}`)
      if (ended.kind === 'failed' || ended.result.kind !== 'adopted') return
      life.hasAdopted = true
      life.unmatched = life.unmatched.filter(each => each.orderId !== orderId)
      asksAbout(life, clientOrderId)
    },
    told: () => {},
  })
}

/** Whether something of the payment was not told. */
export const hasUntold = (life: Life): boolean =>
  knownOf(life.store.row()).document?.orders.some(({ stages }) => stages.some(isUntold)) === true
