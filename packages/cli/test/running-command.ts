/**
 * A command under way, wherever it runs.
 *
 * @module
 */

/** The surroundings of a command. */
export interface StartCommandOptions {
  /** Default: that of the tests. */
  readonly env?: NodeJS.ProcessEnv
  /** Its standard input. Default: nothing. */
  readonly input?: string
  /** Milliseconds since the epoch. Default: the system clock. A process of its own has that one. */
  readonly clock?: () => number
}

/** A command under way. */
export interface RunningCommand {
  /** Sends it a signal. */
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
  /** Resolves with what it wrote, once that contains `text`; also when it ends. */
  readonly written: (text: string) => Promise<string>
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

/** Keeps what a command writes, and tells who waits for it. */
export function watchOutput() {
  let [stdout, stderr] = ['', '']
  let look = (): void => undefined
  return {
    say(text: string): void {
      stdout += text
      look()
    },
    complain(text: string): void {
      stderr += text
    },
    until(end: Promise<Pick<EndedCommand, 'code' | 'signal'>>): Pick<RunningCommand, 'written' | 'ended'> {
      const ended = end.then(how => ({ ...how, stdout, stderr }))
      return {
        ended,
        written: text =>
          new Promise(resolve => {
            look = () => stdout.includes(text) && resolve(stdout)
            look()
            void ended.then(() => resolve(stdout))
          }),
      }
    },
  }
}
