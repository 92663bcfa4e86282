/** A gateway over real HTTP and a client that share one clock, which waiting moves forward: fourteen days take no time. */

import type { SaleByCardRequest, StatusResponse } from '@tillkit/protocol'
import {
  createFakeClock,
  createFakeGateway,
  type FakeClock,
  type FakeGateway,
  type FakeGatewayOptions,
  type HandlerReply,
  hangUp,
} from '@tillkit/testing'
import { type Client, type ClientOptions, createClient } from '../src/index.js'
import { saleRequest } from './sample-requests.js'
import { testKey } from './test-key.js'

export interface Watching {
  readonly gateway: FakeGateway
  readonly client: Client
  readonly clock: FakeClock
  /** Every pause so far, in milliseconds. */
  readonly pauses: readonly number[]
  /** Another client of the same gateway, such as the next process has. */
  another(options?: Partial<ClientOptions>): Client
  /** Makes a sale whose outcome its CVV2 decides, `123` for approved. @returns What to wait for. */
  sell(cvv2?: string): Promise<SaleQuestion>
  /** Answers status with these replies, one after the other, then as the gateway would. */
  answerStatus(...replies: readonly StatusAnswer[]): void
  close(): Promise<void>
}

/** What is waited for after a sale. */
export type SaleQuestion = typeof expectedSale & ReturnType<typeof ids>

/** One answer to a status question; `gateway` leaves it to the gateway. */
export type StatusAnswer = HandlerReply<StatusResponse> | 'hang-up' | 'gateway'

/** One minute, in milliseconds. */
export const minute = 60_000
/** One day, in milliseconds. */
export const day = 24 * 60 * minute

/** Few questions, for waits of which it does not matter how long they go on: the whole schedule asks 113. */
export const fewQuestions = { schedule: [{ atLeast: minute, atMost: minute, times: 4 }] } as const

/** Both ids of the order of {@link saleRequest}. */
export const ids = (orderId: string) => ({ clientOrderId: 'o-1', orderId })

/** The ids of a question. */
export const orderOf = ({ orderId }: SaleQuestion) => ids(orderId)

/** A moment that is not special, in milliseconds since the epoch. */
export const start = Date.UTC(2026, 0, 5, 9, 30)

export async function startWatching(options: FakeGatewayOptions = {}): Promise<Watching> {
  const clock = createFakeClock({ base: () => start })
  const gateway = createFakeGateway({ ...options, clock })
  await gateway.listen()
  const pauses: number[] = []
  const wait = async (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds)
    await clock.advance(milliseconds)
  }
  const clients: Client[] = []
  const another = (more: Partial<ClientOptions> = {}): Client => {
    const client = createClient({ ...gateway.clientOptions, privateKey: testKey, random: () => 0, wait, ...more })
    clients.push(client)
    return client
  }
  const client = another()
  return {
    gateway,
    client,
    clock,
    pauses,
    another,
    async sell(cvv2 = '123') {
      const { orderId } = await client.sale(saleOf(cvv2))
      return { ...ids(orderId), ...expectedSale }
    },
    answerStatus(...replies) {
      let count = 0
      const status = () => {
        const reply = replies[count]
        count += 1
        return reply === 'hang-up' ? hangUp() : reply === 'gateway' ? undefined : reply
      }
      gateway.handle({ status })
    },
    async close() {
      for (const each of clients) await each.close()
      await gateway.close()
    },
  }
}

/** A sale with the outcome that its CVV2 stands for in the gateway's sandbox. */
export const saleOf = (cvv2: string): SaleByCardRequest => ({ ...saleRequest, cvv2 })

/** What a sale of {@link saleRequest} is expected to end as. */
export const expectedSale = { stages: ['sale'], amount: '10.42', currency: 'EUR' } as const
