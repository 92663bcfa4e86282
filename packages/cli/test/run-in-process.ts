/**
 * Runs the command in this process, with a process around it that is made up.
 *
 * @module
 */

import type { Surroundings } from '../src/command-line/surroundings.js'
import { runCommand } from '../src/commands/run-command.js'

/** What a command in this process said, and how it ended. */
export interface Said {
  readonly code: number
  readonly said: string
  readonly complaint: string
}

/** Runs the command. @param given What differs from a process without settings, that is never stopped. */
export async function runInProcess(words: readonly string[], given: Partial<Surroundings> = {}): Promise<Said> {
  let [said, complaint] = ['', '']
  const code = await runCommand({
    words,
    version: '0.0.0',
    say: text => {
      said += text
    },
    complain: text => {
      complaint += text
    },
    stopped: new Promise(() => undefined),
    newControlKey: () => 'made',
    input: async () => '',
    environment: {},
    folders: ['.'],
    clock: Date.now,
    random: Math.random,
    ...given,
  })
  return { code, said, complaint }
}
