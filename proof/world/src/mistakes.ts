/** Mistakes that are planted in place of the shipped runner and its intents: the world has to find each. */
import type { Event } from '../../../packages/till/src/engine/run.js'
import type { Next } from '../../../packages/till/src/intents/next.js'
import type { AbsenceTimes } from '../../../packages/till/src/rules/learn.js'

/** A mistake. */
export interface Mistake {
  readonly what: string
  /** The rule that it breaks. */
  readonly broken: RegExp
  /** The number of a payment of seed 1 whose life shows it. */
  readonly payment: number
  /** A run hears this in place of what happened. `does`: what it is for. */
  readonly hears?: (does: string, event: Event) => Event
  /** An intent decides so. */
  readonly decides?: <Result>(does: string, next: Next<Result>) => Next<Result>
  /** When an answer of absence counts. */
  readonly times?: AbsenceTimes
}

const told = { kind: 'handled', end: { kind: 'told', wanted: [], isApproval: true } } as const

/** Every mistake. */
export const mistakes: readonly Mistake[] = [
  {
    what: 'a decision to pay is kept although somebody else wrote meanwhile',
    broken: /is not durable|may pay, or have paid|did nothing|address that is not durable/,
    payment: 94,
    hears: (does, event) => (does === 'pay' && event.kind === 'conflict' ? { kind: 'written' } : event),
  },
  {
    what: 'a lease counts although somebody else has it',
    broken: /the lease is somebody else's/,
    payment: 11,
    hears: (does, event) => (does !== 'pay' && event.kind === 'conflict' ? { kind: 'written' } : event),
  },
  {
    what: 'a request that was not answered counts as not sent',
    broken: /did nothing|says not-opened/,
    payment: 10,
    hears: (_does, event) =>
      event.kind === 'sent' && event.end.kind === 'unknown'
        ? { kind: 'sent', end: { kind: 'not-sent', at: event.end.at } }
        : event,
  },
  {
    what: 'an answer of absence counts at once',
    broken: /did nothing/,
    payment: 196,
    times: { quietPeriod: -600_000, apart: 0 },
  },
  {
    what: 'nobody looks whether new money was stopped',
    broken: /knew that new money was stopped/,
    payment: 22,
    hears: (_does, event) =>
      event.kind === 'read' ? { ...event, marks: { ...event.marks, pause: undefined } } : event,
  },
  {
    what: 'nobody looks whether the store was put back',
    broken: /orders? keep money|had brought the money|may pay, or have paid|were told/,
    payment: 1057,
    hears: (_does, event) =>
      event.kind === 'read' ? { ...event, marks: { ...event.marks, restoredUntil: undefined } } : event,
  },
  {
    what: 'a handler that throws counts as told',
    broken: /are marked as told/,
    payment: 69,
    hears: (_does, event) => (event.kind === 'handled' && event.end.kind === 'failed' ? told : event),
  },
  {
    what: 'a commit that was not answered counts as told',
    broken: /are marked as told/,
    payment: 593,
    hears: (_does, event) => (event.kind === 'handled' && event.end.kind === 'unknown' ? told : event),
  },
  {
    what: 'what the background learns is told to nobody',
    broken: /was never told/,
    payment: 927,
    decides: (does, next) => scene => {
      const step = next(scene)
      const isBackground = does === 'look after an order' || does === 'answer a callback'
      return isBackground && step.kind === 'deliver' ? { kind: 'end', result: { kind: 'no-order' } as never } : step
    },
  },
  {
    what: 'a word that is taken back is not heard',
    broken: /were told|cannot end/,
    payment: 36,
    hears: (_does, event) =>
      event.kind === 'asked' && event.answer.kind === 'reply' && event.answer.reply.status === 'declined'
        ? { kind: 'asked', answer: { ...event.answer, reply: { ...event.answer.reply, status: 'approved' } } }
        : event,
  },
]
