import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { freePort } from '../../express-middleware/test/listening.js'
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
