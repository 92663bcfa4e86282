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

// Once: whoever asks a second time is not kept waiting.
const stopped = new Promise(resolve => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
})

// The fault that closes the port leaves nothing open that would keep the process alive.
const alive = setInterval(() => undefined, 2 ** 30)

void runCommand({
  words: process.argv.slice(2),
  version: manifest.version,
  say: text => void process.stdout.write(text),
  complain: text => void process.stderr.write(text),
  stopped,
  newControlKey: () => randomUUID().toUpperCase(),
}).then(exitCode => {
  clearInterval(alive)
  process.exitCode = exitCode
})
