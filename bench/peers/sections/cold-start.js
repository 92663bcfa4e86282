/**
 * How long a newcomer waits for `npm start`: a fresh clone of what is committed, in a home without a cache, to the end of the tour. What the
 * registry takes is part of it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'tillkit-cold-'))
const clone = join(home, 'tillkit')
const env = { ...process.env, HOME: home, npm_config_cache: join(home, '.npm') }
for (const name of Object.keys(env)) {
  // What the package manager that started this hands to its scripts, and the folders of the desktop, which are in no fresh home.
  if (/^(?:XDG_\w+|PNPM_\w+|npm_(?!config_(?:cache|registry)$)\w+|INIT_CWD|NODE_PATH)$/i.test(name)) delete env[name]
}
execFileSync('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(root).href, clone], { stdio: 'inherit' })
const start = performance.now()
execFileSync('npm', ['start', '--', '--once'], { cwd: clone, env, stdio: ['ignore', 'ignore', 'inherit'] })
const seconds = (performance.now() - start) / 1_000
rmSync(home, { recursive: true, force: true })

export const rows = [
  {
    name: 'npm start in a fresh clone, nothing in a cache',
    against: 'seconds to the end of the tour',
    ratio: seconds,
    atMost: 50,
  },
]
