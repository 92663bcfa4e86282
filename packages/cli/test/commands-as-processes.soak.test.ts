/** Every test of a command, with the command as a process of its own. */
import { describe } from 'vitest'

describe.each([
  'call-command',
  'callback-command',
  'check-command',
  'command',
  'command-docs',
  'explain-command',
  'gateway-command-docs',
  'keygen-command',
  'till-commands',
])('%s, as a process', async name => {
  await import(`./${name}.test.ts`)
})
