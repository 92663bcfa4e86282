/**
 * Runs the pnpm that package.json names, on a machine that has only Node.js and npm.
 *
 * Without it the version would stand in every script, and turbo would send telemetry from other people's machines.
 * Corepack is not used: the one that ships with Node 20 no longer knows the signing keys of new pnpm releases.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// After `--` npx leaves every option to pnpm; npm 11 would take `--dir` for one of its own.
const child = spawn('npx', ['--yes', '--no-update-notifier', '--', packageManager, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', ...process.env },
})

// Ctrl+C reaches the whole process group; this process only waits for the child to finish tidying up.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 0 : 1)))
