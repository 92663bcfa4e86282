/**
 * Runs the pnpm that package.json names, on a machine that has only Node.js and npm.
 *
 * Without it the version would stand in every script, and turbo would send telemetry from other people's machines.
 * Corepack does the same, but the one that ships with Node.js 20 no longer knows the signing keys of new pnpm releases.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, shell } from './workspaces.js'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const unreachable = `
Nothing is installed yet. The first command fetches packages from the npm
registry, and that failed, see above. Can this machine reach it? Try: npm ping`

// After `--` npx leaves every option to pnpm; npm 11 would take `--dir` for one of its own.
const child = spawn('npx', ['--yes', '--no-update-notifier', '--', packageManager, ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell,
  // `npm run -s` hands on its silence: without the last one no npm below would say why it failed.
  env: { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', ...process.env, npm_config_loglevel: 'error' },
})

// Ctrl+C reaches the whole process group; this process only waits for the child to finish tidying up.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  if (code > 0 && !existsSync(join(root, 'node_modules', '.modules.yaml'))) console.error(unreachable)
  process.exit(code ?? (signal === 'SIGINT' ? 0 : 1))
})
