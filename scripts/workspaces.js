/** Where the workspace's packages are, and how its commands are started. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuSeconds } from './cpu-seconds.js'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** On Windows npm, npx and the commands of packages are scripts, which only a shell can start. */
export const shell = process.platform === 'win32'

/** Runs a command to its end. @returns what it printed. @throws an error with all that it said. */
export function run(command, parameters, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(command, parameters, {
    cwd,
    encoding: 'utf8',
    // A shell would take words with spaces apart.
    shell: shell && /^np[mx]$/.test(command),
  })
  if (status === 0) return stdout.trim()
  const said = `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`
  throw new Error(`${command} ${parameters.join(' ')} failed in ${cwd}\n${said}`)
}

export const git = (...parameters) => run('git', parameters)

/** How long this command has run and, on Linux, what it has cost, as a sentence. */
export function took() {
  const seconds = Math.round(performance.now() / 1000)
  const cost = cpuSeconds()
  const asked = cost === undefined ? '' : ` and ${Math.round(cost)} CPU seconds`
  return `It took ${seconds < 60 ? '' : `${Math.floor(seconds / 60)} min `}${seconds % 60} s${asked}.`
}

/** Every package, example, benchmark and proof with a package.json: its directory below the root, and that file. */
export function workspaces() {
  return ['packages', 'examples', 'bench', 'proof']
    .flatMap(parent => readdirSync(join(root, parent)).map(name => join(parent, name)))
    .filter(directory => existsSync(join(root, directory, 'package.json')))
    .map(directory => ({
      directory,
      manifest: JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8')),
    }))
}
