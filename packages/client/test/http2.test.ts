/** A caller's agent that speaks HTTP/2, whose streams and sessions break: each request begins once, and nothing is guessed. */
import { readFileSync } from 'node:fs'
import { constants, createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Agent, RetryAgent } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { type AnyGatewayError, createClient } from '../src/index.js'
import { certificates } from './certificates.js'
import { type } from './misbehaviours.js'
import { acceptedBody, controlKey, saleRequest } from './sample-requests.js'

let server: Http2SecureServer | undefined
let begun = 0

afterEach(() => void server?.close())

/** Starts a server that does so with every stream. @returns Its base address. */
async function serve(act: (stream: ServerHttp2Stream) => void): Promise<string> {
  begun = 0
  const { cert, key } = certificates.server
  server = createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) })
  server.on('sessionError', () => {})
  server.on('stream', stream => {
    begun += 1
    stream.on('error', () => {})
    act(stream)
  })
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/paynet`
}

const head = { ':status': 200, 'content-type': type }

const answers = (stream: ServerHttp2Stream): void => {
  stream.respond(head)
  stream.end(acceptedBody)
}

/** What a sale through such an agent comes to. */
async function graded(baseUrl: string, resending: boolean): Promise<unknown> {
  const agent = new Agent({ allowH2: true, connect: { ca: readFileSync(certificates.ca, 'utf8') } })
  const dispatcher = resending
    ? new RetryAgent(agent, { methods: ['POST'], minTimeout: 1, maxTimeout: 1, maxRetries: 3 })
    : agent
  const client = createClient({ baseUrl, endpointId: 39, login: 'merchant', controlKey, dispatcher })
  const grade = await client.sale(saleRequest).then(
    ({ orderId }) => orderId,
    ({ code }: AnyGatewayError) => code,
  )
  await agent.destroy()
  return grade
}

describe.each([
  ['an Agent that speaks HTTP/2', false],
  ['a RetryAgent over one, set to send POST again', true],
])('through %s, a server that', (_name, resending) => {
  it('answers is asked once and accepted', async () => {
    expect(await graded(await serve(answers), resending)).toBe('77')
    expect(begun).toBe(1)
  })

  it.each<[string, (stream: ServerHttp2Stream) => void]>([
    ['resets the stream', stream => stream.close(constants.NGHTTP2_INTERNAL_ERROR)],
    ['says that it did not process the stream', stream => stream.close(constants.NGHTTP2_REFUSED_STREAM)],
    ['says goodbye as if it had seen no stream', stream => stream.session?.goaway(0, 0)],
    ['breaks the session', stream => stream.session?.destroy()],
    [
      'resets the stream within the answer',
      stream => {
        stream.respond(head)
        stream.write(acceptedBody.slice(0, 9), () => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
      },
    ],
  ])('%s sees the request begin once, and its outcome is unknown', async (_what, act) => {
    expect(await graded(await serve(act), resending)).toBe('ERR_OUTCOME_UNKNOWN')
    expect(begun).toBe(1)
  })
})
