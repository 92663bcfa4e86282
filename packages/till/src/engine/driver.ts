import {
  type AttemptEnd,
  checkWrite,
  type DocumentStore,
  entryOf,
  isClosed,
  isLasting,
  type KnownAttempt,
  needsPeople,
  pauseAfter,
  readKnown,
  type Stored,
  StoreError,
  type StoreTrouble,
  siblingKey,
  type WireProfile,
} from '@tillkit/protocol'
import type { Moment, Next } from '../intents/next.js'
import type { Answer, Question } from '../rules/answer.js'
import { createAdvance, type HeardAt, newRun, requestOf } from './advance.js'
import { type CallerOptions, createCaller, type Failing } from './caller.js'
import type { Effect, Ended, Event, Known, Run } from './run.js'
import { type Clocks, createStoreTime, type StoreTime } from './store-time.js'
import type { Turn, Turns } from './turns.js'

/** Everything that a run is driven with. */
export interface DriveOptions<Result> extends CallerOptions {
  /** The id of the run: never the same one twice, in any process. */
  readonly id: string
  /** The key of the payment, in the store. */
  readonly key: string
  readonly next: Next<Result>
  readonly profileOf: (login: string) => WireProfile
  readonly store: Pick<DocumentStore, 'read' | 'write'>
  /** Sends the request of this run; its first byte leaves within so many milliseconds, or never. It does not reject. */
  readonly send?: ((request: KnownAttempt, startWithin: number) => Promise<AttemptEnd>) | undefined
  /** Asks status. It does not reject. */
  readonly ask: Ask
  /** The turns of this process. */
  readonly turns: Turns
  readonly clocks: Clocks
  /** Fires when nobody waits for the store any more. */
  readonly closed: AbortSignal
  /** Told of a store that failed. */
  readonly onTrouble?: ((trouble: StoreTrouble) => void) | undefined
  /** Sees each event, and the effect that followed. Default: nobody does. */
  readonly record?: ((line: RecordedStep) => void) | undefined
}

/** Asks status. @param now The store's time, as the run knows it. */
export type Ask = (question: Question, now: () => Moment) => Promise<Answer>

/** One step of a run. */
export interface RecordedStep {
  readonly run: string
  readonly at: HeardAt
  readonly event: Event
  readonly effect: Effect<unknown>
}

/** A run that is driven. */
export interface Driven<Result> {
  /** Resolves with what the caller hears. */
  readonly result: Promise<Ended<Result>>
  /** Resolves once nothing is left to do, which may be later: then everything is written down, or never will be. */
  readonly over: Promise<void>
}

/** The pause before a store is tried again where only people can help, in milliseconds. */
const pauseForPeople = 30_000

/** Drives a run to its end: it carries effects out, and decides nothing. */
export function drive<Result>(options: DriveOptions<Result>): Driven<Result> {
  let answer: (ended: Ended<Result>) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const result = new Promise<Ended<Result>>((resolve, reject) => {
    answer = resolve
    fail = reject
  })
  // The caller hears what an intent throws.
  return { result, over: live(options, answer).catch(fail) }
}

async function live<Result>(options: DriveOptions<Result>, answer: (ended: Ended<Result>) => void): Promise<void> {
  const { next, profileOf, id, patience, clocks, closed, onTrouble, record } = options
  const advance = createAdvance(next, profileOf)
  const time = createStoreTime(clocks)
  const caller = createCaller(options, time, answer)
  const place: Place = { key: options.key, turn: undefined }
  let run: Run<Result> = newRun(id, patience)
  let event: Event = { kind: 'began' }
  let failures = 0
  try {
    for (;;) {
      const at = caller.now()
      const cause: unknown = event.kind === 'unknown' ? event.cause : undefined
      failures = event.kind === 'unknown' ? failures + 1 : 0
      const { run: after, effect } = advance(run, event, at)
      run = after
      record?.({ run: id, at, event, effect })
      const failing = { key: place.key, cause, failures }
      if (effect.kind === 'end') {
        const { result } = effect
        if (result.kind === 'done' && result.unwritten !== undefined)
          onTrouble?.({ kind: 'given-up', ...failing, cause: result.unwritten.cause })
        return failures > 0 ? caller.leaves(run, failing) : caller.hears(result)
      }
      const hearing = hear(effect, failing, { run, time, place, options })
      // A store that hangs holds nobody else up.
      if (await caller.waits(run, hearing, failing)) endTurn(place)
      event = await hearing
      if (closed.aborted && event.kind === 'unknown') {
        if (run.saying !== undefined || run.gate?.isDoubtful === true)
          onTrouble?.({ kind: 'given-up', ...failing, cause: event.cause })
        return caller.leaves(run, { ...failing, cause: event.cause })
      }
    }
  } finally {
    endTurn(place)
  }
}

