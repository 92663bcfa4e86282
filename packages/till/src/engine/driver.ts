import {
  type AttemptEnd,
  checkWrite,
  type DocumentStore,
  entryOfHistory,
  isLasting,
  needsPeople,
  pauseAfter,
  readKnown,
  type Stored,
  StoreError,
} from '@tillkit/protocol'
import type { Next } from '../intents/next.js'
import { createAdvance, type HeardAt, isTooLate, newRun } from './advance.js'
import type { Effect, Ended, Event, Known, Run } from './run.js'
import { type Clocks, createStoreTime, type StoreTime } from './store-time.js'

/** What a run is driven with. */
export interface DriveOptions<Result> {
  /** Of the run: never the same one twice, in any process. */
  readonly id: string
  /** Of the payment, in the store. */
  readonly key: string
  readonly next: Next<Result>
  readonly store: Pick<DocumentStore, 'read' | 'write'>
  /** Sends the request of this run; its first byte leaves within so many milliseconds, or never. It does not reject. */
  readonly send: (startWithin: number) => Promise<AttemptEnd>
  /** How long the caller waits, in milliseconds. */
  readonly patience: number
  readonly clocks: Clocks
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Fires when nobody waits for the store any more. */
  readonly closed: AbortSignal
  /** Told of a store that failed. */
  readonly onTrouble?: ((cause: unknown) => void) | undefined
  /** Sees each event, and the effect that followed. Default: nobody does. */
  readonly record?: ((line: RecordedStep) => void) | undefined
}

/** One step of a run. */
export interface RecordedStep {
  readonly run: string
  readonly at: HeardAt
  readonly event: Event
  readonly effect: Effect<unknown>
}

/** A run that is driven. */
export interface Driven<Result> {
  /** What the caller hears. */
  readonly result: Promise<Ended<Result>>
  /** Resolves once nothing is left to do, which may be later: then everything is written down, or never will be. */
  readonly over: Promise<void>
}

/** The pause before a store is tried again where only people can help, in milliseconds. */
const pauseForPeople = 30_000

/** Drives a run to its end: it carries effects out, and decides nothing. */
export function drive<Result>(options: DriveOptions<Result>): Driven<Result> {
  let answer: (ended: Ended<Result>) => void = () => {}
  const result = new Promise<Ended<Result>>(resolve => {
    answer = resolve
  })
  return { result, over: live(options, answer) }
}

async function live<Result>(options: DriveOptions<Result>, answer: (ended: Ended<Result>) => void): Promise<void> {
  const { next, id, patience, clocks, closed, wait, onTrouble, record } = options
  const advance = createAdvance(next)
  const time = createStoreTime(clocks)
  let run: Run<Result> = newRun(id, patience)
  let event: Event = { kind: 'began' }
  let failures = 0
  for (;;) {
    const at = time.now()
    const { run: after, effect } = advance(run, event, at)
    run = after
    record?.({ run: id, at, event, effect })
    if (effect.kind === 'end') return answer(effect.result)
    if (event.kind !== 'unknown') failures = 0
    else {
      const { cause } = event
      failures += 1
      onTrouble?.(cause)
      if (isTooLate(run, at)) answer({ kind: 'failed', cause })
      if (!closed.aborted) await wait(needsPeople(cause) ? pauseForPeople : pauseAfter(failures), closed)
      if (closed.aborted) return answer({ kind: 'failed', cause })
    }
    event = await carryOut(effect, time, options)
  }
}

async function carryOut<Result>(
  effect: Exclude<Effect<Result>, { readonly kind: 'end' }>,
  time: StoreTime,
  { key, store, send }: DriveOptions<Result>,
): Promise<Event> {
  switch (effect.kind) {
    case 'read':
      try {
        const asked = time.read()
        const { at, stored } = await store.read(key)
        time.heard(checkedTime(at), asked)
        return { kind: 'read', known: knownOf(stored) }
      } catch (cause) {
        return { kind: isLasting(cause) ? 'failed' : 'unknown', cause }
      }
    case 'write':
      try {
        const { id, after, history } = effect
        const entry = entryOfHistory(history)
        checkWrite(key, entry, { after, id })
        const asked = time.read()
        const written = await store.write(key, entry, { after, id })
        time.heard(checkedTime(written.at), asked)
        if (written.kind === 'written') return { kind: 'written' }
        if (written.current?.writeId === after)
          throw new StoreError('ERR_STORE_UNKNOWN', 'The store refused a write that it has to take: correct it.')
        return { kind: 'conflict', known: knownOf(written.current) }
      } catch (cause) {
        // What happened is tried until it is written, as long as anybody can help.
        const isOver = effect.isGate ? isLasting(cause) : isLasting(cause) && !needsPeople(cause)
        return { kind: isOver ? 'failed' : 'unknown', cause }
      }
    case 'request':
      return { kind: 'sent', end: await send(effect.startBy - time.now().latest) }
  }
}

const nothing: Known = { history: undefined, document: undefined, writeId: undefined }

const knownOf = (stored: Stored | undefined): Known =>
  stored === undefined ? nothing : { ...readKnown(stored), writeId: stored.writeId }

function checkedTime(at: number): number {
  if (Number.isFinite(at)) return at
  throw new StoreError('ERR_STORE_UNREADABLE', 'The store did not say what its clock says: "at" is no number.')
}
