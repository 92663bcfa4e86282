const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')

const environment = { ...process.env, NO_COLOR: '1' }
// Set by a test runner that this may be a child of, and heeded by its own.
delete environment.NODE_TEST_CONTEXT

function run(directory) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/jest/bin/jest.js', '--rootDir', directory],
    {
      encoding: 'utf8',
      env: environment,
      timeout: 120_000,
    },
  )
  return { status, text: `${stdout}${stderr}` }
}

const passed = run('tests')
assert.equal(passed.status, 0, passed.text)
assert.doesNotMatch(passed.text, /The test .*failed\./)

const failed = run('failing')
assert.equal(failed.status, 1, failed.text)
const prints = failed.text.match(/The test "[^"]+" failed\./g) ?? []
assert.deepEqual(
  prints,
  ['fails by itself', 'leaves a fault'].map(name => `The test "${name}" failed.`),
)
assert.match(failed.text, /The gateway's seed is "seed-of-the-run"/)
assert.match(failed.text, /sale +o-77 +10\.00 EUR +control +accepted +200/)
assert.match(failed.text, /o-77 +\d+ +sale +declined +10\.00 EUR +Decline, insufficient funds/)
assert.match(failed.text, /The fault "drop" is armed 1 more time/)
