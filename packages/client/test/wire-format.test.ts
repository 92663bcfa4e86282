/** The exact bytes of every operation and the record received, against vectors made with Python: see vectors/README.md. */
import { readFileSync } from 'node:fs'
import { operations } from '@tillkit/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readRecords } from '../../../scripts/record-fields.js'
import { type CallOptions, type Client, createClient, type Merchant } from '../src/index.js'
import { type GatewayServer, reply, startServer } from './gateway-server.js'
import { loopbackAgent } from './loopback-agent.js'
import { controlKey } from './sample-requests.js'
import vectors from './vectors/requests.json' with { type: 'json' }

const privateKey = readFileSync(new URL('../../signing/test/vectors/rsa-test-key.pem', import.meta.url), 'utf8')

let server: GatewayServer
let agent: ReturnType<typeof loopbackAgent>
let client: Client | undefined

beforeAll(async () => {
  server = await startServer(() => {})
  agent = loopbackAgent(Number(new URL(server.baseUrl).port))
})

afterAll(async () => {
  await agent.destroy()
  await server.close()
})

afterEach(() => client?.close())

type Vector = Omit<(typeof vectors)[number], 'options'> & {
  readonly options?: { readonly merchant?: Merchant } & Omit<CallOptions, 'merchant'>
}
type AnyMethod = (request: unknown, options?: CallOptions) => Promise<unknown>

/** Sends the request of a vector; the server answers with the vector's reply. */
async function run(vector: Vector) {
  server.behave(reply({ body: vector.reply }))
  client = createClient({
    baseUrl: 'https://Gate.Example:443/paynet/',
    endpointId: 9223372036854775807n,
    login: 'merchant',
    controlKey,
    privateKey,
    dispatcher: agent,
    clock: () => Date.UTC(2026, 0, 2, 3, 4, 5),
    nonce: () => 'y3qlvMPky7g',
  })
  const before = server.arrived.length
  const { merchant, ...options } = vector.options ?? {}
  const record = await (client as unknown as Record<string, AnyMethod>)[vector.operation]?.(
    vector.request,
    merchant === undefined ? options : { ...options, merchant: { ...merchant, privateKey } },
  )
  expect(server.arrived).toHaveLength(before + 1)
  const { head, body } = server.arrived[before]!
  const [line, ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map(each => each.split(/: (.*)/s, 2)))
  return { line, headers: headers as Record<string, string>, body, record }
}

const records = readRecords()

describe('the vectors', () => {
  it('cover every operation', () => {
    expect(new Set(vectors.map(({ operation }) => operation))).toEqual(new Set(Object.keys(operations)))
  })

  it.each(Object.entries(operations))('have a request with every field of %s', (name, row) => {
    const fields = (records.get(row.request) ?? []).filter(({ kind }) => kind !== 'other')
    const full = vectors.filter(({ operation }) => operation === name)
    const given = new Set(full.flatMap(({ request }) => Object.keys(request)))
    expect([...given].sort()).toEqual(fields.map(({ name: field }) => field).sort())
  })
})

describe.each(vectors as readonly Vector[])('$operation with $title', vector => {
  it('is sent as the expected bytes, and its reply is read as the expected record', async () => {
    const { line, headers, body, record } = await run(vector)
    const { 'user-agent': agentName, connection, ...rest } = headers
    expect({ line, headers: rest, body }).toEqual(vector.expected)
    expect(agentName).toMatch(/^tillkit\/\d+\.\d+\.\d+$/)
    expect(connection).toBe('keep-alive')
    expect(record).toEqual(vector.record)
  })
})
