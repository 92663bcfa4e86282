import type { CallOptions, ClientWithStore } from '@tillkit/client'
import { learntWord, namesOrder } from '@tillkit/client/core'
import { operations, type WireProfile } from '@tillkit/protocol'
import type { Moment } from '../intents/next.js'
import type { Answer, EarlierAbsence, Question } from '../rules/answer.js'
import type { Engine } from './engine.js'
import type { Clocks } from './store-time.js'

/** Everything that asking about the orders of an account needs. */
export interface AskerOptions {
  readonly client: Pick<ClientWithStore, 'prepare' | 'baseUrl'>
  readonly engine: Pick<Engine, 'store' | 'place'>
  readonly profile: WireProfile
  readonly clocks: Clocks
}

/** How a question is put, where it is not put as all others are. */
export type QuestionOptions = Pick<CallOptions, 'timeout' | 'retries' | 'merchant' | 'signal'>

/** Asks status about an order of an account. It does not reject. */
export type AskAccount = (question: Question, now: () => Moment, options?: QuestionOptions) => Promise<Answer>

/** Most orders of which answers of absence are remembered. Of those before them the store's clock counts alone. */
const mostOrders = 10_000

/** Makes what asks status about the orders of an account. */
export function createAsker({ client, engine, profile, clocks }: AskerOptions): AskAccount {
  const absences = rememberAbsences(clocks)

  /** The gateway's word for an order that it has never seen. Undefined: it is not known. */
  const neverSeenWord = async (login: string): Promise<string | undefined> => {
    const { value } = profile.orderNeverSeen
    return value ?? learntWord(login, { ...engine.place, store: engine.store }).catch(() => undefined)
  }

  return async (question, now, options = {}) => {
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
      const sent = await client.prepare(operations.status, request, { ...options, endpointId, endpointGroupId }).send()
      if ('reply' in sent) return answer({ kind: 'reply', reply: sent.reply } as const)
      const { error } = sent
      if (error.code !== 'ERR_REQUEST_REFUSED') return answer({ kind: 'no-answer' } as const)
      const isAbsent = error.errorCode !== undefined && error.errorCode === (await neverSeenWord(login))
      if (!isAbsent || namesOrder(error, profile)) return answer({ kind: 'refused' } as const)
      const absent = answer({ kind: 'never-seen', baseUrl: client.baseUrl, before } as const)
      absences.remember(absent)
      return absent
    } catch {
      // The question cannot be asked, or the client is closed.
      return answer({ kind: 'no-answer' } as const)
    }
  }
}

/** Answers of absence that came to this process, by its own clock: that of the store may be set between two of them. */
function rememberAbsences({ monotonic }: Clocks) {
  const heard = new Map<string, { readonly answeredAt: number; readonly heardAt: number }[]>()
  const keyOf = ({ login, clientOrderId, endpointId, endpointGroupId }: Question): string =>
    JSON.stringify([login, clientOrderId, endpointId, endpointGroupId])
  return {
    /** Gives the answers of absence about an order until now. */
    before(question: Question): readonly EarlierAbsence[] {
      const now = monotonic()
      return (heard.get(keyOf(question)) ?? []).map(({ answeredAt, heardAt }) => ({ answeredAt, ago: now - heardAt }))
    },
    remember({ question, answeredAt }: Pick<Answer, 'question' | 'answeredAt'>): void {
      const key = keyOf(question)
      const all = [...(heard.get(key) ?? []), { answeredAt, heardAt: monotonic() }]
      heard.delete(key)
      heard.set(key, all.slice(-mostAnswers))
      const [oldest] = heard.keys()
      if (heard.size > mostOrders && oldest !== undefined) heard.delete(oldest)
    },
  }
}

/** Most answers of absence that are remembered of an order. */
const mostAnswers = 20
