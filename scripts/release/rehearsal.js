/**
 * A copy of the work tree in which the next versions are made.
 *
 * The accident it prevents: a rehearsal leaves raised versions behind. `changeset version` writes into the tree it is started in.
 */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, run, workspaces } from '../workspaces.js'
import { namesOf, neededFirst } from './plan.js'

/**
 * Copies, makes versions and CHANGELOG.md of the changesets, builds and packs, and gives the folder of the tarballs.
 *
 * What was built before has the versions before: the client and the command say theirs.
 */
export function packNextVersions(place) {
  const copy = join(place, 'repository')
  mkdirSync(copy)
  // Installs what is missing, before the link to it is made.
  inWorkspace('node', '--version')
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true, filter: isCopied })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  run('git', ['init', '--quiet'], copy)
  run('node', [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], copy)
  const packages = workspaces().filter(({ manifest }) => !manifest.private)
  const named = packages.map(({ directory, manifest }) => ({ directory, ...namesOf(manifest) }))
  for (const { directory } of neededFirst(named)) run(join(root, 'node_modules/.bin/tsup'), [], join(copy, directory))
  inWorkspace('node', join(copy, 'scripts/tarballs.js'))
  return join(copy, 'tarballs')
}

function isCopied(path) {
  const inside = relative(root, path)
  return (
    !/^(?:\.git|\.turbo|node_modules|tarballs|packages\/[^/]+\/dist)$/.test(inside) && !/node_modules\/\./.test(inside)
  )
}

/** With pnpm and the tools of the work tree, never in the copy: there pnpm would install, through the link, into this one. */
const inWorkspace = (...command) => run('npm', ['run', '-s', 'pm', '--', 'exec', ...command])
