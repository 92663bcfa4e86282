/**
 * Replays a recorded run: every request that was made is answered as it was, and no other.
 *
 * @module
 */
import type { Dispatcher } from 'undici'
import { createDispatcher } from '../http/dispatcher.js'
import type { GatewayAnswer, GatewayRequest } from '../http/gateway-message.js'
import { couldBe } from '../log/masked-value.js'
import { fieldsOf } from './record-run.js'
import type { RecordedAnswer, RecordedExchange, Recording } from './recording.js'
import { isHidden } from './redact-exchange.js'

/** A run that is being replayed. */
export interface RunReplay {
  /** Hand it to the client. It reaches no network. */
  readonly dispatcher: Dispatcher
  /** Requests of the recording that have not been made yet, as `method path`. */
  remaining(): readonly string[]
  /** @throws An error that names the requests of the recording that were not made. */
  assertAllReplayed(): void
}

/** A request that the recording does not hold, or not any more. It fails before it starts. */
export class ReplayMismatchError extends Error {
  override readonly name = 'ReplayMismatchError'
  readonly code = 'ERR_REPLAY_MISMATCH'
}

/**
 * Replays a run. A request gets the answer of the first one in the recording that is like it and has not been replayed: the
 * same method, path and fields, whatever the host. Fields that were hidden are not compared, a card number by what is shown of it. Signatures
 * are not compared, nor is the time.
 *
 * @throws {TypeError} when it is no recording.
 * @example
 * ```ts
 * const replay = replayRun(JSON.parse(await readFile('run.json', 'utf8')))
 * const client = createClient({ ...options, dispatcher: replay.dispatcher })
 * ```
 */
export function replayRun(recording: Recording): RunReplay {
  if (recording?.version !== 1 || !Array.isArray(recording.exchanges)) {
    throw new TypeError('This is no recording: recordRun({ … }).recording() makes one, of version 1.')
  }
  const left = [...recording.exchanges]
  const taken = new WeakMap<GatewayRequest, RecordedAnswer>()
  const remaining = () => left.map(({ method, path }) => `${method} ${path}`)
  const dispatcher = createDispatcher({
    origins: () => undefined,
    maxBodyBytes: Number.MAX_SAFE_INTEGER,
    afterwards: () => undefined,
    refuses(request) {
      const index = left.findIndex(exchange => differenceOf(exchange, request) === undefined)
      const exchange = left[index]
      if (exchange === undefined) return mismatch(request, { left, all: recording.exchanges })
      left.splice(index, 1)
      const { answer } = exchange
      taken.set(request, answer)
      return answer.kind === 'failure' && answer.when === 'before-start' ? failure(answer.code) : undefined
    },
    answer: request => Promise.resolve(answerOf(taken.get(request))),
  })
  return {
    dispatcher,
    remaining,
    assertAllReplayed() {
      if (left.length === 0) return
      throw new Error(`${left.length} request(s) of the recording were not made:\n${remaining().join('\n')}`)
    },
  }
}

/** @returns What is different, in a sentence; undefined where nothing is. */
function differenceOf({ method, path, fields = [] }: RecordedExchange, request: GatewayRequest): string | undefined {
  const { pathname, search } = request.url
  if (request.method !== method || `${pathname}${search}` !== path) return 'It went to another path.'
  const sent = fieldsOf(request.body) ?? []
  const names = new Set([...fields, ...sent].map(([name]) => name))
  for (const name of names) {
    const [recorded, now] = [fields, sent].map(list => list.filter(field => field[0] === name).map(field => field[1]))
    const same = recorded?.length === now?.length && recorded?.every((value, at) => isLike(value, now?.[at] ?? ''))
    if (same !== true) return `"${name}" was ${shown(recorded)}, and now is ${shown(now?.map(length))}.`
  }
  return undefined
}

const isLike = (recorded: string, now: string): boolean => isHidden(recorded) || couldBe(recorded, now)

const shown = (values: readonly string[] = []): string => (values.length === 0 ? 'not there' : values.join(', '))

/** What is sent now was never redacted: its length has to do. */
const length = (value: string): string => `${value.length} characters long and another`

function mismatch(
  request: GatewayRequest,
  { left, all }: { readonly left: readonly RecordedExchange[]; readonly all: readonly RecordedExchange[] },
): ReplayMismatchError {
  const what = `${request.method} ${request.url.pathname}`
  if (all.some(exchange => differenceOf(exchange, request) === undefined)) {
    return new ReplayMismatchError(
      `${what} was made more often than in the recording. Record the run again, or find out what repeats it.`,
    )
  }
  const near = left.find(
    ({ method, path }) => method === request.method && path === `${request.url.pathname}${request.url.search}`,
  )
  const why = near === undefined ? 'No request to that path is left in it.' : differenceOf(near, request)
  return new ReplayMismatchError(
    `${what} is not in the recording. ${why} Give the code under test the same ids as when it was recorded.`,
  )
}

const failure = (code = 'ECONNREFUSED'): Error => Object.assign(new Error(`${code}, as recorded`), { code })

function answerOf(answer: RecordedAnswer | undefined): GatewayAnswer {
  if (answer === undefined || answer.kind === 'failure') {
    const cut = answer?.when === 'within-answer'
    return cut ? { status: 200, headers: { 'content-type': 'text/plain' }, body: '<cut>', cut } : { hangUp: true }
  }
  const { status, mediaType } = answer
  return {
    status,
    headers: { 'content-type': mediaType },
    body: answer.kind === 'page' ? pageOf(answer.length) : writeBody(answer.values),
  }
}

const pageOf = (length: number): string => `<page of ${length} bytes, as recorded>`

function writeBody(values: Extract<RecordedAnswer, { kind: 'reply' }>['values']): string {
  const members = values.map(
    ([name, value]) => `${JSON.stringify(name)}:${typeof value === 'string' ? JSON.stringify(value) : value.json}`,
  )
  return `{${members.join(',')}}`
}
