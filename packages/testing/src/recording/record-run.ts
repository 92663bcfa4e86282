/**
 * Records a run with a gateway, redacted before anything of it is kept.
 *
 * @module
 */
import { defaultProfile, type WireProfile } from '@tillkit/protocol'
import { decodeForm, type Parameter } from '@tillkit/signing'
import { Dispatcher, getGlobalDispatcher } from 'undici'
import { type Redaction, redactText } from '../log/redact.js'
import { readFlatObject } from './flat-object.js'
import type { RecordedAnswer, RecordedExchange, Recording } from './recording.js'
import { redactMember, redactRecorded } from './redact-exchange.js'
import { watchedHandler } from './watched-handler.js'

/** How a run is recorded. */
export interface RecordRunOptions {
  /** What carries the requests. Default: the global dispatcher of undici. */
  readonly dispatcher?: Dispatcher
  /** Control keys of the merchant, so that they are hidden even where they should never be. */
  readonly controlKeys: readonly string[]
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
}

/** A run that is being recorded. */
export interface RunRecorder {
  /** Hand it to the client. */
  readonly dispatcher: Dispatcher
  /** What has been answered so far, or failed. Write it with `JSON.stringify`. */
  recording(): Recording
}

/**
 * Records what a client asks a gateway and what it is answered. What is kept holds no card data, no key, no control value, no
 * signature, and nothing that tells who the customer is; of a field nobody knows it holds the length, and of a page that is
 * no reply too.
 *
 * @example
 * ```ts
 * const recorder = recordRun({ controlKeys: [controlKey] })
 * const client = createClient({ ...options, dispatcher: recorder.dispatcher })
 * // … against the sandbox …
 * await writeFile('run.json', JSON.stringify(recorder.recording(), undefined, 2))
 * ```
 */
export function recordRun(options: RecordRunOptions): RunRecorder {
  const { dispatcher = getGlobalDispatcher(), controlKeys, profile = defaultProfile } = options
  const redaction: Redaction = { controlKeys, controlField: profile.controlField.value }
  const slots: { exchange?: RecordedExchange }[] = []
  return {
    dispatcher: new RecordingDispatcher(dispatcher, {
      begin(options) {
        const slot: { exchange?: RecordedExchange } = {}
        slots.push(slot)
        const asked = askedOf(options, redaction)
        return answer => {
          slot.exchange = { ...asked, answer }
        }
      },
      redaction,
    }),
    recording: () => ({
      version: 1,
      exchanges: slots.flatMap(({ exchange }) => (exchange === undefined ? [] : [exchange])),
    }),
  }
}

interface Recorder {
  readonly redaction: Redaction
  /** Takes note of a request. @returns What takes note of its answer. */
  begin(options: Dispatcher.DispatchOptions): (answer: RecordedAnswer) => void
}

/** A class because undici's own are: a dispatcher must be one for `request`, `stream` and `compose` to work on it. */
class RecordingDispatcher extends Dispatcher {
  readonly #carrier: Dispatcher
  readonly #recorder: Recorder

  constructor(carrier: Dispatcher, recorder: Recorder) {
    super()
    this.#carrier = carrier
    this.#recorder = recorder
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const keep = this.#recorder.begin(options)
    return this.#carrier.dispatch(options, watchedHandler(handler, watcherOf(keep, this.#recorder.redaction)))
  }

  /** The carrier is its owner's to close. */
  override close(callback?: () => void): Promise<void> {
    callback?.()
    return Promise.resolve()
  }

  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> {
    const callback = typeof first === 'function' ? first : second
    callback?.()
    return Promise.resolve()
  }
}

/** Largest answer that is read, in bytes; a larger one is no reply. */
const largestReply = 1_048_576

function watcherOf(keep: (answer: RecordedAnswer) => void, redaction: Redaction) {
  let started = false
  let head: { readonly status: number; readonly mediaType: string } | undefined
  let length = 0
  const chunks: Uint8Array[] = []
  return {
    start() {
      started = true
    },
    head(status: number, mediaType: string) {
      head = { status, mediaType: redactText(mediaType, redaction) }
    },
    data(chunk: Uint8Array) {
      length += chunk.byteLength
      if (length <= largestReply) chunks.push(Uint8Array.from(chunk))
    },
    end() {
      if (head === undefined) return
      const values = length > largestReply ? undefined : readFlatObject(Buffer.concat(chunks).toString('utf8'))
      const answer =
        values === undefined
          ? ({ kind: 'page', ...head, length } as const)
          : ({ kind: 'reply', ...head, values: values.map(member => redactMember(member, redaction)) } as const)
      keep(answer)
    },
    fail(error: Error) {
      const when = !started ? 'before-start' : head === undefined ? 'before-answer' : 'within-answer'
      const { code } = error as { code?: unknown }
      keep({ kind: 'failure', when, ...(typeof code === 'string' ? { code } : {}) })
    },
  }
}

function askedOf(
  { method, origin, path, body }: Dispatcher.DispatchOptions,
  redaction: Redaction,
): Omit<RecordedExchange, 'answer'> {
  const fields = fieldsOf(body)
  return {
    method,
    origin: origin === undefined ? '' : new URL(origin).origin,
    path: redactText(path, redaction),
    ...(fields === undefined ? {} : { fields: fields.map(field => redactRecorded(field, redaction)) }),
  }
}

/** @returns undefined for what is no form, a stream among it: reading one would take it away from the gateway. */
export function fieldsOf(body: unknown): readonly Parameter[] | undefined {
  const text =
    typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : undefined
  if (text === undefined) return undefined
  try {
    return decodeForm(text)
  } catch {
    return undefined
  }
}
