/** Two processes with one store: of equal requests one is sent, and the other process learns of it. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AttemptsPort } from '@tillkit/protocol'
import { attemptsConformance } from '@tillkit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Asked } from './another-process.js'
import { fileAttempts } from './file-attempts.js'
import { type GatewayServer, reply, startServer } from './gateway-server.js'
import { acceptedBody, controlKey, saleRequest } from './sample-requests.js'

/** The part of esbuild used here. It comes with tsup. */
interface Esbuild {
  build(options: object): Promise<unknown>
}

const requireHere = createRequire(import.meta.url)
const esbuild: Esbuild = createRequire(requireHere.resolve('tsup'))('esbuild')

/** Where what is built can find undici. */
const built = fileURLToPath(new URL('../node_modules/.another-process.mjs', import.meta.url))

interface Another {
  readonly process: ChildProcess
  ask(asked: WithoutId<Asked>): Promise<unknown>
}

type WithoutId<Each> = Each extends unknown ? Omit<Each, 'id'> : never

let folder: string
let server: GatewayServer
let processes: Another[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillkit-'))
  server = await startServer(reply({ body: acceptedBody }))
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL('./another-process.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['@tillkit/source'],
    external: ['undici'],
    outfile: built,
    logLevel: 'error',
  })
  processes = await Promise.all([start(), start()])
})

afterAll(async () => {
  for (const { process: each } of processes) each.kill()
  await server.close()
  rmSync(folder, { recursive: true })
  rmSync(built)
})

async function start(): Promise<Another> {
  const child = fork(built, [join(folder, 'attempts.json'), server.baseUrl, controlKey], { execArgv: [] })
  const waiting = new Map<number, (message: { readonly value?: unknown; readonly error?: string }) => void>()
  child.on('message', (message: { readonly id: number; readonly value?: unknown; readonly error?: string }) =>
    waiting.get(message.id)?.(message),
  )
  let last = 0
  const answerTo = (id: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error('the other process has ended')))
      waiting.set(id, ({ value, error }) => (error === undefined ? resolve(value) : reject(new Error(error))))
    })
  child.setMaxListeners(0)
  await answerTo(0)
  return {
    process: child,
    ask(asked) {
      last += 1
      child.send({ ...asked, id: last })
      return answerTo(last)
    },
  }
}

const portOf = ({ ask }: Another): AttemptsPort => ({
  reserve: attempt => ask({ what: 'reserve', attempt }) as ReturnType<AttemptsPort['reserve']>,
  settled: async (attempt, end) => void (await ask({ what: 'settled', attempt, end })),
  changesOf: attempt => ask({ what: 'changesOf', attempt }) as ReturnType<AttemptsPort['changesOf']>,
})

describe('two processes with one store of attempts', () => {
  it('keep every rule of a port between them', async () => {
    const [one, other] = processes
    expect(await attemptsConformance(portOf(one!), { another: portOf(other!) })).toEqual([])
  })

  it('keep it with this process, too', async () => {
    const here = fileAttempts(join(folder, 'attempts.json'))
    expect(await attemptsConformance(here, { another: portOf(processes[0]!) })).toEqual([])
  })

  it('send an order that both are asked to sell once, and the other one says so', async () => {
    for (let order = 1; order <= 20; order += 1) {
      const clientOrderId = `o-${order}`
      server.behave(reply({ body: acceptedBody.replace('"o-1"', JSON.stringify(clientOrderId)) }))
      const before = server.arrived.length
      const request = { ...saleRequest, clientOrderId }
      const said = await Promise.all(processes.map(each => each.ask({ what: 'sale', request })))
      expect([...said].sort()).toEqual(['ERR_ALREADY_SENT', 'sent'])
      expect(server.arrived).toHaveLength(before + 1)
    }
  })

  it('are two: each has its own number', () => {
    const ids = [process.pid, ...processes.map(each => each.process.pid)]
    expect(new Set(ids).size).toBe(3)
  })
})
