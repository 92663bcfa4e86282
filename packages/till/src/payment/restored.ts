import { randomUUID } from 'node:crypto'
import { isGatewayError } from '@tillkit/client'
import {
  echoesIds,
  emptyDocument,
  type PaymentDocument,
  restoredKey,
  type StatusResponse,
  takeUpOrder,
} from '@tillkit/protocol'
import type { Account, Accounts } from './accounts.js'
import type { PaymentBook } from './book.js'
import { codeOf } from './errors.js'
import type { Beginning } from './requests.js'

/** What is kept under a key of its own, for every process that has the store. */
interface RestoredDocument extends PaymentDocument {
  /** Until when status is asked before anything is sent, in milliseconds of the store's clock. */
  readonly restoredUntil?: number
}

/** What is known of a store that was restored from a backup. */
export interface RestoredMark {
  /** Writes down that it was, just now. @param retention How long that counts, in milliseconds. */
  set(retention: number): Promise<void>
  /** Whether it counts still. @throws A `StoreError` where the store does not answer within ten seconds. */
  isSet(): Promise<boolean>
}

/** Until when it counts that a store was restored, in milliseconds of its clock; 0: it was not. */
export const restoredUntil = (document: RestoredDocument | undefined): number => Number(document?.restoredUntil ?? 0)

/** Opens the mark of a store. */
export function openRestoredMark({ place, decide, readKey }: PaymentBook): RestoredMark {
  const key = restoredKey(place)
  return {
    async set(retention) {
      await decide(key, ({ document = emptyDocument('restored'), at }) => {
        const until = Math.max(restoredUntil(document), at + retention)
        const marked: RestoredDocument = { ...document, restoredUntil: until }
        return { result: undefined, document: marked }
      })
    },
    async isSet() {
      const { document, at } = await readKey(key)
      return restoredUntil(document) > at
    },
  }
}

/** What looking for orders at the gateway came to. `no-answer`: nothing may be concluded. */
export type Found =
  | {
      readonly kind: 'known'
      readonly clientOrderId: string
      readonly account: Account
      readonly reply: StatusResponse
      readonly askedAt: number
    }
  | { readonly kind: 'absent' | 'no-answer' }

/** Asks status of every account which of some orders the gateway has: the first one that it has counts. */
export async function findAtGateway(
  clientOrderIds: readonly string[],
  { accounts, clock }: { readonly accounts: Accounts; readonly clock: () => number },
): Promise<Found> {
  for (const clientOrderId of clientOrderIds) {
    for (const account of accounts.all) {
      const askedAt = clock()
      try {
        const reply = await account.client.status({ clientOrderId })
        if (!echoesIds(reply, { clientOrderId })) return { kind: 'no-answer' }
        return { kind: 'known', clientOrderId, account, reply, askedAt }
      } catch (error) {
        if (!(await isNeverSeen(error, account))) return { kind: 'no-answer' }
      }
    }
  }
  return { kind: 'absent' }
}

/**
 * Whether the gateway refused a question as it does for an order that it has never seen: by the word of the profile, or else as it does
 * at this moment for an id that was just made up.
 */
async function isNeverSeen(error: unknown, { client, profile }: Account): Promise<boolean> {
  const code = refusedWith(error)
  if (code === undefined) return false
  const word = profile.orderNeverSeen.value
  if (word !== undefined) return code === word
  const made = await client.status({ clientOrderId: `never-${randomUUID()}` }).catch((other: unknown) => other)
  return refusedWith(made) === code
}

const refusedWith = (error: unknown): string | undefined =>
  isGatewayError(error) && codeOf(error) === 'ERR_REQUEST_REFUSED' && 'errorCode' in error ? error.errorCode : undefined

/** Writes down an order that the gateway has and the store lost, as if its request had been here. */
export async function takeUp(
  { clientOrderId, account: { login, client, profile }, reply, askedAt }: Extract<Found, { readonly kind: 'known' }>,
  {
    beginning: { reference, operation, purpose },
    payments,
    clock,
  }: { readonly beginning: Beginning; readonly payments: PaymentBook; readonly clock: () => number },
): Promise<void> {
  const [attemptId, reservation] = [randomUUID(), randomUUID()]
  const request = { attemptId, reservation, login, baseUrl: client.baseUrl, fingerprint: '', operation, purpose }
  await payments.decide(payments.keyOf(reference), ({ document, at }) => {
    const asked = { reply, age: clock() - askedAt }
    const taken = takeUpOrder(document, { ...request, clientOrderId }, { asked, profile, at })
    return { result: undefined, document: taken }
  })
}
