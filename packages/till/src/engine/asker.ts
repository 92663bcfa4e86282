import type { CallOptions, Client, PreparedRequest } from '@tillkit/client'
import { namesOrder } from '@tillkit/client/core'
import { operations, type StatusResponse, type WireProfile } from '@tillkit/protocol'
import type { Moment } from '../intents/next.js'
import type { Answer, EarlierAbsence, Question } from '../rules/answer.js'
import { absenceTimes } from '../rules/learn.js'
import { learntWord } from '../said/learnt.js'
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
}

/** How a question is put, where it is not put as all others are. */
export interface QuestionOptions extends Pick<CallOptions, 'timeout' | 'retries' | 'merchant' | 'signal'> {
  /** The very request, where somebody else has prepared it. */
  readonly prepared?: PreparedRequest<StatusResponse>
}

/** Asks status about an order of an account. It does not reject. */
export type AskAccount = (question: Question, now: () => Moment, options?: QuestionOptions) => Promise<Answer>

/** How long a question waits for the gateway's word to be read, in milliseconds. */
const longestReading = 5_000

/** Most orders of which answers of absence are remembered. Of those before them the store's clock counts alone. */
const mostOrders = 10_000

/** Makes what asks status about the orders of an account. */
export function createAsker({ client, engine, profile, clocks, wait }: AskerOptions): AskAccount {
  const absences = rememberAbsences(clocks)

  /** The gateway's word for an order that it has never seen, if anybody knows it. Undefined: the store does not say whether anybody does. */
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

  return async (question, now, { prepared, ...options } = {}) => {
    const { login, clientOrderId, orderId, bySerialNumber, endpointId, endpointGroupId } = question
    const before = absences.before(question)
    const { earliest: askedAt } = now()
    const answer = <Said>(said: Said) => ({ ...said, question, askedAt, answeredAt: now().latest })
    const request = {
      clientOrderId,
      ...(orderId === undefined ? {} : { orderId }),
      ...(bySerialNumber === undefined ? {} : { byRequestSn: bySerialNumber }),
    }
    try {
      const asking = prepared ?? client.prepare(operations.status, request, { ...options, endpointId, endpointGroupId })
      const sent = await asking.send()
      if ('reply' in sent) return answer({ kind: 'reply', reply: sent.reply } as const)
      const { error } = sent
      if (error.code !== 'ERR_REQUEST_REFUSED') return answer({ kind: 'no-answer', cause: error } as const)
      const { errorCode } = error
      const known = await neverSeenWord(login)
      const word = known?.word
      const isNamed = namesOrder(error, profile)
      // A word that could not be read may be another one than this.
      const mayBeAbsence = known !== undefined && word === undefined && !isNamed
      if (errorCode === undefined || errorCode !== word || isNamed)
        return answer({ kind: 'refused', errorCode, mayBeAbsence, cause: error } as const)
      const absent = answer({ kind: 'never-seen', baseUrl: client.baseUrl, before, cause: error } as const)
      absences.remember(absent)
      return absent
    } catch (cause) {
      // The question cannot be asked, or the client is closed.
      return answer({ kind: 'no-answer', cause } as const)
    }
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
    /** Gives the answers of absence about an order until now. */
    before(question: Question): readonly EarlierAbsence[] {
      const at = now()
      return (heard.get(keyOf(question)) ?? []).map(({ answeredAt, heardAt }) => ({ answeredAt, ago: at - heardAt }))
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
