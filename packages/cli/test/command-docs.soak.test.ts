/** docs/command.md and the README: their help, their exit codes, and their commands, as they would be pasted. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exitCodes } from '../src/command-line/exit-codes.js'
import { hourAgo, openTill, sale, startMerchant } from './merchant.js'
import { runInProcess } from './run-in-process.js'
import { runToEnd } from './start-command.js'

const page = new URL('../../../docs/command.md', import.meta.url)
const readme = new URL('../README.md', import.meta.url)

/** Lines of `sh` blocks that begin with the command. */
async function commandsIn(file: URL): Promise<readonly string[]> {
  const blocks = (await readFile(file, 'utf8')).match(/(?<=```sh\n).*?(?=```)/gs) ?? []
  return blocks
    .flatMap(block => block.split('\n'))
    .filter(line => /^(?:npx )?tillkit /.test(line))
    .map(line => line.replace(/^npx /, '').replace(/ # .*$/, ''))
}

describe('docs/command.md', () => {
  it('shows what --help prints, in under 200 lines', async () => {
    const text = await readFile(page, 'utf8')
    expect(text).toContain(`\`\`\`text\n${(await runInProcess(['--help'])).said}\`\`\``)
    expect(text.split('\n').length).toBeLessThan(200)
  })

  it('lists the exit codes', async () => {
    const text = await readFile(page, 'utf8')
    const rows = Object.values(exitCodes).map(({ code, means }) => `| ${code} | ${means} |`)
    expect(text.match(/^\| \d+ .*$/gm)).toEqual(rows)
  })
})

it.each([
  ['docs/command.md', page],
  ['README.md', readme],
])('%s shows commands that there are, with options that they have', async (_name, file) => {
  const commands = await commandsIn(file)
  expect(commands.length).toBeGreaterThan(8)
  for (const command of commands) {
    const [, ...words] = command.split(' ')
    const name = words.slice(0, /^(?:callback|store)$/.test(words[0] ?? '') ? 2 : 1)
    const { code, said } = await runInProcess([...name, '--help'])
    expect([command, code]).toEqual([command, 0])
    for (const [option] of command.matchAll(/ --[a-z-]+/g)) expect(said).toContain(`${option} `)
  }
})

/**
 * A folder with the files that the page speaks of, a gateway, and a shop that takes callbacks. A shell reads each line. What it would start as
 * `tillkit` runs in this process, which cannot change its folder: names of files in that folder become paths.
 */
async function readersFolder() {
  const { gateway, env } = await startMerchant()
  const shop = createServer((_request, response) => response.end('OK')).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-page-'))
  onTestFinished(async () => {
    shop.close()
    await gateway.close()
    await rm(folder, { recursive: true, force: true })
  })
  const files = {
    tillkit: `#!/bin/sh\nprintf '%s' "$TILLKIT_STORE" > store\nprintf '%s\\0' "$@" > words\n`,
    'control-key.txt': `${env.TILLKIT_CONTROL_KEY}\n`,
    'private-key.pem': String(env.TILLKIT_PRIVATE_KEY),
    'sale.json': JSON.stringify(sale),
    'callback.txt': 'GET /callback?status=approved&orderid=1&merchant_order=order-7&control=0 HTTP/1.1\n',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content, { mode: 0o755 })
  // A payment whose request was never answered, from so long ago that its answer cannot come any more.
  const { till, close } = openTill(join(folder, 'shop.db'), env, hourAgo)
  gateway.faults.arm('drop')
  const { clientOrderId: _, ...card } = sale
  await till.pay({ reference: 'basket-7', ...card })
  // And one that is paid.
  await till.pay({ reference: 'basket-8', ...card })
  await gateway.clock.advance(60_000)
  await till.ask('basket-8')
  await close()
  const exported: string[] = []
  return async (line: string): Promise<number | null> => {
    if (line.startsWith('export ')) exported.push(line)
    const pasted = line
      .replace(/(?<=[ =])(?:[\w-]+\.(?:env|txt|pem|json|db)|keys\S*)(?=\s|$)/g, name => join(folder, name))
      .replace('http://127.0.0.1:4010/paynet', env.TILLKIT_BASE_URL ?? '')
      .replace('127.0.0.1:3000', `127.0.0.1:${(shop.address() as AddressInfo).port}`)
      .replace('1815162342', gateway.orders.find('order-7')?.orderId ?? '')
    const path = [folder, process.env.PATH].join(delimiter)
    const shell = spawn('sh', ['-c', [...exported, pasted].join('\n')], { cwd: folder, env: { PATH: path } })
    const [said, code] = await Promise.all([
      text(shell.stderr),
      new Promise<number | null>(resolve => shell.once('close', resolve)),
      text(shell.stdout),
    ])
    expect([line, said]).toEqual([line, ''])
    const words = (await readFile(join(folder, 'words'), 'utf8').catch(() => '')).split('\0').slice(0, -1)
    if (words.length === 0) return code
    await rm(join(folder, 'words'))
    const store = await readFile(join(folder, 'store'), 'utf8')
    const ended = await runToEnd(words, { env: { TILLKIT_STORE: store === '' ? undefined : join(folder, store) } })
    expect([line, ended.stderr]).toEqual([line, ''])
    return ended.code
  }
}

it('docs/command.md shows commands that do what it says when they are pasted one after the other', async () => {
  const run = await readersFolder()
  const blocks = (await readFile(page, 'utf8')).match(/(?<=```sh\n).*?(?=```)/gs) ?? []
  const ends: (readonly [string, number | null])[] = []
  for (const command of blocks.join('').match(/^cat > .*?^END$|^[^\n]+$/gms) ?? []) {
    const [, name = ''] = /^tillkit ((?:callback |store )?\S+)/.exec(command) ?? []
    const code = await run(command)
    if (name !== '' || code !== 0) ends.push([name, code])
  }
  expect(ends).toEqual([
    ['check', 0],
    ['call', 0],
    // The gateway has taken it, and it is not watched.
    ['call', 4],
    ['status', 0],
    ['keygen', 0],
    ['callback send', 0],
    ['callback replay', 0],
    // There is something to decide, until it is decided.
    ['report', 1],
    ['payment', 0],
    ['return', 0],
    ['decide', 0],
    ['store migrate', 0],
  ])
})
