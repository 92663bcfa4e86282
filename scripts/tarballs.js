/**
 * `npm run tarballs`: packs every published package into `tarballs/`, as npm would publish it.
 *
 * The accident it prevents: a tarball of a package that was not built, or without those it needs, is installed elsewhere.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, workspaces } from './workspaces.js'

/** Packs what was built into a directory. */
export function packInto(directory) {
  for (const { directory: folder, manifest } of workspaces()) {
    if (manifest.private) continue
    const parameters = ['pack', '--pack-destination', directory]
    const { status, stdout, stderr } = spawnSync('pnpm', parameters, { cwd: join(root, folder), encoding: 'utf8' })
    if (status !== 0) throw new Error(`${manifest.name} was not packed\n${stdout ?? ''}${stderr ?? ''}`)
  }
}

if (import.meta.filename === process.argv[1]) {
  const directory = join(root, 'tarballs')
  rmSync(directory, { recursive: true, force: true })
  packInto(directory)
  console.log(`Install them elsewhere, together: npm install ${join(directory, '*.tgz')}`)
}
