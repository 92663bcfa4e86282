/** A customer, or whoever has a return address, who loads it again and again. */
import type { StatusRequest, StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { signState } from '../src/core.js'
import { customerReturn } from '../src/index.js'
import { price, statusReply } from './callback-desk.js'
import { serve, versions } from './serve.js'
import { until } from './serve-desk.js'
import { rows } from './soak.js'

const [, express] = versions[2]
const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]

/** A merchant to whom customers come back, and a status that answers once it is let. */
async function returnDesk() {
  const subject = { clientOrderId: 'o-1', purpose: 'hosted-form', lifetime: 60, now: 1 } as const
  const state = signState({ ...subject, expected: { operation: 'saleForm', ...price }, secrets: stateSecrets })
  const desk = {
    asked: [] as StatusRequest[],
    reply: async (): Promise<StatusResponse> => statusReply({ status: 'processing' }),
    /** Visits whose states were verified: what their browsers bring is no return, which is reported before status is asked. */
    verified: 0,
    waits: [] as number[],
  }
  const app = express()
  app.all(
    '/return/:state',
    customerReturn({
      stateSecrets,
      controlKeys: 'a control key',
      client: {
        status: request => {
          desk.asked.push(request)
          return desk.reply()
        },
      },
      redirectTo: ({ view }) => `/orders?view=${view}`,
      wait: async milliseconds => void desk.waits.push(milliseconds),
      clock: () => 1,
      onRejected: () => {
        desk.verified += 1
      },
    }),
  )
  const served = await serve(app)
  return {
    desk,
    async visit() {
      const response = await fetch(`${served.origin}/return/${state}?control=x`, { redirect: 'manual' })
      return response.headers.get('location')
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  }
}

describe('visits of one order at once', () => {
  it.each(rows({ daily: [50], soak: [1000] }))('ask the gateway in two rounds: %i of them', async count => {
    await using merchant = await returnDesk()
    const { desk, visit } = merchant
    let answer = (): void => undefined
    const isLet = new Promise<void>(resolve => {
      answer = resolve
    })
    desk.reply = async () => {
      await isLet
      return statusReply({ status: 'processing' })
    }
    const first = visit()
    await until(() => desk.asked.length > 0)
    const others = Array.from({ length: count - 1 }, () => visit())
    await until(() => desk.verified >= count)
    answer()
    expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set(['/orders?view=checking']))
    // Five questions a round.
    expect(desk.asked).toHaveLength(10)
  })
})

describe('visits of one order in a row', () => {
  it('leave the gateway a quarter of a second', async () => {
    await using merchant = await returnDesk()
    const { desk, visit } = merchant
    desk.reply = async () => statusReply()
    expect([await visit(), await visit()]).toEqual(['/orders?view=paid', '/orders?view=paid'])
    expect(desk.waits).toEqual([250])
  })
})

describe('a customer who comes back while the payment is under way', () => {
  it('is asked about after a quarter of a second first, and then after pauses twice as long, of a second at most', async () => {
    await using merchant = await returnDesk()
    const { desk, visit } = merchant
    desk.reply = async () => statusReply({ status: 'processing' })
    expect(await visit()).toBe('/orders?view=checking')
    expect(desk.waits).toEqual([250, 500, 1000, 1000])
  })
})
