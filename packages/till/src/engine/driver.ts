import type { WireProfile } from '@tillkit/protocol'
import type { Next } from '../intents/next.js'
import type { PaymentDocument } from '../state/document.js'
import type { WantedChange } from '../state/known.js'
import { needsPeople, pauseAfter, type StoreTrouble } from '../store/persist.js'
import { createAdvance, type HeardAt } from './advance.js'
import { type CallerOptions, createCaller, type Failing } from './caller.js'
import { type CarryingOut, carryOut, endTurn, type Place, type Tools, tellOthers } from './effects.js'
import { type Effect, type Ended, type Event, newRun, type Run, type Staged } from './run.js'
import { type Clocks, createStoreTime } from './store-time.js'

/** Everything that a run is driven with. */
export interface DriveOptions<Result> extends CallerOptions, Tools {
  /** The id of the run: never the same one twice, in any process. */
  readonly id: string
  /** The key of the payment, in the store. */
  readonly key: string
  readonly next: Next<Result>
  /** Everything that has happened before, and is to be written down. */
  readonly staged?: readonly Staged[] | undefined
  readonly profileOf: (login: string) => WireProfile
  /** Called once it is durable that the handler was told. @param wanted What it wants done about the order. */
  readonly told?: ((payment: PaymentDocument, wanted: readonly WantedChange[]) => void) | undefined
  /** Whether the patience begins anew with each word of the store, the gateway and the handler. Default: it is for all of the run. */
  readonly isPatientAgain?: boolean | undefined
  readonly clocks: Clocks
  /** Fires when nobody waits for the store any more. */
  readonly closed: AbortSignal
  /** Told of a store that failed. */
  readonly onTrouble?: ((trouble: StoreTrouble) => void) | undefined
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
  const place: Place = { key: options.key, turn: undefined, stored: undefined, listening: undefined }
  let run: Run<Result> = newRun(id, patience, options.staged)
  let event: Event = { kind: 'began' }
  let failures = 0
  try {
    for (;;) {
      if (options.isPatientAgain === true && event.kind !== 'unknown') time.begin()
      const at = { ...caller.now(), isHandling: options.handler?.isHandling(place.key) === true }
      const cause: unknown = event.kind === 'unknown' ? event.cause : undefined
      failures = event.kind === 'unknown' ? failures + 1 : 0
      const { run: after, effect } = advance(run, event, at)
      if (hasCommitted(event)) tellOthers(place, options.news)
      if (options.told !== undefined) tellTold(run, event, options.told)
      run = after
      record?.({ run: id, at, event, effect })
      const failing = { key: place.key, cause, failures }
      if (effect.kind === 'end') {
        const { result } = effect
        if (result.kind === 'done' && result.unwritten !== undefined)
          onTrouble?.({ kind: 'given-up', ...failing, cause: result.unwritten.cause })
        return failures > 0 ? caller.leaves(run, failing) : caller.hears(result)
      }
      const hearing = hear(effect, failing, { run, time, place, tools: options }, options)
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
    place.listening?.end()
  }
}

const hasCommitted = (event: Event): boolean =>
  event.kind === 'written' || (event.kind === 'handled' && event.end.kind === 'committed')

/** Carries an effect out, after a pause where the store has failed. */
async function hear<Result>(
  effect: Exclude<Effect<Result>, { readonly kind: 'end' }>,
  failing: Failing,
  carrying: CarryingOut<Result>,
  { closed, wait, onTrouble }: Pick<DriveOptions<Result>, 'closed' | 'wait' | 'onTrouble'>,
): Promise<Event> {
  const { cause, failures } = failing
  if (failures > 0) {
    onTrouble?.({ kind: 'again', ...failing })
    endTurn(carrying.place)
    if (!closed.aborted) await wait(needsPeople(cause) ? pauseForPeople : pauseAfter(failures), closed)
    if (closed.aborted) return { kind: 'unknown', cause }
  }
  return carryOut(effect, carrying)
}

/** Says that the handler was told, once that is durable. */
function tellTold(
  { doing, staged }: Run<unknown>,
  event: Event,
  told: NonNullable<DriveOptions<unknown>['told']>,
): void {
  if (event.kind === 'written' && doing.kind === 'write')
    for (const each of staged) if (each.kind === 'told') told(doing.document, each.wanted)
  if (event.kind === 'handled' && event.end.kind === 'committed' && event.end.known.document !== undefined)
    told(event.end.known.document, event.end.wanted)
}
