import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { importFresh } from './import-fresh.js'
import { otherPrivateKey } from './other-keys.js'
import { saleRequest } from './sample-requests.js'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

const readme = '../README.md'
const keys = new URL('readme-keys.ts', import.meta.url)
const guide = (name: string) => `../../../docs/client/${name}.md`

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('the README and the guides', () => {
  it.each([
    [readme, ['example', 'outcome']],
    [guide('settings'), ['keys', 'check', 'merchants']],
    [guide('own-operations'), ['own-operation', 'newer-operations', 'ephemeral-ticket']],
  ])('shows in %s the examples that are compiled and run here, and no others', async (page, examples) => {
    const blocks = (await read(page)).match(/(?<=```ts\n).*?(?=```)/gs)
    const sources = await Promise.all(examples.map(example => read(`readme-${example}.ts`)))
    const shown = sources.map(source =>
      source.replaceAll(/ *\/\/ biome-ignore.*\n/g, '').replace('../src/index.js', '@tillkit/client'),
    )
    expect(blocks).toEqual(shown)
  })

  it('stays a page that is read at a sitting', async () => {
    expect((await read(readme)).split('\n').length).toBeLessThanOrEqual(120)
  })

  it('says what its example prints', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    await import('./readme-example.js')
    const printed = log.mock.calls.map(line => line.join(' '))
    log.mockRestore()
    expect(printed).toHaveLength(1)
    expect(await read(readme)).toContain(`It prints \`${printed[0]}\``)
  })

  it.each(['example', 'outcome'])('has no warning left at the gateway by its %s', async name => {
    const source = (await read(`readme-${name}.ts`)).replace("'../src/index.js'", "'../../src/index.js'")
    const folder = new URL('.readme/', import.meta.url)
    const file = new URL(`${name}-${process.pid}.ts`, folder)
    await mkdir(folder, { recursive: true })
    await writeFile(file, `${source}\nexport { gateway }\n`)
    const log = vi.spyOn(console, 'log').mockReturnValue()
    const { gateway }: { readonly gateway: FakeGateway } = await import(/* @vite-ignore */ fileURLToPath(file))
    log.mockRestore()
    await rm(file)
    expect(gateway.calls().length).toBeGreaterThan(1)
    expect(gateway.calls().flatMap(({ warnings = [] }) => warnings)).toEqual([])
  })

  it('says what its example of an own operation prints', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    await import('./readme-own-operation.js')
    const printed = log.mock.calls.flat()
    log.mockRestore()
    expect(printed).toEqual([true])
    expect(await read(guide('own-operations'))).toContain('It prints `true`.')
  })

  it.each([
    ['newer operations', () => import('./readme-newer-operations.js')],
    ['a ticket', () => import('./readme-ephemeral-ticket.js')],
  ])('says what its example of %s prints', async (_what, run) => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    await run()
    const printed = log.mock.calls.map(line => line.join(' '))
    log.mockRestore()
    expect(printed).toHaveLength(1)
    expect(await read(guide('own-operations'))).toContain(`It prints \`${printed[0]}\`.`)
  })

  it('sells through several endpoints and merchants', async () => {
    vi.stubEnv('BAKERY_CONTROL_KEY', 'key-of-the-bakery')
    vi.stubEnv('FLORIST_CONTROL_KEY', 'key-of-the-florist')
    const { client, sell } = await import('./readme-merchants.js')
    const { dispatcher, captured } = capturing(anyReply)
    const options = {
      baseUrl: 'https://gate.example/paynet',
      endpointId: 39,
      login: 'bakery',
      controlKey: 'k',
      dispatcher,
    }
    await Promise.all(sell(saleRequest, createClient(options)))
    expect(captured.map(({ path }) => path)).toEqual([
      '/paynet/api/v2/sale/41',
      '/paynet/api/v2/sale/group/7',
      '/paynet/api/v2/sale/40',
    ])
    await client.close()
  })

  it('says what its example of an outcome prints', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    await import('./readme-outcome.js')
    const printed = log.mock.calls.map(line => `\`${line.join(' ')}\``)
    log.mockRestore()
    expect(await read(readme)).toContain(`It prints ${printed.join(' and ')}.`)
  })

  it('says what its check prints', async () => {
    const gateway = createFakeGateway({ endpointId: 39, login: 'merchant', controlKey: 'the right one' })
    const { baseUrl } = await gateway.listen()
    vi.stubEnv('TILLKIT_BASE_URL', `${baseUrl}`)
    vi.stubEnv('TILLKIT_ENDPOINT_ID', '39')
    vi.stubEnv('TILLKIT_LOGIN', 'merchant')
    vi.stubEnv('TILLKIT_CONTROL_KEY', 'a wrong one')
    const log = vi.spyOn(console, 'log').mockReturnValue()
    await import('./readme-check.js')
    const printed = log.mock.calls
      .join('\n')
      .replace(String(baseUrl), 'https://gate.example/paynet')
      .replace(/(?<=It said: ).*/, '…')
    log.mockRestore()
    expect(process.exitCode).toBe(1)
    process.exitCode = 0
    await gateway.close()
    expect(await read(guide('settings'))).toContain(`prints\n\n\`\`\`text\n${printed}\n\`\`\``)
  })

  it('makes a client with a key from a variable', async () => {
    vi.stubEnv('TILLKIT_CONTROL_KEY', 'any')
    vi.stubEnv('TILLKIT_PRIVATE_KEY', otherPrivateKey.replaceAll('\n', '\\n'))
    const { client } = await importFresh<typeof import('./readme-keys.js')>(keys)
    await client.close()
  })

  it('makes a client with a key from a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tillkit-'))
    const path = join(folder, 'key.pem')
    await writeFile(path, otherPrivateKey)
    vi.stubEnv('TILLKIT_CONTROL_KEY', 'any')
    vi.stubEnv('TILLKIT_PRIVATE_KEY', undefined)
    vi.stubEnv('TILLKIT_PRIVATE_KEY_FILE', path)
    const { client } = await importFresh<typeof import('./readme-keys.js')>(keys)
    await client.close()
    await rm(folder, { recursive: true })
  })
})
