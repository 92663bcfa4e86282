/**
 * Runs before each test file, in the thread that runs it.
 *
 * Warnings of the process would reach the terminal from the middle of tests that expect them. Here they become output of the test
 * that was running, which the runner shows only if that test fails.
 */
process.removeAllListeners('warning')
process.on('warning', warning => console.warn(`${warning.name}: ${warning.message}`))
