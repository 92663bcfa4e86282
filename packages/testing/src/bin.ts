#!/usr/bin/env node
/**
 * The command `tillkit-gateway`: the one file that knows the process.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import manifest from '../package.json' with { type: 'json' }
import { runCommand } from './command/run-command.js'

// Whoever reads no further, as `| head -1` does, stops nothing.
process.stdout.on('error', () => undefined)

let stop: () => void
const stopped = new Promise<void>(resolve => {
  stop = resolve
})
// Once: whoever asks a second time is not kept waiting.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())

// npx and npm hand SIGTERM to a shell, which ends without telling us; a new parent is the sign. Started without them, in
// the background of a terminal say, it outlives its parent.
const parent = process.env.npm_lifecycle_event === undefined ? undefined : process.ppid
// Nothing else may be open: the fault that refuses connections closes the port.
const watch = setInterval(() => parent !== undefined && process.ppid !== parent && stop(), 250)

void runCommand({
  words: process.argv.slice(2),
  version: manifest.version,
  say: text => void process.stdout.write(text),
  complain: text => void process.stderr.write(text),
  stopped,
  newControlKey: () => randomUUID().toUpperCase(),
}).then(exitCode => {
  clearInterval(watch)
  process.exitCode = exitCode
})
