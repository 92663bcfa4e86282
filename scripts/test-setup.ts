/**
 * Runs before each test file, in the thread that runs it.
 *
 * Warnings of the process would reach the terminal from the middle of tests that expect them. Here they become output of the test
 * that was running, which the runner shows only if that test fails. And a test that hangs says what it still waits for.
 */
import { afterEach } from 'vitest'

// A test that watches `console.warn` shall not hear warnings that another test left.
const print = console.warn.bind(console)
process.removeAllListeners('warning')
process.on('warning', warning => print(`${warning.name}: ${warning.message}`))

afterEach(({ task }) => {
  const isHanging = task.result?.errors?.some(({ message }) => message.includes('timed out in'))
  if (isHanging) console.error(`It hangs. Still active: ${process.getActiveResourcesInfo().join(', ')}`)
})
