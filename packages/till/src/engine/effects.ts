import type { AttemptEnd } from '@tillkit/protocol'
import type { Marks, Moment } from '../intents/next.js'
import type { Answer, Question } from '../rules/answer.js'
import { entryOf, readDocument } from '../rules/kept/entry.js'
import type { KnownAttempt } from '../state/known.js'
import { siblingKey } from '../store/keys.js'
import { isClosed, isLasting, needsPeople } from '../store/persist.js'
import { checkWrite, type DocumentStore, type Stored, StoreError } from '../store/store.js'
import type { CallerOptions } from './caller.js'
import type { Handler } from './handler.js'
import type { Listening, News } from './news.js'
import { type Effect, type Event, type Known, nothingKnown, type Run, requestOf } from './run.js'
import type { StoreTime } from './store-time.js'
import type { Turn, Turns } from './turns.js'

/** Everything that effects are carried out by. */
export interface Tools {
  readonly store: Pick<DocumentStore, 'read' | 'write'>
  /** Reads the marks of the till. Absent: this run does not go by them. */
  readonly marks?: (() => Promise<Marks>) | undefined
  /** Sends the request of this run; its first byte leaves within so many milliseconds, or never. It does not reject. */
  readonly send?: ((request: KnownAttempt, startWithin: number) => Promise<AttemptEnd>) | undefined
  /** Asks status. It does not reject. */
  readonly ask: Ask
  /** Calls the merchant's handler. Absent: this run tells nobody. */
  readonly handler?: Handler | undefined
  /** The turns of this process. */
  readonly turns: Turns
  /** Each commit of this process is told here. */
  readonly news: News
  /** It goes by the document under that very key, though its order was adopted into another payment. Default: no. */
  readonly stays?: boolean | undefined
}

/** Asks status. @param now The store's time, as the run knows it. @param options How it is asked, where that is not as all others are. */
export type Ask = (
  question: Question,
  now: () => Moment,
  options?: { readonly timeout: number; readonly retries: number },
) => Promise<Answer>

/** A question whose answer is not needed is asked once, and for so long, in milliseconds. */
export const briefly = { timeout: 5_000, retries: 0 } as const

/** The key of a payment, which may be moved, a turn at it, and everything that is kept of it, by the last word of the store. */
export interface Place {
  key: string
  turn: Turn | undefined
  stored: Stored | undefined
  /** Hears of each commit of others here since the payment was read. */
  listening: Listening | undefined
}

/** Lets those go on who wait for a turn. */
export function endTurn(place: Place): void {
  place.turn?.end()
  place.turn = undefined
}

/** Listens for what others commit to the payment from now on. */
function listenTo(place: Place, news: News): void {
  place.listening?.end()
  place.listening = news.listen(place.key)
}

/** The run itself has committed: others hear of it. */
export function tellOthers({ key, listening }: Place, news: News): void {
  news.tell(key)
  listening?.forget()
}

/** Everything that effects are carried out with. */
export interface CarryingOut<Result> {
  readonly run: Run<Result>
  readonly time: StoreTime
  readonly place: Place
  readonly tools: Tools & Pick<CallerOptions, 'wait' | 'signal'>
}

/** Carries an effect out. It does not reject, but for a mistake in an intent. */
export async function carryOut<Result>(
  effect: Exclude<Effect<Result>, { readonly kind: 'end' }>,
  { run, time, place, tools }: CarryingOut<Result>,
): Promise<Event> {
  const { store, send = sendsNothing, turns, news, ask, handler, wait, signal, stays = false } = tools
  // It reads and writes in its turn, and lets others go first while it waits for anything else.
  if (effect.kind === 'read' || effect.kind === 'write') {
    place.turn ??= turns(place.key)
    await place.turn.begins
  } else endTurn(place)
  /** Reads a payment where it is: an order that was adopted is in that which adopted it. */
  const read = async (): Promise<Known> => {
    for (;;) {
      listenTo(place, news)
      const asked = time.read()
      const { at, stored } = await store.read(place.key)
      if (!Number.isFinite(at)) throw timeless
      time.heard(at, asked)
      place.stored = stored
      const known = knownOf(stored)
      const { movedTo } = known.document ?? {}
      if (movedTo === undefined || stays) return known
      place.key = siblingKey(place.key, movedTo)
    }
  }
  switch (effect.kind) {
    case 'read':
      try {
        const [known, marks] = await Promise.all([read(), tools.marks?.().catch(unreadable)])
        return { kind: 'read', known, marks }
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
        if (written.kind === 'written') {
          place.stored = { key: place.key, version: written.version, writeId: id, body: entry.body }
          return { kind: 'written' }
        }
        place.stored = written.current
        if (written.kind !== 'conflict' || written.current?.writeId === after)
          throw new StoreError('ERR_STORE_UNKNOWN', 'The store refused a write that it has to take: correct it.')
        const known = knownOf(written.current)
        return { kind: 'conflict', known: known.document?.movedTo === undefined || stays ? known : await read() }
      } catch (cause) {
        // A write that no store can take is given up.
        return { kind: isTaken && !isOver(what, cause) ? 'unknown' : 'failed', cause }
      }
    }
    case 'ask':
      return {
        kind: 'asked',
        answer: await ask(effect.question, time.now, effect.isBrief === true ? briefly : undefined),
      }
    case 'handle': {
      if (handler === undefined) throw new TypeError('This run tells nobody.')
      const { token, until } = effect
      const { latest: at } = time.now()
      const delivery = { key: place.key, known: run.known, stored: place.stored, token, at, within: until - at }
      return { kind: 'handled', end: await handler.handle(delivery) }
    }
    case 'sleep':
      return { kind: 'slept', isWoken: (await place.listening?.pause(effect.milliseconds, { signal, wait })) ?? false }
    case 'request':
      return { kind: 'sent', end: await send(requestOf(run, effect), effect.startBy - time.now().latest) }
  }
}

/**
 * Whether a write is not tried again after that failure. Permission ends at the first one that repeating does not mend.
 * A fact is tried through a full disk and tables of another release, until the store is closed;
 * what can be asked for again, until only people can help.
 */
const isOver = (what: Extract<Effect<unknown>, { kind: 'write' }>['what'], cause: unknown): boolean =>
  what === 'gate' ? isLasting(cause) : isClosed(cause) || (what === 'reply' && needsPeople(cause))

/** Nothing new is begun by marks that cannot be read; what is open goes on. @throws What may be better the next time. */
function unreadable(cause: unknown): Marks {
  if (isLasting(cause)) return { unreadable: { cause } }
  throw cause
}

const sendsNothing = async (): Promise<never> => {
  throw new TypeError('Nothing of this run is sent.')
}

const knownOf = (stored: Stored | undefined): Known =>
  stored === undefined ? nothingKnown : { document: readDocument(stored), writeId: stored.writeId }

const timeless = new StoreError('ERR_STORE_UNREADABLE', 'The store did not say what its clock says: "at" is no number.')
