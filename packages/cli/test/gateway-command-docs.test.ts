import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../express-middleware/test/listening.js'
import schema from '../src/gateway/config.schema.json' with { type: 'json' }
import { controlPath, controlRoutes } from '../src/gateway/control/routes.js'
import { schemaProblems } from '../src/schema.js'
import { runInProcess } from './run-in-process.js'
import { endCommands, startCommand } from './start-command.js'

let page: string
beforeAll(async () => {
  page = await readFile(new URL('../../../docs/gateway-command.md', import.meta.url), 'utf8')
})

afterEach(endCommands)

const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

describe('docs/certify-any-language.md', () => {
  it('shows what certify --help prints', async () => {
    const certify = await readFile(new URL('../../../docs/certify-any-language.md', import.meta.url), 'utf8')
    const { said } = await runInProcess(['certify', '--help'])
    expect(certify).toContain(`\`\`\`text\n${said}\`\`\``)
  })
})

describe('docs/gateway-command.md', () => {
  it('shows what --help prints', async () => {
    expect(block('text')).toBe((await runInProcess(['gateway', '--help'])).said)
  })

  it('shows a config file that is one', () => {
    expect(schemaProblems(JSON.parse(block('json')), schema, 'The config')).toEqual([])
  })

  it('shows a program that pays at the gateway of the command, and what becomes of it without its database', async () => {
    const command = startCommand(['gateway', '--port', '0', '--json'])
    const told = JSON.parse(await command.written('\n')) as { readonly baseUrl: string; readonly control: string }
    const shop = await createShop(told.baseUrl)
    expect(await shop.run()).toEqual(['order-7 paid 10.00', 'paid'])
    expect(await shop.run()).toEqual(['paid'])
    expect(await paidAt(told.control)).toEqual(['10.00'])
    await shop.deleteDatabase()
    expect(await shop.run()).toEqual(['order-7 paid 10.00', 'paid'])
    expect(await paidAt(told.control)).toEqual(['10.00', '10.00'])
    command.stop('SIGTERM')
    // Nothing but that its reference came a second time.
    expect((await command.ended).stderr).toMatch(
      /^tillkit: saleForm, said once: "client_orderid" was used before[^\n]*\n$/,
    )
  })

  it('leads to a page that lists every route of the control API with its words', async () => {
    const api = await readFile(new URL('../../../docs/gateway-from-a-program.md', import.meta.url), 'utf8')
    const rows = Object.values(controlRoutes).map(
      ({ method, path, does }) => `| \`${method} ${controlPath}${path}\` | ${does} |`,
    )
    expect(api.match(/^\| `.*$/gm)?.toSorted()).toEqual(rows.toSorted())
  })
})

/** A folder in which a reader runs the program of the page, against a gateway that listens elsewhere. */
async function createShop(baseUrl: string) {
  const folder = fileURLToPath(new URL(`.readme/pay-${process.pid}/`, import.meta.url))
  await mkdir(folder, { recursive: true })
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const log = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => log.mockRestore())
  let count = 0
  return {
    async run(): Promise<readonly string[]> {
      const file = `${folder}${count++}.ts`
      const own = block('ts')
        .replace('http://127.0.0.1:4010/paynet', baseUrl)
        .replaceAll('4280', String(await freePort()))
        .replace("'pay.db'", JSON.stringify(`${folder}pay.db`))
      await writeFile(file, own)
      log.mockClear()
      await import(/* @vite-ignore */ file)
      return log.mock.calls.map(words => words.join(' '))
    },
    deleteDatabase: () => rm(`${folder}pay.db`),
  }
}

/** Amounts of the orders that the gateway has taken money for. */
async function paidAt(control: string): Promise<readonly unknown[]> {
  const answer = await fetch(`${control}/orders`)
  const { orders } = (await answer.json()) as {
    readonly orders: readonly { stages: readonly { status: string; amount: string }[] }[]
  }
  return orders
    .flatMap(({ stages }) => stages)
    .filter(({ status }) => status === 'approved')
    .map(({ amount }) => amount)
}
