import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { freePort } from '../../express-middleware/test/listening.js'
import { runInProcess } from './run-in-process.js'
import { bin } from './start-process.js'

const example = new URL('../../../examples/curl/', import.meta.url)

it('pays and pays out from a shell with nothing but curl and openssl', async () => {
  const script = spawn('sh', [fileURLToPath(new URL('sale-and-payout.sh', example))], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TILLKIT_GATEWAY: `${process.execPath} ${bin} gateway`,
      PORT: '0',
      CALLBACK_PORT: String(await freePort()),
    },
  })
  const ended = new Promise(resolve => script.on('close', resolve))
  const [code, stdout, stderr] = await Promise.all([ended, text(script.stdout), text(script.stderr)])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const anyRun = (shown: string): string => shown.replace(/(order|payout)-[0-9a-f]{8}/g, '$1-…').replace(/:\d+/, ':…')
  const shown = /```text\n(.*?)```/s.exec(await readFile(new URL('README.md', example), 'utf8'))?.[1] ?? ''
  expect(anyRun(stdout)).toBe(anyRun(shown))
})

it('explains a wrong control value with commands that a shell runs, and that make the right one', async () => {
  const card = '4444444444444448'
  const sale = `curl -d client_orderid=order-7 -d amount=10.42 -d currency=EUR -d email=ada@shop.test \\
  -d credit_card_number=${card} -d cvv2=987 -d control=${'0'.repeat(40)} https://gate.example/paynet/api/v2/sale/39`
  const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
  const environment = { TILLKIT_CONTROL_KEY: controlKey }
  const { said } = await runInProcess(['explain'], { input: async () => sale, environment })
  const [, commands = ''] = /as curl:\n\n([\s\S]*?)\n\nAs code:/.exec(said) ?? []
  const env = { PATH: process.env.PATH ?? '', CONTROL_KEY: controlKey, CREDIT_CARD_NUMBER: card, CVV2: '987' }
  const input = `curl() { printf '%s\\n' "$@"; }\n${commands}\n`
  const { stdout } = spawnSync('sh', { input, env, encoding: 'utf8' })
  const control = createHash('sha1').update(`39order-71042ada@shop.test${controlKey}`).digest('hex')
  expect(stdout).toContain(`control=${control}\n`)
})
