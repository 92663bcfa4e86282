import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

// The command as its page shows it; `npx` finds the package that is installed here.
const words = ['--offline', 'tillkit', 'gateway', '--port', '0', '--json']
const command = spawn('npx', words, { stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32' })
const ended = once(command, 'close')
setTimeout(() => {
  throw new Error('The command did not end.')
}, 60_000).unref()
const [line] = await Promise.race([once(createInterface(command.stdout), 'line'), ended.then(() => [undefined])])
assert.ok(line, 'the command ended before it listened')
const { baseUrl, control } = JSON.parse(line)

const gateway = await fetch(`${control}/`)
assert.deepEqual([gateway.status, (await gateway.json()).baseUrl], [200, baseUrl])

// Ending npx ends the gateway: a port that stays taken would break the next run.
command.kill('SIGTERM')
await ended
await assert.rejects(fetch(`${control}/`), { message: 'fetch failed' })
