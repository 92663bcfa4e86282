import { readFile } from 'node:fs/promises'
import { createFakeGateway, declinedAccount, type FakeGateway } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type AwaitedOutcome,
  type ClientOptions,
  createClient,
  createClientFromEnv,
  type OutcomeQuestion,
  outcomeOf,
} from '../src/index.js'
import { certificates } from './certificates.js'
import { longAccounts, payOut } from './recipes/bank-payout.js'
import { clientWithCertificate } from './recipes/mutual-tls.js'
import { clientBehindProxy } from './recipes/outbound-proxy.js'
import { clientWithPrivateCa } from './recipes/private-ca.js'
import { waitingJob } from './recipes/waiting-job.js'
import { saleRequest } from './sample-requests.js'
import { startForwarder, startProxy, startTls, type Tunnel } from './tunnels.js'

const sale = { ...saleRequest, cvv2: '123' }
const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

let gateway: FakeGateway
let port: number
const tunnels: Tunnel[] = []

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
  return findings.find(({ subject }) => subject === 'baseUrl')?.explanation
}

const shown = (source: string) => source.replace('../../src/index.js', '@tillkit/client')

describe('docs/recipes.md', () => {
  it('shows what is compiled and run here, and nothing else', async () => {
    const blocks = (await read('../../../docs/recipes.md')).match(/(?<=```ts\n).*?(?=```)/gs)
    const names = ['waiting-job', 'outbound-proxy', 'private-ca', 'mutual-tls', 'serverless', 'opentelemetry']
    const sources = await Promise.all(names.map(name => read(`recipes/${name}.ts`)))
    expect(blocks).toEqual(sources.map(shown))
  })

  it('leaves the payout to a bank account to docs/pay-out.md', async () => {
    expect(await read('../../../docs/pay-out.md')).toContain(shown(await read('recipes/bank-payout.ts')))
  })
})

describe('a payout to a bank account', () => {
  it.each([
    ['DE02120300000000202051', { kind: 'approved', moneyMoved: 'sent' }],
    [declinedAccount, { kind: 'declined', moneyMoved: 'none' }],
  ])('to %s ends as %j', async (iban, ending) => {
    const client = createClient({ ...gateway.clientOptions, wait: gateway.clock.wait })
    const payout = { clientOrderId: 'p-1', amount: '25.00', iban, firstName: 'Ada', lastName: 'King' }
    expect(await payOut(client, payout)).toMatchObject(ending)
    expect(gateway.orders.find('p-1')?.stages).toMatchObject([{ stage: 'payout', amount: '25.00' }])
    await client.close()
  })

  it('with the longest IBAN is refused before it is sent, until the profile says that the gateway takes it', async () => {
    // Malta's example in the SWIFT IBAN registry, 31 characters.
    const iban = 'MT84MALT011000012345MTLCAST001S'
    const payout = { clientOrderId: 'p-1', amount: '25.00', iban, firstName: 'Ada', lastName: 'King' }
    const plain = createClient(gateway.clientOptions)
    await expect(payOut(plain, payout)).rejects.toMatchObject({
      code: 'ERR_INVALID_REQUEST',
      field: 'accountNumber',
      message: expect.stringContaining('"accountNumber" has 31 characters; the gateway takes 24'),
    })
    const bankCode = { ...payout, iban: 'DE02120300000000202051', bankCode: '120300' }
    await expect(payOut(plain, bankCode)).rejects.toMatchObject({ field: 'bankCode' })
    await plain.close()

    const other = createFakeGateway({ profile: longAccounts })
    const client = createClient({ ...other.clientOptions, wait: other.clock.wait })
    expect(await payOut(client, payout)).toMatchObject({ kind: 'approved', moneyMoved: 'sent' })
  })
})

describe('a job that waits for outcomes', () => {
  it('waits for each row once, begins anew after a restart, and tells how it ended', async () => {
    const slow = createFakeGateway({ processingTime: 60_000 })
    const rows = new Map<string, string>()
    const told: string[] = []
    /** A process: the same table, a client of its own. */
    const startJob = (wait: NonNullable<ClientOptions['wait']>) => {
      const client = createClient({ ...slow.clientOptions, wait })
      let over = (): void => {}
      const done = new Promise<void>(resolve => {
        over = resolve
      })
      const job = waitingJob({
        client,
        open: async () => [...rows].map(([key, row]): [string, OutcomeQuestion] => [key, JSON.parse(row)]),
        onOutcome: async (key, { kind, moneyMoved }: AwaitedOutcome) => {
          rows.delete(key)
          told.push(`${key} ${kind} ${moneyMoved}`)
          over()
        },
        onFailed: error => told.push(String(error)),
      })
      return { client, job, done }
    }
    let isAsked = (): void => {}
    const asked = new Promise<void>(resolve => {
      isAsked = resolve
    })
    const untilStopped = (_milliseconds: number, signal: AbortSignal) => {
      isAsked()
      return new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    }

    const first = startJob(untilStopped)
    const reply = await first.client.sale(sale)
    rows.set('o-1', JSON.stringify(outcomeOf('sale', { request: sale, reply })))
    await first.job.resume()
    await first.job.resume()
    await asked
    await first.job.stop()
    expect(told).toEqual([])
    expect(slow.calls('status')).toHaveLength(1)

    const second = startJob(milliseconds => slow.clock.advance(milliseconds))
    await second.job.resume()
    await second.done
    expect(told).toEqual(['o-1 approved captured'])
    await second.job.stop()
    await slow.close()
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
    expect(await addressOf()).toMatch(
      /^TLS: the certificate is not signed by an authority that this machine trusts. For a private CA/,
    )
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
