import { type CallOptions, type Client, NotSentError, type PreparedRequest } from '@tillkit/client'
import { namesOrder } from '@tillkit/client/core'
import { operations, quote, type StatusResponse, type WireProfile } from '@tillkit/protocol'
import type { Moment } from '../intents/next.js'
import { type Answer, type EarlierAbsence, identityOf, type Question, replyTo } from '../rules/answer.js'
import { absenceTimes } from '../rules/learn.js'
import { learntWord } from '../said/learnt.js'
import { merchantIdOf } from '../store/keys.js'
import { endOfWait } from './end-of-wait.js'
import type { Engine } from './engine.js'
import type { Clocks } from './store-time.js'

/** Everything that asking about the orders of an account needs. */
export interface AskerOptions {
  readonly client: Pick<Client, 'prepare' | 'baseUrl'>
  readonly engine: Pick<Engine, 'store' | 'place'>
  readonly profile: WireProfile
  readonly clocks: Clocks
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Waits until the account may be asked. @returns How long that took, in milliseconds; undefined: it would take too long. */
  readonly mayAsk: (patience: AskingPatience) => Promise<number | undefined>
}

/** How long somebody waits until an account may be asked. */
export interface AskingPatience {
  /** Milliseconds. */
  readonly most: number
  /** Ends the waiting at once. */
  readonly signal?: AbortSignal | undefined
}

/** How a question is put, where it is not put as all others are. Such a question is nobody else's. */
export interface QuestionOptions extends Pick<CallOptions, 'timeout' | 'retries' | 'merchant' | 'signal'> {
  /** The very request, where somebody else has prepared it. */
  readonly prepared?: PreparedRequest<StatusResponse>
}

/** Asks status about an order of an account. It does not reject. */
export type AskAccount = (question: Question, now: () => Moment, options?: QuestionOptions) => Promise<Answer>

/** An answer, without what differs between those who share it. */
type Said = WithoutTimes<Answer>
type WithoutTimes<Each> = Each extends Answer ? Omit<Each, 'question' | 'askedAt' | 'answeredAt'> : never

/** Puts a question. @param begins Called before its first byte. */
type Put = (question: Question, begins: () => void, options?: QuestionOptions) => Promise<Said>

/** How long a question waits for the gateway's word to be read, in milliseconds. */
const longestReading = 5_000

/** Most orders of which answers of absence are remembered. Of those before them the store's clock counts alone. */
const mostOrders = 10_000

/** Makes what asks status about the orders of an account. Whoever needs an answer to a question that has not begun yet shares it. */
export function createAsker({ client, engine, profile, clocks, wait, mayAsk }: AskerOptions): AskAccount {
  const absences = rememberAbsences(clocks)

  /**
   * The gateway's word for an order that it has never seen, if anybody knows it. Undefined: the store does not say whether anybody does.
   */
  const neverSeenWord = async (login: string): Promise<{ readonly word: string | undefined } | undefined> => {
    const { value } = profile.orderNeverSeen
    if (value !== undefined) return { word: value }
    let said: { readonly word: string | undefined } | undefined
    const reading = learntWord(login, engine).then(
      word => {
        said = { word }
      },
      () => undefined,
    )
    await endOfWait(reading, { most: longestReading, wait, signal: undefined })
    return said
  }

  const put: Put = async (question, begins, { prepared, ...options } = {}) => {
    const { login, clientOrderId, orderId, bySerialNumber, endpointId, endpointGroupId } = question
    const request = {
      clientOrderId: merchantIdOf(clientOrderId),
      ...(orderId === undefined ? {} : { orderId }),
      ...(bySerialNumber === undefined ? {} : { byRequestSn: bySerialNumber }),
    }
    try {
      const asking = prepared ?? client.prepare(operations.status, request, { ...options, endpointId, endpointGroupId })
      const most = asking.timeout
      const waited = await mayAsk({ most, signal: options.signal })
      if (waited === undefined) return { kind: 'no-answer', cause: notAsked(question) }
      const absencesBefore = absences.before(question)
      begins()
      const sent = await asking.send(waited === 0 ? {} : { timeout: most - waited })
      if ('reply' in sent) return { kind: 'reply', reply: replyTo(question, sent.reply) }
      const { error } = sent
      if (error.code !== 'ERR_REQUEST_REFUSED') return { kind: 'no-answer', cause: error }
      const { errorCode } = error
      const known = await neverSeenWord(login)
      const word = known?.word
      const isNamed = namesOrder(error, profile)
      // A word that could not be read may be another one than this.
      const mayBeAbsence = known !== undefined && word === undefined && !isNamed
      return errorCode === undefined || errorCode !== word || isNamed
        ? { kind: 'refused', errorCode, mayBeAbsence, cause: error }
        : { kind: 'never-seen', baseUrl: client.baseUrl, before: absencesBefore(), cause: error }
    } catch (cause) {
      // The question cannot be asked, or the client is closed.
      return { kind: 'no-answer', cause }
    }
  }
  const share = sharing(put, wait)

  return async (question, now, options) => {
    let { earliest: askedAt } = now()
    const begins = (): void => {
      askedAt = now().earliest
    }
    const said = await (options === undefined ? share(question, begins) : put(question, begins, options))
    const answer = { ...said, question, askedAt, answeredAt: now().latest }
    if (answer.kind === 'never-seen') absences.remember(answer)
    return answer
  }
}

