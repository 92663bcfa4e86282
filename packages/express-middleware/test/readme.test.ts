/** The example of the README, run: what a newcomer copies has to work. */
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '@tillkit/client'
import type { FakeGateway } from '@tillkit/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { payOnHostedPage } from './hosted-page.js'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '.readme')

/** Writes the example as a module that hands out what has to be closed, on a port that is free. */
async function writeExample(port: number): Promise<string> {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(here, '../README.md'), 'utf8')) ?? []
  const runnable = code
    .replaceAll('4000', String(port))
    .replace("'@tillkit/express-middleware'", "'../../src/index.js'")
    .concat('\nexport { client, gateway, server }\n')
  mkdirSync(out, { recursive: true })
  const file = join(out, 'example.ts')
  writeFileSync(file, runnable)
  return file
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise(closed => server.close(closed))
  return typeof address === 'object' && address !== null ? address.port : 0
}

interface Example {
  readonly client: Client
  readonly gateway: FakeGateway
  readonly server: Server
}

describe('the example of the README', () => {
  afterAll(() => rmSync(out, { recursive: true, force: true }))

  it('takes a customer to the hosted form and back, and verifies the callback', async () => {
    const port = await freePort()
    const log = vi.spyOn(console, 'log').mockReturnValue()
    const { client, gateway, server }: Example = await import(/* @vite-ignore */ await writeExample(port))
    try {
      const payment = await fetch(`http://localhost:${port}/pay`, { redirect: 'manual' })
      const { action, fields } = await payOnHostedPage(payment.headers.get('location') ?? '', '123')
      const page = await fetch(action, { method: 'POST', body: fields })
      expect(new URL(page.url).search).toBe('?view=paid')
      expect(await page.json()).toMatchObject({ stages: [{ stage: 'sale', outcome: 'approved', amount: '10.00' }] })
      await gateway.callbacks.idle()
      expect(log).toHaveBeenCalledExactlyOnceWith(
        'callback verified',
        expect.objectContaining({ status: 'approved', clientOrderId: 'order-1' }),
      )
    } finally {
      server.close()
      await client.close()
      await gateway.close()
      log.mockRestore()
    }
  })
})
