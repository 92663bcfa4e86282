import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type SqliteStore, type SqliteStoreOptions, sqliteStore } from '@tillkit/till/sqlite'
import { onTestFinished } from 'vitest'
import type { Entry } from '../../src/store/store.js'
import { programOf, removeProgram } from '../bundle.js'

/** A directory that goes with the test. */
export function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'tillkit-sqlite-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** The path of a file that is not there yet. */
export const freshFile = (): string => join(directory(), 'shop.db')

/** A store that is closed with the test. */
export function openStore(file: string = freshFile(), options: SqliteStoreOptions = {}): SqliteStore {
  const store = sqliteStore(file, options)
  onTestFinished(() => store.close())
  return store
}

/** An entry with a small body. */
export const entry = (body: string, more: Partial<Entry> = {}): Entry => ({ body, due: null, list: null, ...more })

/** The code of what a promise rejects with; `resolved` where it does not. */
export const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    error => error.code ?? error.name,
  )

/** The program that a TypeScript file of this directory becomes. It goes with the test. */
export async function programHere(script: string): Promise<string> {
  const file = await programOf(new URL(script, import.meta.url))
  onTestFinished(() => removeProgram(file))
  return file
}

/** The command line that runs a TypeScript file of this directory. */
export const commandOf = async (script: string, ...parameters: readonly string[]): Promise<readonly string[]> => [
  process.execPath,
  await programHere(script),
  ...parameters,
]

/** Starts a command. */
export const start = ([command = '', ...parameters]: readonly string[]) =>
  spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] })

/** Runs a command to its end. */
export async function run(command: readonly string[]): Promise<{
  readonly status: number | null
  readonly output: string
  readonly errors: string
}> {
  const child = start(command)
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const [status, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { status, output, errors }
}
