import { defineProfile } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import { type ClientOptions, type ClientWarning, createClient } from '../index.js'

const base = { baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey: 'any' }

function warned(options: Partial<ClientOptions>): readonly ClientWarning[] {
  const seen: ClientWarning[] = []
  createClient({ ...base, observer: { warning: warning => seen.push(warning) }, ...options })
  return seen
}

describe('a client whose callbacks will not arrive', () => {
  it.each(['https://shop.example:3000/callback', 'http://shop.example:81/callback'])(
    'warns of %s',
    serverCallbackUrl => {
      const [warning, ...more] = warned({ serverCallbackUrl })
      expect(more).toEqual([])
      expect(warning?.code).toBe('WARN_CALLBACK_PORT')
      expect(warning?.message).toMatch(
        /^"serverCallbackUrl" has port (3000|81), and the gateway calls back on 80, 443, 8080, 8443 only/,
      )
    },
  )

  it.each([
    'https://shop.example/callback',
    'http://shop.example/callback',
    'https://shop.example:8443/callback',
    'http://127.0.0.1:3000/callback',
    undefined,
  ])('does not warn of %s', serverCallbackUrl => {
    expect(warned({ serverCallbackUrl })).toEqual([])
  })

  it('does not warn of a gateway without TLS, which is one for tests', () => {
    const gateway = { baseUrl: 'http://gateway:4010/paynet', allowPlainHttp: true }
    expect(warned({ ...gateway, serverCallbackUrl: 'http://shop:3000/callback' })).toEqual([])
  })

  it('goes by the wire profile', () => {
    const profile = defineProfile({ callbackPorts: [3000] })
    expect(warned({ profile, serverCallbackUrl: 'https://shop.example:3000/' })).toEqual([])
    expect(warned({ profile, serverCallbackUrl: 'https://shop.example/' })).toHaveLength(1)
  })

  it('warns the process when no observer takes warnings', () => {
    const emit = vi.spyOn(process, 'emitWarning').mockReturnValue()
    createClient({ ...base, observer: {}, serverCallbackUrl: 'https://shop.example:3000/' })
    const calls = emit.mock.calls.map(call => [...call] as unknown[])
    emit.mockRestore()
    expect(calls).toEqual([
      [expect.stringContaining('has port 3000'), { type: 'TillkitWarning', code: 'WARN_CALLBACK_PORT' }],
    ])
  })
})
