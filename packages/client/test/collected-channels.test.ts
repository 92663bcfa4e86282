/** Channels that the garbage collector takes away while they have no listener, in a process that can be made to collect. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

/** The part of esbuild used here. It comes with tsup, which builds the package with it. */
interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>
}

const requireHere = createRequire(import.meta.url)
const esbuild: Esbuild = createRequire(requireHere.resolve('tsup'))('esbuild')
const here = fileURLToPath(new URL('.', import.meta.url))

/** How a program listens: as our own helper does it, and as any subscriber of Node.js. */
const listens = {
  onChannel: "heard => onChannel('tillkit:request:end', heard)",
  subscribe: `heard => {
    subscribe('tillkit:request:end', heard)
    return () => unsubscribe('tillkit:request:end', heard)
  }`,
}

/** A program that has listened before it loads the client, and listens again and again: how often it hears a request. */
const program = (listen: string) => `
  const { subscribe, unsubscribe } = require('node:diagnostics_channel')
  const { setImmediate: turn } = require('node:timers/promises')

  const dropped = name => {
    const listener = () => {}
    subscribe(name, listener)
    unsubscribe(name, listener)
  }
  const collect = async () => {
    for (let count = 0; count < 5; count += 1) {
      globalThis.gc()
      await turn()
    }
  }

  async function main() {
    dropped('tillkit:request:end')
    await turn()
    // In the turn of the collection: Node.js hears of it when the turn is over.
    globalThis.gc()
    const { createClient, onChannel } = require('../src/index.ts')
    await collect()
    const dispatcher = { dispatch: () => { throw new Error('no network') } }
    const client = createClient({ baseUrl: 'https://gate.example', endpointId: 1, login: 'm', controlKey: 'k', dispatcher, retries: 0 })
    const ask = () => client.status({ clientOrderId: 'o-1' }).catch(() => {})
    const listen = ${listen}
    let heard = 0
    for (let count = 0; count < 3; count += 1) {
      const stop = listen(() => { heard += 1 })
      await ask()
      stop()
      await turn()
      globalThis.gc()
      await Promise.all([ask(), collect()])
    }
    process.stdout.write(JSON.stringify(heard))
  }
  void main()
`

describe.each(Object.entries(listens))('listening with %s', (_how, listen) => {
  let text = ''
  beforeAll(async () => {
    const { outputFiles } = await esbuild.build({
      stdin: { contents: program(listen), resolveDir: here, loader: 'js' },
      conditions: ['@tillkit/source'],
      external: ['undici'],
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      target: 'node20.19',
      outfile: 'listener.js',
    })
    text = outputFiles.map(file => file.text).join('')
  })

  it('hears every request, however often it was dropped and collected before', { timeout: 120_000 }, () => {
    const ran = spawnSync(process.execPath, ['--expose-gc', '--input-type=commonjs'], {
      cwd: here,
      input: text,
      encoding: 'utf8',
    })
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toBe('3')
  })
})
