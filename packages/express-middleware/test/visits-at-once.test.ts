/** A customer, or whoever has a return address, who loads it again and again. */
import { setImmediate } from 'node:timers/promises'
import { memoryStore, type StatusRequest, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import type { StatePurpose } from '../src/core.js'
import { type CustomerReturnOptions, customerReturn, threeDSecure } from '../src/index.js'
import { issueState } from '../src/state/state.js'
import { statusReply } from './callback-desk.js'
import { keepPayment, paymentsIn } from './kept-payments.js'
import { serve, versions } from './serve.js'
import { until } from './serve-desk.js'
import { rows } from './soak.js'

const [, express] = versions[2]
const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]

/** A merchant to whom customers come back, and a status that answers once it is let. */
async function returnDesk(own: Partial<CustomerReturnOptions> = {}, purpose: StatePurpose = 'hosted-form') {
  const store = memoryStore({ clock: () => 1 })
  const payments = paymentsIn(store)
  await keepPayment(payments)
  const subject = { clientOrderId: 'o-1', purpose, lifetime: 60, now: 1 } as const
  const desk = {
    asked: [] as StatusRequest[],
    reply: async (): Promise<StatusResponse> => statusReply({ status: 'processing' }),
    found: 0,
    waits: [] as number[],
    /** The state in the address: a short one, which is looked up for each visit. */
    state: await issueState(subject, { stateSecrets, store, shortAddresses: true, payments }),
    onOutcome: vi.fn(),
  }
  const counting = {
    ...store,
    read: (key: string) => {
      if (key.startsWith('address/')) desk.found += 1
      return store.read(key)
    },
  }
  const options: CustomerReturnOptions = {
    stateSecrets,
    controlKeys: 'a control key',
    client: {
      payments: paymentsIn(counting),
      status: request => {
        desk.asked.push(request)
        return desk.reply()
      },
    },
    store: counting,
    onOutcome: desk.onOutcome,
    redirectTo: ({ view }) => `/orders?view=${view}`,
    polling: { wait: async milliseconds => void desk.waits.push(milliseconds) },
    clock: () => 1,
    ...own,
  }
  const app = express()
  app.all('/return/:state', customerReturn(options))
  const served = await serve(app)
  return {
    desk,
    options,
    async visit() {
      const response = await fetch(`${served.origin}/return/${desk.state}`, { redirect: 'manual' })
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
    await until(() => desk.found >= count)
    await setImmediate()
    answer()
    expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set(['/orders?view=checking']))
    // Five questions a round.
    expect(desk.asked).toHaveLength(10)
  })

  it('go on where the handler fails, and the next one tells it again', async () => {
    await using merchant = await returnDesk()
    const { desk, visit } = merchant
    desk.onOutcome.mockRejectedValueOnce(new Error('the database is away'))
    desk.reply = async () => statusReply()
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
    expect([await visit(), await visit()]).toEqual(['/orders?view=paid', '/orders?view=paid'])
    // The process may be warned of other things: of work that another test has left.
    const ofHandler = warned.mock.calls.filter(([warning]) => String(warning).includes('the database is away'))
    expect([desk.onOutcome.mock.calls.length, ofHandler.length]).toEqual([2, 1])
    warned.mockRestore()
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

describe('a page of 3DS that looks again', () => {
  it.each([['simple'], ['extended'], [false]])('ends with the query parser %s', async parser => {
    await using merchant = await returnDesk({}, '3d-secure')
    const { desk, options } = merchant
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
      const response = await fetch(`${served.origin}/3ds/${desk.state}${query}`, { redirect: 'manual' })
      return [response.status, /data-url="([^"]*)"/.exec(await response.text())?.[1]]
    }
    expect(await look('')).toEqual([200, `https://shop.example/3ds/${desk.state}?look=1`])
    expect(await look('?look=19')).toEqual([200, `https://shop.example/3ds/${desk.state}?look=20`])
    expect(await look('?look=20')).toEqual([303, undefined])
  })
})
