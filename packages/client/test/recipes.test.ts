import { readFile } from 'node:fs/promises'
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClientFromEnv } from '../src/index.js'
import { type Certificates, makeCertificates } from './certificates.js'
import { clientWithCertificate } from './recipes/mutual-tls.js'
import { clientBehindProxy } from './recipes/outbound-proxy.js'
import { clientWithPrivateCa } from './recipes/private-ca.js'
import { saleRequest } from './sample-requests.js'
import { startForwarder, startProxy, startTls, type Tunnel } from './tunnels.js'

const sale = { ...saleRequest, cvv2: '123' }
const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

let gateway: FakeGateway
let port: number
let certificates: Certificates
const tunnels: Tunnel[] = []

beforeAll(() => {
  certificates = makeCertificates()
  return () => certificates.remove()
})

beforeEach(async () => {
  gateway = createFakeGateway({ endpointId: 39, login: 'merchant' })
  const listening = await gateway.listen()
  port = listening.port
  vi.stubEnv('TILLKIT_BASE_URL', `${listening.baseUrl}`)
  vi.stubEnv('TILLKIT_ENDPOINT_ID', '39')
  vi.stubEnv('TILLKIT_LOGIN', 'merchant')
  vi.stubEnv('TILLKIT_CONTROL_KEY', gateway.clientOptions.controlKey)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  vi.resetModules()
  await gateway.close()
  await Promise.all(tunnels.splice(0).map(tunnel => tunnel.close()))
})

async function overTls(mutual?: { readonly ca: string }): Promise<Tunnel> {
  const tunnel = await startTls(port, { ...certificates.server, ...mutual })
  tunnels.push(tunnel)
  vi.stubEnv('TILLKIT_BASE_URL', `https://127.0.0.1:${tunnel.port}/paynet`)
  return tunnel
}

/** What check() says of the address, for a client from the environment. */
async function addressOf(client = createClientFromEnv()): Promise<string | undefined> {
  const { findings } = await client.check()
  await client.close()
  return findings.find(({ subject }) => subject === 'address')?.explanation
}

describe('docs/recipes.md', () => {
  it('shows what is compiled and run here, and nothing else', async () => {
    const blocks = (await read('../../../docs/recipes.md')).match(/(?<=```ts\n).*?(?=```)/gs)
    const names = ['outbound-proxy', 'private-ca', 'mutual-tls', 'serverless', 'opentelemetry']
    const sources = await Promise.all(names.map(name => read(`recipes/${name}.ts`)))
    expect(blocks).toEqual(sources.map(source => source.replace('../../src/index.js', '@tillkit/client')))
  })
})

describe('a client behind a proxy', () => {
  it('reaches the gateway through it, with its password', async () => {
    const proxy = await startProxy(`Basic ${Buffer.from('me:secret').toString('base64')}`)
    tunnels.push(proxy)
    const { client, dispatcher } = clientBehindProxy(`http://me:secret@127.0.0.1:${proxy.port}`)
    await client.sale(sale)
    await dispatcher.close()
    expect(proxy.seen).toEqual([`127.0.0.1:${port}`])
    expect(gateway.calls('sale')).toHaveLength(1)
  })

  it('sends nothing when the proxy refuses', async () => {
    const proxy = await startProxy('none')
    tunnels.push(proxy)
    const { client, dispatcher } = clientBehindProxy(`http://me:secret@127.0.0.1:${proxy.port}`)
    await expect(client.sale(sale)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    await dispatcher.destroy()
    expect(gateway.calls()).toEqual([])
  })
})

describe('a client with a private CA', () => {
  it('trusts a gateway whose certificate that CA has signed', async () => {
    await overTls()
    const { client, dispatcher } = clientWithPrivateCa(certificates.ca)
    expect(await client.sale(sale)).toMatchObject({ clientOrderId: 'o-1' })
    await dispatcher.close()
  })

  it('is what check() advises where nobody trusts the certificate', async () => {
    await overTls()
    expect(await addressOf()).toMatch(/^TLS: nobody this machine trusts has signed the certificate. For a private CA/)
    expect(gateway.calls()).toEqual([])
  })
})

describe('a client with a certificate of its own', () => {
  it('shows it to the gateway', async () => {
    const tunnel = await overTls({ ca: certificates.ca })
    const { client, dispatcher } = clientWithCertificate({ ...certificates.client, ca: certificates.ca })
    await client.sale(sale)
    await dispatcher.close()
    expect(tunnel.seen).toEqual(['client'])
  })

  it('is what check() advises where the gateway asks for one', async () => {
    await overTls({ ca: certificates.ca })
    const { client, dispatcher } = clientWithPrivateCa(certificates.ca)
    expect(await addressOf(client)).toMatch(/asks for a client certificate|is a client certificate asked for/)
    await dispatcher.destroy()
    expect(gateway.calls()).toEqual([])
  })
})

describe('a serverless function', () => {
  it('opens a connection for each payment, so that it uses none that was frozen', async () => {
    const client = createClientFromEnv()
    const holds: { readonly clientOrderId: string; readonly orderId: string }[] = []
    for (const clientOrderId of ['o-1', 'o-2']) {
      const { orderId } = await client.preauth({ ...sale, clientOrderId })
      holds.push({ clientOrderId, orderId })
    }
    await client.close()
    const tunnel = await startForwarder(port)
    tunnels.push(tunnel)
    vi.stubEnv('TILLKIT_BASE_URL', `http://127.0.0.1:${tunnel.port}/paynet`)
    const before = process.rawListeners('SIGTERM')
    const { handler } = await import('./recipes/serverless.js')
    for (const hold of holds) expect(await handler(hold)).toEqual({ serialNumber: expect.any(String) })
    expect(tunnel.seen).toHaveLength(2)
    const [onTerminate] = process.rawListeners('SIGTERM').filter(each => !before.includes(each))
    onTerminate?.('SIGTERM')
    for (const hold of holds) await expect(handler(hold)).rejects.toThrow('this client was closed')
    expect(process.rawListeners('SIGTERM')).toEqual(before)
  })
})
