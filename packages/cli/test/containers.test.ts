/** The containers of docs/gateway-in-containers.md: its command, its config file and its client, as the page shows them. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../express-middleware/test/listening.js'
import type { RunningCommand } from './running-command.js'
import { endCommands, startCommand } from './start-command.js'

const read = (name: string): string => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
const page = read('gateway-command')
const section = read('gateway-in-containers')
const block = (text: string, language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? ''

/** An address by which other machines reach this one; one of loopback where there is no network. */
const ownAddress =
  Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'

let folder: string
let port: number
let command: RunningCommand

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillkit-'))
  mkdirSync(join(folder, 'keys'))
  const key = new URL('../../signing/test/vectors/rsa-test-public.pem', import.meta.url)
  copyFileSync(key, join(folder, 'keys/north.pem'))
  writeFileSync(join(folder, 'merchants.json'), block(page, 'json'))
  port = await freePort()
  const [npx, program, ...words] = block(section, 'sh').trim().split(' ')
  expect([npx, program]).toEqual(['npx', 'tillkit'])
  const seenFromHere = words.map(word => (word === 'merchants.json' ? join(folder, word) : word))
  command = startCommand([...seenFromHere, '--port', `${port}`, '--json'])
  const told = await command.written('\n')
  if (told === '') throw new Error(`The command of the page does not start: ${(await command.ended).stderr}`)
  expect(JSON.parse(told)).toMatchObject({ baseUrl: 'http://gateway:4010/paynet' })
})

afterAll(async () => {
  await endCommands()
  rmSync(folder, { recursive: true })
})

/** Does what a network of containers does: gives the gateway's machine its name, and the command its own port. */
function joinNetwork(): readonly string[] {
  const reached: string[] = []
  const { connect } = net
  vi.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts, ...more: []) => {
    reached.push(`${options.host}:${options.port}`)
    return connect({ ...options, host: ownAddress, port }, ...more)
  }) as typeof connect)
  return reached
}

let count = 0

/** Runs the program of the page. @returns What it prints. */
async function runProgram(source: string): Promise<readonly unknown[]> {
  const file = fileURLToPath(new URL(`.readme/containers-${process.pid}-${count++}.ts`, import.meta.url))
  mkdirSync(new URL('.readme/', import.meta.url), { recursive: true })
  writeFileSync(file, source)
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await import(/* @vite-ignore */ file)
    return log.mock.calls.flat()
  } finally {
    log.mockRestore()
    rmSync(file)
  }
}

describe('docs/gateway-in-containers.md', () => {
  it('shows a client that reaches the gateway under its name', async () => {
    const reached = joinNetwork()
    const printed = await runProgram(block(section, 'ts'))
    vi.restoreAllMocks()
    expect(new Set(reached)).toEqual(new Set(['gateway:4010']))
    expect(section).toContain(`It prints \`${printed}\``)
  })

  it('shows nothing that the gateway would warn of', async () => {
    const calls = await fetch(`http://${ownAddress}:${port}/__gateway/api/calls`).then(answer => answer.json())
    expect(JSON.stringify(calls)).toContain('"operation":"sale"')
    expect(JSON.stringify(calls)).not.toContain('warnings')
  })

  it('shows an option that it needs', async () => {
    const without = block(section, 'ts').replace('  allowPlainHttp: true,\n', '')
    await expect(runProgram(without)).rejects.toThrow('set "allowPlainHttp" to true')
  })
})
