/** The examples of docs/3d-secure.md, run with a gateway in a box in place of the one they name. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@tillkit/client'
import type { CustomerStep } from '@tillkit/protocol'
import { createFakeGateway, type FakeGateway, payAsCustomer, testCard } from '@tillkit/testing'
import express, { type Express } from 'express'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Till } from '../../src/index.js'
import { byCard } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const page = readFileSync(new URL('../../../../docs/3d-secure.md', import.meta.url), 'utf8')
const [shop = '', step = ''] = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block)
const out = fileURLToPath(new URL('../.readme/', import.meta.url))

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Runs an example. Addresses and keys are the reader's part of it. @returns What it hands out. */
async function run<Handed>(code: string, replace: Readonly<Record<string, string>> = {}): Promise<Handed> {
  const written = Object.entries(replace).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/3d-secure.md no longer has ${from}.`)
    return text.replaceAll(from, to)
  }, code)
  mkdirSync(out, { recursive: true })
  const file = join(out, `three-d-secure-${randomUUID()}.ts`)
  writeFileSync(file, written)
  try {
    return await import(/* @vite-ignore */ file)
  } finally {
    rmSync(file)
  }
}

async function openGateway(): Promise<FakeGateway & { readonly base: string }> {
  const gateway = createFakeGateway({ endpointId: 39, login: 'merchant', processingTime: 0 })
  const { baseUrl } = await gateway.listen()
  onTestFinished(() => gateway.close())
  return { ...gateway, base: baseUrl.href }
}

it('docs/3d-secure.md shows a shop that leads a customer through 3DS, and is told once', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const warned = watchWarnings()
  const gateway = await openGateway()
  vi.stubEnv('TILLKIT_CONTROL_KEY', gateway.clientOptions.controlKey)
  const outer = express()
  const server = outer.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { app, till } = await run<{ readonly app: Express; readonly till: Till }>(`${shop}\nexport { app, till }\n`, {
    'https://gate.example/paynet': gateway.base,
    'https://shop.example': origin,
  })
  onTestFinished(async () => {
    await till.close()
    server.closeAllConnections()
    server.close()
  })
  outer.use(app)
  outer.get('/orders/:id', async ({ params }, response) => {
    response.send((await till.payment(params.id ?? '')).state)
  })
  const card = { number: testCard, name: 'JOAN BAKER', month: '12', year: '2099', cvv2: '321' }
  const pressed = await fetch(`${origin}/orders/order-1/pay`, {
    method: 'POST',
    body: new URLSearchParams(card),
    redirect: 'manual',
  })
  const end = await payAsCustomer(pressed, { gateway })
  expect([end.url.href, end.html]).toEqual([`${origin}/orders/order-1`, 'paid'])
  expect(log.mock.calls).toEqual([['ship it, once:', 'order-1']])
  expect(warned('WARN_3D_SECURE_STUCK')).toEqual([])
  expect(gateway.calls('uploadCresResult')).toHaveLength(1)
  expect(await (await fetch(`${origin}/customer-browser.js`)).text()).toContain('data-customer-browser')
})

it('docs/3d-secure.md shows how to read the step of a customer without a till', async () => {
  const gateway = await openGateway()
  const client = createClient(gateway.clientOptions)
  onTestFinished(() => client.close())
  const { reference: clientOrderId, ...sale } = { ...byCard, creditCardNumber: testCard, cvv2: '321' }
  const { orderId } = await client.sale({
    ...sale,
    clientOrderId,
    redirectUrl: 'https://shop.example/3ds',
    serverCallbackUrl: 'https://shop.example/callback',
  })
  const { nextStepOf } = await run<{
    nextStepOf: (client: Client, clientOrderId: string, orderId: string) => Promise<CustomerStep | undefined>
  }>(step)
  expect(await nextStepOf(client, clientOrderId, orderId)).toMatchObject({
    kind: 'method',
    upload: 'uploadMethodUrlResult',
  })
})
