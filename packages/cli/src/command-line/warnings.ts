import { forCommand } from './words.js'

/** The process, as far as warnings go. */
type WarningProcess = Pick<NodeJS.Process, 'listeners' | 'removeAllListeners' | 'on'>

/** Says warnings of our packages in the words of those who type commands. Those of others are written as Node.js does. */
export function sayWarnings(process: WarningProcess, complain: (text: string) => void): void {
  const usual = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', warning => {
    if (warning.name === 'TillkitWarning') complain(`tillkit: ${forCommand(warning.message)}\n`)
    else for (const each of usual) each(warning)
  })
}
