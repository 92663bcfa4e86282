/**
 * Starts the command the way users do, as a process of its own.
 *
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { boundRoot } from '../../till/test/bound-root.js'

/** The built command. */
export const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

/** A command under way. */
export interface RunningCommand {
  readonly child: ChildProcess
  /** Resolves with what it wrote, once that contains `text`; also when it ends. */
  written(text: string): Promise<string>
  /** Resolves when it has ended. */
  readonly ended: Promise<EndedCommand>
}

/** How a command ended. */
export interface EndedCommand {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

const running = new Set<ChildProcess>()

/** What is around a command. */
export interface StartCommandOptions {
  readonly cwd?: string
  /** Default: that of the tests. */
  readonly env?: NodeJS.ProcessEnv
  /** What is on its standard input. Default: nothing. */
  readonly input?: string
  /** Whether file modes bind it also where root runs the tests. */
  readonly isBoundByModes?: boolean
}

/** Starts the built command. */
export function startCommand(words: readonly string[], options: StartCommandOptions = {}): RunningCommand {
  if (!existsSync(bin)) throw new Error('The command is not built: npm run pm -- exec turbo run build')
  const { input, isBoundByModes = false, ...surroundings } = options
  const [program = '', ...parameters] = [...(isBoundByModes ? boundRoot : []), process.execPath, bin, ...words]
  const child = spawn(program, parameters, { ...surroundings, stdio: ['pipe', 'pipe', 'pipe'] })
  // A command that reads no input may have ended by now.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  running.add(child)
  let stdout = ''
  let stderr = ''
  let look = (): void => undefined
  child.stdout.on('data', chunk => {
    stdout += chunk
    look()
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const ended = new Promise<EndedCommand>(resolve => {
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal, stdout, stderr })
    })
  })
  return {
    child,
    ended,
    written: text =>
      new Promise(resolve => {
        look = () => stdout.includes(text) && resolve(stdout)
        look()
        void ended.then(() => resolve(stdout))
      }),
  }
}

/** Runs the built command to its end. */
export const runToEnd = (words: readonly string[], options: StartCommandOptions = {}): Promise<EndedCommand> =>
  startCommand(words, options).ended

/** Ends what a test left behind. */
export function endCommands(): void {
  for (const child of running) child.kill('SIGKILL')
}
