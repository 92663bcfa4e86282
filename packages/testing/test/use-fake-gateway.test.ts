import { once } from 'node:events'
import { get as httpGet } from 'node:http'
import { get as httpsGet } from 'node:https'
import { connect, createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as tlsConnect } from 'node:tls'
import { Agent, Pool, request } from 'undici'
import { describe, expect, it } from 'vitest'
import { type FakeGateway, type UseFakeGatewayOptions, useFakeGateway } from '../src/index.js'
import { pay } from './signed-request.js'

/** What each runner hands to its hooks about a test that failed, and about one that passed. */
const contexts = [
  ['vitest', { task: { name: 'sells', result: { state: 'fail' } } }, { task: { result: { state: 'pass' } } }],
  ['node:test', { name: 'sells', passed: false }, { passed: true }],
] as const

const local = { address: '127.0.0.1', family: 4 }

type Hook = (context?: unknown) => Promise<void>

/** A runner of tests as small as can be. */
function createRunner(options: UseFakeGatewayOptions = {}, warnings: 'warn' | 'print' = 'warn') {
  const hooks: Record<'beforeEach' | 'afterEach' | 'afterAll', Hook[]> = { beforeEach: [], afterEach: [], afterAll: [] }
  const take = (name: keyof typeof hooks) => (hook: Hook) => hooks[name].push(hook)
  const printed: string[] = []
  const warned: string[] = []
  const gateway = useFakeGateway(
    { beforeEach: take('beforeEach'), afterEach: take('afterEach'), afterAll: take('afterAll') },
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
      await run('beforeEach')
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

  it.each<[string, string, () => Promise<unknown>]>([
    ['fetch', 'gate.example:443', () => fetch('https://gate.example/paynet')],
    ['undici', 'gate.example:8443', () => request('https://gate.example:8443/')],
    ['a pool', '192.0.2.7:80', () => request('http://192.0.2.7/', { dispatcher: new Pool('http://192.0.2.7') })],
    ['node:http', 'gate.example:80', () => once(httpGet('http://gate.example/'), 'response')],
    ['node:https', 'gate.example:443', () => once(httpsGet('https://gate.example/'), 'response')],
    ['node:net', '2001:db8::1:25', () => once(connect(25, '2001:db8::1'), 'connect')],
    ['node:tls', 'gate.example:993', () => once(tlsConnect({ host: 'gate.example', port: 993 }), 'secureConnect')],
    ['a socket', 'gate.example:1', () => once(new Socket().connect(1, 'gate.example'), 'connect')],
  ])('fails a test that would have left this machine by %s, though it caught the failure', async (_, target, leave) => {
    const { test, close, printed } = createRunner()
    const caught: unknown[] = []
    const leaves = () => leave().catch(error => caught.push(error.code ?? error.cause.code))
    await expect(test(leaves)).rejects.toThrow(`were stopped: ${target} (1×)`)
    expect(caught).toEqual(['ERR_NETWORK_GUARD'])
    expect(printed).toHaveLength(1)
    await test(() => undefined)
    await close()
  })

  it('says what a hosted page needs whose gateway does not listen', async () => {
    const { test, close } = createRunner()
    const open = (gateway: FakeGateway) => fetch(gateway.clientOptions.baseUrl).catch(() => undefined)
    await expect(test(open)).rejects.toThrow('await gateway.listen() first')
    await close()
  })

  it('lets a test reach this machine, by network and by file', async () => {
    const { gateway, test, close } = createRunner()
    const { origin } = await gateway.listen()
    await test(async () => {
      expect((await fetch(`${origin}/__gateway/health`)).status).toBe(200)
      expect((await fetch(`${origin.replace('127.0.0.1', 'localhost')}/__gateway/health`)).status).toBe(200)
      const path = join(tmpdir(), `tillkit-guard-${process.pid}.sock`)
      const server = createServer(socket => socket.end()).listen(path)
      await once(server, 'listening')
      await once(connect(path), 'close')
      server.close()
    })
    await close()
  })

  it('guards nothing outside of its tests, and nothing that is allowed', async () => {
    // Whatever is let through comes to a closed port of this machine.
    const dispatcher = new Agent({ connect: { lookup: (_host, _options, done) => done(null, [local]) } })
    const leave = () => request('http://guarded.example:1/', { dispatcher }).catch(({ code }) => code)
    for (const network of [false, { allow: ['guarded.example'] }, { allow: ['guarded.example:1'] }] as const) {
      const { test, close } = createRunner({ network })
      await test(async () => expect(await leave()).toBe('ECONNREFUSED'))
      await close()
    }
    const { test, close } = createRunner({ network: { allow: ['guarded.example:2'] } })
    await expect(test(async () => expect(await leave()).toBe('ERR_NETWORK_GUARD'))).rejects.toThrow('guarded.example')
    expect(await leave()).toBe('ECONNREFUSED')
    await Promise.all([close(), dispatcher.destroy()])
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
    expect(all.map(({ length }) => length)).toEqual([0, 0, 0])
    for (const hook of all) expect(String(hook)).toMatch(/^(async )?(function \w*)?\(\)/)
  })

  it('says which hook is missing, and which option there is not', () => {
    const hook = () => undefined
    expect(() => useFakeGateway({ beforeEach: hook, afterEach: hook } as never)).toThrow(
      'not given "afterAll" or "after"',
    )
    expect(() => useFakeGateway({ beforeEach: hook, afterAll: hook } as never)).toThrow('not given "afterEach"')
    const all = { beforeEach: hook, afterEach: hook, after: hook }
    expect(() => useFakeGateway(all, { sead: '1' } as never)).toThrow('has no option "sead"')
  })
})
