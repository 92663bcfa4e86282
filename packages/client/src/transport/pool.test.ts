import { describe, expect, it } from 'vitest'
import type { RequestDispatcher } from '../config/options.js'
import { callersDispatcher, connectionOptions, ownPool } from './pool.js'

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
