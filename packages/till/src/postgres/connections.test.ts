/** A pool whose server says that it did not wait for its standby. The real server is in `test/postgres/standby.soak.test.ts`. */
import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { poolConnections } from './connections.js'
import { NoAnswer } from './errors.js'

/** A pool of one connection. `answer` may emit notices, and throw. */
function poolOf(answer: (text: string, client: EventEmitter) => void) {
  const asked: string[] = []
  const client = Object.assign(new EventEmitter(), {
    async query({ text }: { readonly text: string }) {
      asked.push(text.replace(/\(.*/s, ''))
      answer(text, client)
      return { rows: [] }
    },
    release() {},
  })
  const pool = Object.assign(new EventEmitter(), {
    options: { max: 2 },
    connect: (callback: (error: undefined, connected: typeof client) => void) => callback(undefined, client),
  })
  const connections = poolConnections(pool as never, { prepared: false, timeout: 10_000 })
  return { asked, client, connections }
}

const cancelled = { severity: 'WARNUNG', code: '01000', routine: 'SyncRepWaitForLSN' }

it('a write and a commit wait again, until the server was not told to stop waiting', async () => {
  let times = 2
  const { asked, client, connections } = poolOf((text, client) => {
    if (/insert|commit|emit/.test(text) && times > 0) client.emit('notice', cancelled)
    if (/insert|commit|emit/.test(text)) times -= 1
  })
  await connections.write('insert', [])
  expect(asked).toEqual(['insert', 'select pg_logical_emit_message', 'select pg_logical_emit_message'])
  times = 1
  asked.length = 0
  await connections.transaction('select mark', async ({ query }) => query('update', []))
  expect(asked).toEqual([
    'begin isolation level read committed; select mark',
    'update',
    'commit',
    'select pg_logical_emit_message',
  ])
  expect(client.listenerCount('notice')).toBe(0)
})

it('other notices mean nothing, and one that cannot wait again is not known to be kept', async () => {
  const other = poolOf((_text, client) => client.emit('notice', { code: '01000', routine: 'WarnNoTransactionBlock' }))
  await other.connections.write('insert', [])
  expect(other.asked).toEqual(['insert'])
  const refusing = poolOf((text, client) => {
    client.emit('notice', cancelled)
    if (text.includes('emit')) throw Object.assign(new Error('canceling statement'), { code: '57014' })
  })
  await expect(refusing.connections.write('insert', [])).rejects.toBeInstanceOf(NoAnswer)
})
