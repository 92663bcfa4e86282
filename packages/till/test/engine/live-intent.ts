import { type AttemptEnd, defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { createAdvance } from '../../src/engine/advance.js'
import { type Effect, type Event, newRun, nothingKnown } from '../../src/engine/run.js'
import type { Marks, Next } from '../../src/intents/next.js'
import { type Answer, type Question, replyTo } from '../../src/rules/answer.js'
import type { PaymentDocument } from '../../src/state/document.js'

/** An answer of status, without its question and its times. */
export type Said = SaidOf<Answer>
type SaidOf<Each> = Each extends unknown ? Omit<Each, 'question' | 'askedAt' | 'answeredAt'> : never

/** Makes an answer about a sale of 10.00 EUR, the gateway's order 77. */
export const says = (status: string, fields: Partial<StatusResponse> = {}) =>
  ({
    kind: 'reply',
    reply: {
      status,
      transactionType: 'sale',
      clientOrderId: 'basket-7',
      orderId: '77',
      amount: '10.00',
      currency: 'EUR',
      raw: {},
      ...fields,
    },
  }) as const satisfies Said

/** Everything that an intent meets. */
export interface Script {
  /** Answers of status, in their order; after the last one it gives none. */
  readonly answers?: readonly Said[]
  /** How the request ends. Default: accepted, with order id 77. */
  readonly end?: AttemptEnd
  readonly marks?: Marks
  /** The document as it is kept after the first wait. Default: as before. */
  readonly later?: PaymentDocument
  /** By the store's clock, in milliseconds. Default: 100,000. */
  readonly at?: number
  /** For how long the run has lived by then, in milliseconds. Default: 0. */
  readonly lived?: number
}

/** Lives an intent by the shipped runner, with a store that takes everything, and a handler that is content. */
export function liveIntent<Result>(next: Next<Result>, document: PaymentDocument | undefined, script: Script = {}) {
  const { answers = [], at = 100_000, lived = 0 } = script
  const advance = createAdvance(next, () => defaultProfile)
  const effects: Exclude<Effect<Result>, { kind: 'end' }>[] = []
  const asked: string[] = []
  let run = newRun<Result>('run', 30_000)
  let event: Event = { kind: 'began' }
  let known = document
  for (;;) {
    const { run: after, effect } = advance(run, event, { earliest: at, latest: at + 5, passed: 0, lived })
    run = after
    if (effect.kind === 'end') {
      if (effect.result.kind === 'failed') throw effect.result.cause
      const kinds = [...effects.map(({ kind }) => kind), 'end']
      return { kinds, effects, asked, last: known, result: effect.result.result }
    }
    effects.push(effect)
    if (effect.kind === 'write') known = effect.document
    if (effect.kind === 'ask')
      asked.push(`${effect.question.clientOrderId} ${effect.question.bySerialNumber ?? ''}`.trim())
    if (effect.kind === 'sleep') known = script.later ?? known
    event = eventAfter(effect, { known, said: answers[asked.length - 1] ?? { kind: 'no-answer' }, at, script })
  }
}

function eventAfter(
  effect: Exclude<Effect<unknown>, { kind: 'end' }>,
  {
    known,
    said,
    at,
    script: { marks, end = { kind: 'accepted', orderId: '77', at } },
  }: {
    readonly known: PaymentDocument | undefined
    readonly said: Said
    readonly at: number
    readonly script: Script
  },
): Event {
  switch (effect.kind) {
    case 'read': {
      if (known === undefined) return { kind: 'read', known: nothingKnown, marks }
      return { kind: 'read', known: { document: known, writeId: 'w' }, marks }
    }
    case 'write':
      return { kind: 'written' }
    case 'ask':
      return { kind: 'asked', answer: answerTo(effect.question, said, at) }
    case 'handle':
      return { kind: 'handled', end: { kind: 'told', wanted: [], isApproval: true } }
    case 'request':
      return { kind: 'sent', end }
    case 'sleep':
      return { kind: 'slept' }
  }
}

function answerTo(question: Question, said: Said, at: number): Answer {
  const when = { question, askedAt: at, answeredAt: at }
  return said.kind === 'reply' ? { ...said, ...when, reply: replyTo(question, said.reply) } : { ...said, ...when }
}
