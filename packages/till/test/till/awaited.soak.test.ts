import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { programOf, removeProgram } from '../bundle.js'

// Node.js ends with code 13, and prints nothing, where a module awaits what nothing keeps alive: nodejs.org/api/process.html, "Exit codes".
it('till.wait, in a script with nothing else to do: lasts until its time is over', async () => {
  const program = await programOf(new URL('programs/waits.ts', import.meta.url))
  onTestFinished(() => removeProgram(program))
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  expect(stdout).toBe('go open\n')
})