/** Carries an effect out, after a pause where the store has failed. */
async function hear<Result>(
  effect: Exclude<Effect<Result>, { readonly kind: 'end' }>,
  failing: Failing,
  carrying: CarryingOut<Result>,
): Promise<Event> {
  const { closed, wait, onTrouble } = carrying.options
  const { cause, failures } = failing
  if (failures > 0) {
    onTrouble?.({ kind: 'again', ...failing })
    endTurn(carrying.place)
    if (!closed.aborted) await wait(needsPeople(cause) ? pauseForPeople : pauseAfter(failures), closed)
    if (closed.aborted) return { kind: 'unknown', cause }
  }
  return carryOut(effect, carrying)
}

/** The key of a payment, which may be moved, and a turn at it. */
interface Place {
  key: string
  turn: Turn | undefined
}

function endTurn(place: Place): void {
  place.turn?.end()
  place.turn = undefined
}

/** Everything that effects are carried out with. */
interface CarryingOut<Result> {
  readonly run: Run<Result>
  readonly time: StoreTime
  readonly place: Place
  readonly options: DriveOptions<Result>
}

async function carryOut<Result>(
  effect: Exclude<Effect<Result>, { readonly kind: 'end' }>,
  { run, time, place, options }: CarryingOut<Result>,
): Promise<Event> {
  const { store, send = sendsNothing, turns, ask } = options
  // It reads and writes in its turn, and lets others go first while it waits for anything else.
  if (effect.kind === 'ask' || effect.kind === 'request') endTurn(place)
  else {
    place.turn ??= turns(place.key)
    await place.turn.begins
  }
  /** Reads a payment where it is: an order that was adopted is in that which adopted it. */
  const read = async (): Promise<Known> => {
    for (;;) {
      const asked = time.read()
      const { at, stored } = await store.read(place.key)
      if (!Number.isFinite(at)) throw timeless
      time.heard(at, asked)
      const known = knownOf(stored)
      const { movedTo } = known.document ?? {}
      if (movedTo === undefined) return known
      place.key = siblingKey(place.key, movedTo)
    }
  }
  switch (effect.kind) {
    case 'read':
      try {
        return { kind: 'read', known: await read() }
      } catch (cause) {
        return { kind: isLasting(cause) || cause === timeless ? 'failed' : 'unknown', cause }
      }
    case 'write': {
      const { id, after, history, document, what } = effect
      let isTaken = false
      try {
        const entry = entryOf(document, history)
        checkWrite(place.key, entry, { after, id })
        isTaken = true
        const asked = time.read()
        const written = await store.write(place.key, entry, { after, id })
        // A write that was made is made, though the store does not say when.
        if (Number.isFinite(written.at)) time.heard(written.at, asked)
        if (written.kind === 'written') return { kind: 'written' }
        if (written.kind !== 'conflict' || written.current?.writeId === after)
          throw new StoreError('ERR_STORE_UNKNOWN', 'The store refused a write that it has to take: correct it.')
        const known = knownOf(written.current)
        return { kind: 'conflict', known: known.document?.movedTo === undefined ? known : await read() }
      } catch (cause) {
        // A write that no store can take is given up.
        return { kind: isTaken && !isOver(what, cause) ? 'unknown' : 'failed', cause }
      }
    }
    case 'ask':
      return { kind: 'asked', answer: await ask(effect.question, time.now) }
    case 'request':
      return { kind: 'sent', end: await send(requestOf(run, effect), effect.startBy - time.now().latest) }
  }
}

/**
 * Whether a write is not tried again after that failure. Permission ends at the first one that repeating does not mend. What happened is tried
 * through a full disk and tables of another release, until the store is closed; what can be asked for again, until only people can help.
 */
const isOver = (what: Extract<Effect<unknown>, { kind: 'write' }>['what'], cause: unknown): boolean =>
  what === 'gate' ? isLasting(cause) : isClosed(cause) || (what === 'reply' && needsPeople(cause))

const sendsNothing = async (): Promise<never> => {
  throw new TypeError('Nothing of this run is sent.')
}

const nothing: Known = { history: undefined, document: undefined, writeId: undefined }

const knownOf = (stored: Stored | undefined): Known =>
  stored === undefined ? nothing : { ...readKnown(stored), writeId: stored.writeId }

const timeless = new StoreError('ERR_STORE_UNREADABLE', 'The store did not say what its clock says: "at" is no number.')
