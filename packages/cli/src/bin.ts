#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import manifest from '../package.json' with { type: 'json' }
import { sayWarnings } from './command-line/warnings.js'
import { runCommand } from './commands/run-command.js'

// In the thread of a store, SQLite of Node.js 22 warns that it is experimental. The user of a command can do nothing about that.
process.env.NODE_NO_WARNINGS ??= '1'

sayWarnings(process, text => void process.stderr.write(text))

let isOutputLost = false
// A reader that reads no further, such as `| head -1`, does not stop the command. A full disk does not either, and is told.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isOutputLost) return
  isOutputLost = true
  if (process.exitCode === 0) process.exitCode = 1
  process.stderr.write(`tillkit: The output could not be written: ${error.code}.\n`)
})
process.stderr.on('error', () => undefined)

let isStopped = false
let stop: () => void
const stopped = new Promise<void>(resolve => {
  stop = () => {
    isStopped = true
    resolve()
  }
})
// Once: the second signal ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())

// npx and npm hand SIGTERM to a shell, which ends without telling us; a new parent is the sign. Started without them, in
// the background of a terminal say, it outlives its parent.
const parent = process.env.npm_lifecycle_event === undefined ? undefined : process.ppid
// Nothing else may be open: the fault that refuses connections closes the port.
const watch = setInterval(() => parent !== undefined && process.ppid !== parent && stop(), 250)

/** More than anything that is read: the rest is not waited for. */
const longestInput = 100_000

async function readInput(ask: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(`${ask}, then press Ctrl+D.\n`)
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.length > longestInput) break
  }
  return text
}

void runCommand({
  words: process.argv.slice(2),
  version: manifest.version,
  say: text => void process.stdout.write(text),
  complain: text => void process.stderr.write(text),
  stopped,
  newControlKey: () => randomUUID().toUpperCase(),
  input: readInput,
  environment: process.env,
  folders: [process.cwd(), dirname(realpathSync(process.argv[1] ?? '.'))],
  clock: Date.now,
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
  random: Math.random,
  terminal: {
    columns: process.stdout.columns ?? 80,
    // https://no-color.org: any value that is not empty.
    colours: process.stdout.isTTY && !process.env.NO_COLOR,
    progress: process.stderr.isTTY,
  },
}).then(exitCode => {
  clearInterval(watch)
  process.exitCode = isOutputLost && exitCode === 0 ? 1 : exitCode
  // A case that is under way would go on for half a minute.
  if (isStopped) process.exit()
})
