/**
 * One process of PostgreSQL, and all that it starts.
 *
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { ServerPlace } from './postgres-files.js'

/** A server that runs. */
export interface ServerProcess {
  /** Ends it: `SIGINT` as a person does, `SIGKILL` as a power cut does. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
}

/** Starts a server on a folder of data. Resolves once it answers. */
export async function startServer(
  { directory, binaries, user }: ServerPlace,
  { data, port, settings }: { readonly data: string; readonly port: number; readonly settings: readonly string[] },
): Promise<ServerProcess> {
  const flags = ['listen_addresses=127.0.0.1', 'max_connections=200', ...settings].flatMap(each => ['-c', each])
  const server = spawn(join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...user,
    cwd: directory,
    stdio: 'ignore',
  })
  await untilItAnswers(urlOf(port), server)
  return {
    async end(signal) {
      if (server.exitCode !== null || server.signalCode !== null) return
      const ended = new Promise(resolve => server.once('exit', resolve))
      // Its children outlive a killed server, for as long as they take to notice; a power cut ends them as well.
      const children = signal === 'SIGKILL' ? childrenOf(server.pid) : []
      server.kill(signal)
      for (const child of children) killIfThere(child)
      await ended
    },
  }
}

/** The address of a server on this machine. */
export const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at its start, with ${server.exitCode}.`)
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch {
      await pause(50)
    }
  }
}

/** The processes that a process has started. Linux says it in a file; other systems have a command. */
function childrenOf(parent: number | undefined): readonly number[] {
  const file = `/proc/${parent}/task/${parent}/children`
  const list = existsSync(file)
    ? readFileSync(file, 'utf8')
    : spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' }).stdout
  return list.split(/\s/).filter(Boolean).map(Number)
}

function killIfThere(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
