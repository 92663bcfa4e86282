/**
 * `npm start`: builds what has changed, silently unless it fails, and runs the shop's tour.
 *
 * turbo's own summary around the tour would be the first thing a newcomer reads; they came for the tour.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './workspaces.js'

process.stdout.write('Building (a few seconds the first time)…\n\n')
const build = spawnSync('turbo', ['run', 'build', '--filter', 'shop'], { cwd: root, encoding: 'utf8' })
if (build.status !== 0) {
  process.stderr.write(
    `${build.stdout ?? ''}${build.stderr ?? ''}${build.error?.message ?? ''}\nThe build failed, see above.\n`,
  )
  process.exit(1)
}
await import(join(root, 'examples/shop/dist/main.js'))
