/**
 * Starts the command the way users do, as a process of its own.
 *
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { boundRoot } from '../../till/test/bound-root.js'
import { type RunningCommand, type StartCommandOptions, watchOutput } from './running-command.js'

/** The built command. */
export const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

/** A command under way, in a process of its own. */
export interface RunningProcess extends RunningCommand {
  readonly child: ChildProcess
}

const running = new Set<ChildProcess>()

/** The surroundings of a process. */
export interface StartProcessOptions extends StartCommandOptions {
  readonly cwd?: string
  /** Whether file modes bind it also where root runs the tests. */
  readonly isBoundByModes?: boolean
}

/** Starts the built command. */
export function startProcess(words: readonly string[], options: StartProcessOptions = {}): RunningProcess {
  if (!existsSync(bin)) throw new Error('The command is not built: npm run pm -- exec turbo run build')
  const { input, isBoundByModes = false, ...surroundings } = options
  const [program = '', ...parameters] = [...(isBoundByModes ? boundRoot : []), process.execPath, bin, ...words]
  const child = spawn(program, parameters, { ...surroundings, stdio: ['pipe', 'pipe', 'pipe'] })
  // A command that reads no input may have ended by now.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  running.add(child)
  const output = watchOutput()
  child.stdout.on('data', chunk => output.say(String(chunk)))
  child.stderr.on('data', chunk => output.complain(String(chunk)))
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(resolve => {
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal })
    })
  })
  return { child, stop: signal => void child.kill(signal), ...output.until(ended) }
}

/** Ends the processes that a test left behind. */
export function endProcesses(): void {
  for (const child of running) child.kill('SIGKILL')
}
