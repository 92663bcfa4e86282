/**
 * Runs the command in this process, with a process around it that is made up.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Surroundings } from '../src/command-line/surroundings.js'
import { runCommand } from '../src/commands/run-command.js'

/** What a command in this process said, and how it ended. */
export interface Said {
  readonly code: number
  readonly said: string
  readonly complaint: string
}

/** What a process without settings gives to a command, with nothing on its standard input. Nothing stops the command. */
export function surroundingsOf(words: readonly string[], given: Partial<Surroundings> = {}): Surroundings {
  return {
    words,
    version: '0.0.0',
    say: () => undefined,
    complain: () => undefined,
    stopped: new Promise(() => undefined),
    newControlKey: randomUUID,
    input: async () => '',
    environment: {},
    folders: ['.'],
    clock: Date.now,
    // Status is asked again at once: a pause only lets others have their turn.
    wait: (_milliseconds, signal) => setTimeout(10, undefined, { signal }),
    random: Math.random,
    ...given,
  }
}

/** Runs the command in this process to its end. */
export async function runInProcess(words: readonly string[], given: Partial<Surroundings> = {}): Promise<Said> {
  let [said, complaint] = ['', '']
  const code = await runCommand(
    surroundingsOf(words, {
      say: text => {
        said += text
      },
      complain: text => {
        complaint += text
      },
      ...given,
    }),
  )
  return { code, said, complaint }
}
