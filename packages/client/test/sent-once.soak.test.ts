/** Every moment at which a connection can fail, for every operation that creates or changes: the server counts arrivals. */
import { operations } from '@tillkit/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HostileServer, startHostileServer } from './hostile-server.js'
import { type LocalProxy, startForwarder, startTunnel } from './proxies.js'
import {
  acting,
  all,
  answering,
  both,
  dispatchersBy,
  fewTimes,
  open,
  type Phase,
  walk,
  written,
  wrongOf,
} from './sent-once.js'

let server: HostileServer
let tunnel: LocalProxy
let forwarder: LocalProxy

beforeAll(async () => {
  ;[server, tunnel, forwarder] = await Promise.all([startHostileServer(), startTunnel(), startForwarder()])
})

afterAll(() => Promise.all([server.close(), tunnel.close(), forwarder.close()]))

const address = () => `http://127.0.0.1:${server.port}/paynet`

const phases: Readonly<Record<string, Phase>> = {
  'hangs up when the connection is made': ({ stop }) => ({ onConnection: fewTimes(socket => socket.destroy(), stop) }),
  'resets the connection when it is made': ({ stop }) => ({
    onConnection: fewTimes(socket => socket.resetAndDestroy(), stop),
  }),
  'hangs up at the first byte': () => ({ onBegin: socket => socket.destroy() }),
  'resets the connection at the first byte': () => ({ onBegin: socket => socket.resetAndDestroy() }),
  'hangs up before the answer': () => ({ onWhole: socket => socket.destroy() }),
  'resets the connection before the answer': () => ({ onWhole: socket => socket.resetAndDestroy() }),
  'ends its side before the answer': () => ({ onWhole: socket => socket.end() }),
  'hangs up within the headers': () => ({ onWhole: socket => socket.end('HTTP/1.1 200 OK\r\nContent-Ty') }),
  'hangs up after the headers': ({ reply }) => ({
    onWhole: socket => socket.end(written('', { length: reply.length })),
  }),
  'hangs up within the body': ({ reply }) => ({
    onWhole: socket => socket.end(written(reply.slice(0, 9), { length: reply.length })),
  }),
  'stalls before the answer': ({ stop }) => ({ onWhole: stop }),
  'stalls within the headers': ({ stop }) => ({
    onWhole: both(socket => socket.write('HTTP/1.1 200 OK\r\n'), stop),
  }),
  'stalls within the body': ({ reply, stop }) => ({
    onWhole: both(socket => socket.write(written(reply.slice(0, 9), { length: reply.length })), stop),
  }),
  'answers after the call was given up': ({ reply, stop }) => ({
    onWhole: both(stop, socket => socket.write(written(reply))),
  }),
  'answers HTTP 500': () => ({ onWhole: socket => socket.write(written('{"type":"error"}', { status: 500 })) }),
  'answers HTTP 503, come back later': () => ({
    onWhole: socket => socket.write(written('', { status: 503, headers: 'Retry-After: 0\r\n' })),
  }),
  'answers HTTP 429, come back later': () => ({
    onWhole: socket => socket.write(written('', { status: 429, headers: 'Retry-After: 0\r\n' })),
  }),
  'answers HTTP 408 and hangs up': () => ({ onWhole: socket => socket.end(written('', { status: 408 })) }),
  'redirects with HTTP 307': () => ({
    onWhole: socket => socket.write(written('', { status: 307, headers: 'Location: /elsewhere\r\n' })),
  }),
}

const dispatchers = dispatchersBy(() => ({ tunnel, forwarder }))

describe('the walk', () => {
  it('takes every operation that creates or changes', () => {
    expect(acting.map(({ name }) => name)).toEqual(
      Object.entries(operations).flatMap(([name, { effect }]) => (effect === 'reads' ? [] : [name])),
    )
  })
})

describe.each(Object.entries(dispatchers))('through %s, a server that', (_, make) => {
  it.each(Object.entries(phases))('%s sees each request at most once', async (_name, phase) => {
    const dispatcher = make()
    const walker = open(address(), dispatcher === undefined ? {} : { dispatcher })
    const walked = await walk(phase, { server, walker })
    await Promise.all([walker.client.close(), dispatcher?.destroy()])
    expect(walked).toHaveLength(acting.length)
    expect(wrongOf(walked)).toEqual([])
  })

  it('answers is asked once and accepted', async () => {
    const dispatcher = make()
    const walker = open(address(), dispatcher === undefined ? {} : { dispatcher })
    expect(await walk(answering, { server, walker })).toEqual(all('no error', 'accepted', 1))
    await Promise.all([walker.client.close(), dispatcher?.destroy()])
  })
})

describe('with a connection for each request, a server that', () => {
  const own = { freshConnection: true }

  it.each(Object.entries(phases))('%s sees each request at most once', async (_name, phase) => {
    const walker = open(address(), own)
    const walked = await walk(phase, { server, walker })
    await walker.client.close()
    expect(walked).toHaveLength(acting.length)
    expect(wrongOf(walked)).toEqual([])
  })

  it('answers is asked once and accepted', async () => {
    const walker = open(address(), own)
    expect(await walk(answering, { server, walker })).toEqual(all('no error', 'accepted', 1))
    await walker.client.close()
  })
})

describe('the proxies', () => {
  it('carried what went through them', () => {
    expect([tunnel.used, forwarder.used].every(used => used > acting.length)).toBe(true)
  })
})
