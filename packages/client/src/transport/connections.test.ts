import { createRequire } from 'node:module'
import { createFakeGateway } from '@tillkit/testing'
import { Agent, Client, type Dispatcher, EnvHttpProxyAgent, MockAgent, Pool, ProxyAgent, RetryAgent } from 'undici'
import { describe, expect, it } from 'vitest'
import type { RequestDispatcher } from '../config/options.js'
import { callersDispatcher, connectionOptions, ownPool, reportsStart } from './connections.js'

describe('connectionOptions', () => {
  // Each of them keeps a request from meeting a connection that breaks under it, or another request.
  it('are one request at a time over HTTP/1.1, idle connections dropped early, and no limit of time but the call’s', () => {
    expect(connectionOptions).toEqual({
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 10_000,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: 10_000 },
    })
  })
})

describe('ownPool', () => {
  it('says what to do where a runtime has put a Pool that cannot send in the place of undici’s', () => {
    Object.defineProperty(Pool.prototype, 'dispatch', { value: undefined, configurable: true })
    try {
      expect(() => ownPool('https://gate.example')).toThrow(/no "dispatch" here.*Agent of "undici\/index\.js"/)
    } finally {
      Reflect.deleteProperty(Pool.prototype, 'dispatch')
    }
  })

  it('closes the connections of a fresh dispatcher when it is no longer used, also after a failure', async () => {
    const pool = ownPool('https://gate.example')
    const used: RequestDispatcher[] = []
    await pool.afresh(async fresh => used.push(fresh))
    const failing = pool.afresh(async fresh => {
      used.push(fresh)
      throw new Error('broke off')
    })
    await expect(failing).rejects.toThrow('broke off')
    expect(new Set([pool.dispatcher, ...used]).size).toBe(3)
    expect(used).toMatchObject([{ destroyed: true }, { destroyed: true }])
    expect(pool.dispatcher).toMatchObject({ destroyed: false })
    await pool.close()
  })
})

describe('callersDispatcher', () => {
  it('has no other dispatcher to use', async () => {
    const dispatcher = { dispatch: () => true }
    expect(await callersDispatcher(dispatcher).afresh(async fresh => fresh)).toBe(dispatcher)
  })
})

const pass: Dispatcher.DispatcherComposeInterceptor = dispatch => (options, handler) => dispatch(options, handler)

describe('reportsStart', () => {
  it.each<[string, () => Dispatcher]>([
    ['Agent', () => new Agent()],
    ['Pool', () => new Pool('http://127.0.0.1:1')],
    ['Client', () => new Client('http://127.0.0.1:1')],
    ['ProxyAgent', () => new ProxyAgent('http://127.0.0.1:1')],
    ['EnvHttpProxyAgent', () => new EnvHttpProxyAgent()],
    ['RetryAgent', () => new RetryAgent(new Agent())],
    ['MockAgent', () => new MockAgent()],
    ['the fake gateway', () => createFakeGateway().dispatcher],
  ])('is true of %s, and not of what is composed with it', (_, make) => {
    const dispatcher = make()
    expect(reportsStart(dispatcher)).toBe(true)
    expect(reportsStart(dispatcher.compose(pass))).toBe(false)
  })

  it('is true of an agent of another copy of undici', () => {
    const require = createRequire(import.meta.url)
    for (const file of Object.keys(require.cache)) if (file.includes('undici')) delete require.cache[file]
    const another: typeof import('undici') = require('undici')
    expect(new another.Agent()).not.toBeInstanceOf(Agent)
    expect(reportsStart(new another.Agent())).toBe(true)
  })

  it('is false of a class derived from undici’s, whatever its name', () => {
    class Own extends Agent {}
    const sameName = { Agent: class Agent extends Pool {} }.Agent
    expect(reportsStart(new Own())).toBe(false)
    expect(reportsStart(new sameName('http://127.0.0.1:1'))).toBe(false)
  })

  it('is what a dispatcher written by hand says of itself', () => {
    const dispatch = () => true
    expect(reportsStart({ dispatch })).toBe(false)
    expect(reportsStart({ dispatch, reportsStart: true })).toBe(true)
    expect(reportsStart({ dispatch, reportsStart: false })).toBe(false)
  })

  it('does not take over what a dispatcher said that another one wraps', () => {
    const inner = { dispatch: () => true, reportsStart: true }
    expect(reportsStart(Object.assign(Object.create(inner), { dispatch: () => true }))).toBe(false)
  })
})