/** Why nothing was asked. */
const notAsked = ({ login, clientOrderId, orderId }: Question): NotSentError =>
  new NotSentError(
    `Status of order ${quote(clientOrderId)} was not asked: ` +
      'the gateway, or a server in front of it, says that it is too busy. Nothing was sent; ask later.',
    { operation: 'status', login, clientOrderId, orderId },
  )

/** A question that has not begun: what is to be called before its first byte, and its answer. */
interface Open {
  readonly begins: (() => void)[]
  readonly said: Promise<Said>
}

/** So many equal questions are under way before another one waits for one of them to end: the first may hang. */
const mostEqual = 2

/** Longest time that an equal question waits for one that is under way, in milliseconds. */
const longestEqual = 1_000

/**
 * Lets equal questions be one. A caller who comes before the question has begun shares its answer. One who comes
 * afterwards needs another answer, since this one may be older than what it is to show.
 * Only a reply, or that none came, is everybody's. A refusal is that of the first alone, and everybody else asks:
 * an answer of absence counts once.
 */
function sharing(put: Put, wait: AskerOptions['wait']): (question: Question, begin: () => void) => Promise<Said> {
  /** The questions that have not begun. */
  const open = new Map<string, Open>()
  const underWay = new Map<string, Set<Promise<Said>>>()
  const share = async ({ begins, said: asking }: Open, question: Question, begin: () => void): Promise<Said> => {
    let hasBegun = false
    begins.push(() => {
      hasBegun = true
      begin()
    })
    const said = await asking
    return said.kind === 'reply' || (said.kind === 'no-answer' && hasBegun) ? said : put(question, begin)
  }
  return async (question, begin) => {
    const key = identityOf(question)
    const other = open.get(key)
    if (other !== undefined) return share(other, question, begin)
    const begins = [begin]
    const ask = async (): Promise<Said> => {
      const equal = underWay.get(key) ?? new Set()
      if (equal.size >= mostEqual) await endOfWait(Promise.race(equal), { most: longestEqual, wait, signal: undefined })
      return put(question, () => {
        open.delete(key)
        underWay.set(key, (underWay.get(key) ?? new Set()).add(said))
        for (const each of begins) each()
      })
    }
    const said = ask()
    open.set(key, { begins, said })
    const answer = await said
    if (open.get(key)?.said === said) open.delete(key)
    const equal = underWay.get(key)
    equal?.delete(said)
    if (equal?.size === 0) underWay.delete(key)
    return answer
  }
}

/** Answers of absence that came to this process, by its own clock: that of the store may be set between two of them. */
function rememberAbsences({ monotonic }: Clocks) {
  /** A clock that fails lets nothing count as long ago. */
  const now = (): number => {
    try {
      return monotonic()
    } catch {
      return Number.NaN
    }
  }
  const heard = new Map<string, { readonly answeredAt: number; readonly heardAt: number }[]>()
  const keyOf = ({ login, clientOrderId, endpointId, endpointGroupId }: Question): string =>
    JSON.stringify([login, clientOrderId, endpointId, endpointGroupId])
  return {
    /** A question about an order is asked now. @returns What gives the answers of absence about it, those that came since then included. */
    before(question: Question): () => readonly EarlierAbsence[] {
      const at = now()
      return () =>
        (heard.get(keyOf(question)) ?? []).map(({ answeredAt, heardAt }) => ({ answeredAt, ago: at - heardAt }))
    },
    remember({ question, answeredAt }: Pick<Answer, 'question' | 'answeredAt'>): void {
      const key = keyOf(question)
      const last = { answeredAt, heardAt: now() }
      // An older one needs no remembering: its pause was long enough.
      const isRecent = ({ heardAt }: typeof last): boolean => !(last.heardAt - heardAt > 2 * absenceTimes.apart)
      const all = [...(heard.get(key) ?? []).filter(isRecent), last]
      heard.delete(key)
      heard.set(key, all)
      const [oldest] = heard.keys()
      if (heard.size > mostOrders && oldest !== undefined) heard.delete(oldest)
    },
  }
}
