import { getGlobalDispatcher, MockAgent, request, setGlobalDispatcher } from 'undici'
import { describe, expect, it } from 'vitest'
import { type FakeGateway, type UseFakeGatewayOptions, useFakeGateway } from '../src/index.js'
import { pay } from './signed-request.js'

/** What each runner hands to its hooks about a test that failed, and about one that passed. */
const contexts = [
  ['vitest', { task: { name: 'sells', result: { state: 'fail' } } }, { task: { result: { state: 'pass' } } }],
  ['node:test', { name: 'sells', passed: false }, { passed: true }],
] as const

type Hook = (context?: unknown) => Promise<void>

/** A runner of tests as small as can be. */
function createRunner(options: UseFakeGatewayOptions = {}, warnings: 'warn' | 'print' = 'warn') {
  const hooks: Record<'afterEach' | 'afterAll', Hook[]> = { afterEach: [], afterAll: [] }
  const take = (name: keyof typeof hooks) => (hook: Hook) => hooks[name].push(hook)
  const printed: string[] = []
  const warned: string[] = []
  const gateway = useFakeGateway(
    { afterEach: take('afterEach'), afterAll: take('afterAll') },
    {
      print: text => printed.push(text),
      ...(warnings === 'warn' ? { warn: (text: string) => warned.push(text) } : {}),
      ...options,
    },
  )
  const run = async (name: keyof typeof hooks, context?: unknown) => {
    for (const hook of hooks[name]) await hook(context)
  }
  return {
    gateway,
    printed,
    warned,
    hooks,
    close: () => run('afterAll'),
    async test(body: (gateway: FakeGateway) => unknown, context?: unknown) {
      await body(gateway)
      await run('afterEach', context)
    },
  }
}

describe('useFakeGateway', () => {
  it('begins every test anew, identifiers and chance included', async () => {
    const { gateway, test, printed, close } = createRunner()
    const seen: unknown[] = []
    for (const clientOrderId of ['o-1', 'o-1']) {
      await test(async () => {
        expect(gateway.calls()).toEqual([])
        gateway.faults.arm({ fault: 'callback-never', probability: 0.5 })
        seen.push((await pay(gateway, 'sale', { clientOrderId })).reply)
      })
    }
    expect(seen[0]).toEqual(seen[1])
    expect(gateway.faults.armed()).toEqual([])
    expect(printed).toEqual([])
    await close()
  })

  it('prints what acquirers would miss, once for each operation, unless "warn" takes it', async () => {
    const [printing, warning] = [createRunner({}, 'print'), createRunner()]
    for (const { test, gateway } of [printing, warning]) {
      for (const clientOrderId of ['o-1', 'o-2']) await test(() => pay(gateway, 'sale', { clientOrderId }))
    }
    const said = [expect.stringMatching(/^sale, said once: .address1. is missing; .*require it\.$/)]
    expect([printing.printed, printing.warned]).toEqual([said, []])
    expect([warning.printed, warning.warned]).toEqual([[], said])
    await printing.close()
    await warning.close()
  })

  it.each(contexts)(
    'prints seed, calls, orders and callbacks of a test that failed in %s',
    async (_, failed, passed) => {
      const { test, printed, close } = createRunner({ seed: 'of-the-day' })
      const sell = async (gateway: FakeGateway) => {
        await pay(gateway, 'sale', { clientOrderId: 'o-1', serverCallbackUrl: 'http://127.0.0.1:9/' })
      }
      await test(sell, passed)
      expect(printed).toEqual([])
      await test(sell, failed)
      expect(printed).toHaveLength(1)
      expect(printed[0]).toMatch(/^The test "sells" failed\.\nThe gateway's seed is "of-the-day": /)
      expect(printed[0]).toMatch(/\n\nCalls\n# [\s\S]*\n\d+ .* sale +o-1 +10\.00 EUR +control +accepted +200\n/)
      expect(printed[0]).toMatch(/\n\nOrders\n.*\no-1 +\d+ +sale +approved +10\.00 EUR\n/)
      expect(printed[0]).toMatch(/\n\nCallbacks\n.*\n.* o-1 +approved +1 +- +connect ECONNREFUSED/)
      await close()
    },
  )

  it('finds that a test failed in what jest notes of it', async () => {
    const symbol = Symbol('JEST_STATE_SYMBOL')
    const noted = { currentlyRunningTest: { name: 'in jest', errors: [new Error('it failed')] as unknown[] } }
    const { test, printed, close } = createRunner()
    Object.assign(globalThis, { [symbol]: noted })
    await test(() => undefined)
    noted.currentlyRunningTest.errors = []
    await test(() => undefined)
    Reflect.deleteProperty(globalThis, symbol)
    expect(printed).toEqual([expect.stringMatching(/^The test "in jest" failed\.[\s\S]*No calls\.$/)])
    await close()
  })

  it('fails a test that leaves something unhandled, and says what happened', async () => {
    const { gateway, test, printed, close } = createRunner()
    await expect(test(() => gateway.faults.arm('drop'))).rejects.toThrow('The fault "drop" is armed 1 more time(s)')
    expect(printed).toHaveLength(1)
    // Of one that failed by itself there is more to say than what it left.
    await test(() => gateway.faults.arm('drop'), { passed: false })
    await test(() => undefined)
    expect(printed).toHaveLength(2)
    const lenient = createRunner({ assertAllHandled: false })
    await lenient.test(() => lenient.gateway.faults.arm('drop'))
    await Promise.all([close(), lenient.close()])
  })

  it('works beside an agent that keeps fetch and undici from other machines', async () => {
    const before = getGlobalDispatcher()
    const agent = new MockAgent()
    agent.disableNetConnect()
    setGlobalDispatcher(agent)
    const { gateway, test, close } = createRunner()
    await test(async () => {
      expect((await pay(gateway, 'sale', { clientOrderId: 'o-1' })).reply).toMatchObject({ 'merchant-order-id': 'o-1' })
      await expect(fetch('https://gate.example/')).rejects.toThrow('fetch failed')
      await expect(request('https://gate.example/')).rejects.toThrow('net.connect disabled')
    })
    setGlobalDispatcher(before)
    await close()
  })

  it('stops listening after the last test', async () => {
    const { gateway, test, close } = createRunner()
    const { origin } = await gateway.listen()
    await test(async () => expect((await request(`${origin}/__gateway/health`)).statusCode).toBe(200))
    await close()
    await expect(request(`${origin}/__gateway/health`)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('hands over hooks that no runner takes for one with a callback or with fixtures', () => {
    const { hooks } = createRunner()
    const all = Object.values(hooks).flat()
    expect(all.map(({ length }) => length)).toEqual([0, 0])
    for (const hook of all) expect(String(hook)).toMatch(/^(async )?(function \w*)?\(\)/)
  })

  it('says which hook is missing, and which option there is not', () => {
    const hook = () => undefined
    expect(() => useFakeGateway({ afterEach: hook } as never)).toThrow('not given "afterAll" or "after"')
    expect(() => useFakeGateway({ afterAll: hook } as never)).toThrow('not given "afterEach"')
    const all = { afterEach: hook, after: hook }
    expect(() => useFakeGateway(all, { sead: '1' } as never)).toThrow('has no option "sead"')
  })
})
