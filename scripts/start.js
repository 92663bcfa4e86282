/**
 * `npm start`: installs and builds what has changed, silently unless it fails, and runs the shop's tour.
 *
 * The shop runs in this very process: behind npx and pnpm it would survive a SIGTERM, and its ports with it. turbo's own
 * summary would be the first thing a newcomer reads; they came for the tour.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { root } from './workspaces.js'

// npm hands SIGTERM to its shell, which ends without telling us; a new parent is the sign.
const parent = process.ppid
setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 500).unref()

process.stdout.write('Installing and building; the first time takes a while…\n\n')
const command = ['scripts/pnpm.js', 'exec', 'turbo', 'run', 'build', '--filter', 'shop']
const build = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
const [status, ...output] = await Promise.all([
  new Promise(resolve => build.on('close', resolve)),
  text(build.stdout),
  text(build.stderr),
])
if (status !== 0) {
  process.stderr.write(`${output.join('')}\nThe build failed, see above.\n`)
  process.exit(1)
}
await import(pathToFileURL(join(root, 'examples/shop/dist/main.js')).href)
