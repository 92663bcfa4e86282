/** A customer, or whoever has a return address, who loads it again and again. */
import { setImmediate } from 'node:timers/promises'
import { emptyOrder, type StatusRequest, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import type { ReferenceStore, StatePurpose } from '../src/core.js'
import { type CustomerReturnOptions, customerReturn, threeDSecure } from '../src/index.js'
import { statusReply } from './callback-desk.js'
import { serve, versions } from './serve.js'
import { until } from './serve-desk.js'

const [, express] = versions[2]
const reference = 'a-reference-of-22-char'

/** A merchant to whom customers come back, and a status that answers once it is let. */
function returnDesk(own: Partial<CustomerReturnOptions> = {}) {
  const desk = {
    asked: [] as StatusRequest[],
    reply: async (): Promise<StatusResponse> => statusReply({ status: 'processing' }),
    found: 0,
    purpose: 'hosted-form' as StatePurpose,
    waits: [] as number[],
    onSettlement: vi.fn(),
  }
  const references: ReferenceStore = {
    put: async () => undefined,
    find: async () => {
      desk.found += 1
      return { clientOrderId: 'o-1', purpose: desk.purpose, expiresAt: 2 }
    },
  }
  const options: CustomerReturnOptions = {
    stateSecrets: [{ id: 'one', secret: 'the first secret, 32 bytes long.' }],
    controlKeys: 'a control key',
    references,
    client: {
      status: request => {
        desk.asked.push(request)
        return desk.reply()
      },
    },
    order: ({ clientOrderId }) => ({
      order: emptyOrder({ clientOrderId, orderId: '77' }),
      expected: { stages: ['sale'], amount: '10.00', currency: 'EUR' },
    }),
    onSettlement: desk.onSettlement,
    redirectTo: ({ view }) => `/orders?view=${view}`,
    polling: { wait: async milliseconds => void desk.waits.push(milliseconds) },
    clock: () => 1,
    ...own,
  }
  return { desk, options }
}

const visit = async (origin: string) => {
  const response = await fetch(`${origin}/return/${reference}`, { redirect: 'manual' })
  return response.headers.get('location')
}

describe('visits of one order at once', () => {
  it('ask the gateway in two rounds, however many they are, and tell the merchant twice', async () => {
    const { desk, options } = returnDesk()
    let answer = (): void => undefined
    const isLet = new Promise<void>(resolve => {
      answer = resolve
    })
    desk.reply = async () => {
      await isLet
      return statusReply({ status: 'processing' })
    }
    const app = express()
    app.all('/return/:state', customerReturn(options))
    await using served = await serve(app)
    const first = visit(served.origin)
    await until(() => desk.asked.length > 0)
    const others = Array.from({ length: 999 }, () => visit(served.origin))
    await until(() => desk.found >= 1000)
    await setImmediate()
    answer()
    expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set(['/orders?view=checking']))
    // Four questions a round.
    expect(desk.asked).toHaveLength(8)
    expect(desk.onSettlement).toHaveBeenCalledTimes(2)
  })

  it('fail together where the merchant fails, and the next one does not', async () => {
    const onSettlement = vi.fn().mockRejectedValueOnce(new Error('the database is away'))
    const { desk, options } = returnDesk({ onSettlement })
    desk.reply = async () => statusReply()
    const app = express()
    app.all('/return/:state', customerReturn(options))
    await using served = await serve(app)
    expect([await visit(served.origin), await visit(served.origin)]).toEqual([null, '/orders?view=paid'])
  })
})

describe('visits of one order in a row', () => {
  it('leave the gateway a quarter of a second', async () => {
    const { desk, options } = returnDesk()
    desk.reply = async () => statusReply()
    const app = express()
    app.all('/return/:state', customerReturn(options))
    await using served = await serve(app)
    expect([await visit(served.origin), await visit(served.origin)]).toEqual(['/orders?view=paid', '/orders?view=paid'])
    expect(desk.waits).toEqual([250])
  })
})

describe('a page of 3DS that looks again', () => {
  it.each([['simple'], ['extended'], [false]])('ends with the query parser %s', async parser => {
    const { desk, options } = returnDesk()
    desk.purpose = '3d-secure'
    const upload = async () => undefined
    const client = {
      ...options.client,
      uploadMethodUrlResult: upload,
      uploadCresResult: upload,
      uploadParesResult: upload,
    }
    const app = express()
    app.set('query parser', parser)
    app.use('/3ds', threeDSecure({ ...options, client, address: 'https://shop.example/3ds' }))
    await using served = await serve(app)
    const look = async (query: string) => {
      const response = await fetch(`${served.origin}/3ds/${reference}${query}`, { redirect: 'manual' })
      return [response.status, /url=([^"]*)/.exec(await response.text())?.[1]]
    }
    expect(await look('')).toEqual([200, `https://shop.example/3ds/${reference}?look=1`])
    expect(await look('?look=19')).toEqual([200, `https://shop.example/3ds/${reference}?look=20`])
    expect(await look('?look=20')).toEqual([303, undefined])
  })
})
