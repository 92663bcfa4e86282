/** After which answers nothing of a request can be on its way any more. */
import { describe, expect, it } from 'vitest'
import { failingCalls } from './failing-calls.js'
import { reply } from './gateway-server.js'

const { now, failures } = failingCalls()

describe('the end of an attempt', () => {
  it.each([
    ['a proxy’s page', { status: 502, type: 'text/html', body: '<h1>Bad Gateway</h1>' }],
    ['a proxy’s page with status 200', { type: 'text/html; charset=utf-8', body: '<h1>Welcome</h1>' }],
    ['JSON of another media type', { status: 504, type: 'application/json', body: '{"type":"error"}' }],
    [
      'a media type that only begins like the gateway’s',
      { status: 500, type: 'application/vnd.pay+json2', body: '{}' },
    ],
    ['an answer without one', { status: 504, type: null }],
  ])('does not take %s for the gateway’s answer', async (_, written) => {
    await failures(reply(written))
    expect(now.ends).toHaveLength(2)
    for (const end of now.ends) {
      expect(end).toMatchObject({ kind: 'unknown' })
      expect(end).not.toHaveProperty('connection')
    }
  })

  it.each([
    ['failure', { status: 500, body: '{"type":"error"}' }],
    ['failure in capitals', { status: 500, type: 'Application/VND.pay+JSON; charset=utf-8', body: '{"type":"error"}' }],
    ['redirect', { status: 307, headers: ['Location: /elsewhere'] }],
    ['broken record', { body: '{"type":' }],
  ])('takes a %s of the gateway’s own for its answer', async (_, written) => {
    await failures(reply(written))
    expect(now.ends).toMatchObject([
      { kind: 'unknown', connection: 'answered' },
      { kind: 'unknown', connection: 'answered' },
    ])
  })
})
