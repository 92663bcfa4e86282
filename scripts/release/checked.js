/**
 * Remembers which tarballs the checks ran on: `npm run check` writes it when all of them passed, and a release publishes nothing else.
 *
 * The accident it prevents: bytes are published that no check saw. Tools that publish pack by themselves.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, root } from '../workspaces.js'

export const tarballs = join(root, 'tarballs')
const record = join(tarballs, 'checked.json')

export const changedFiles = () => git('status', '--porcelain')

/**
 * Writes the digests that the tarballs had when they were packed: what a later check runs may have changed a file.
 *
 * Of a tree with uncommitted changes nothing is written: what was checked has no name.
 */
export function rememberChecked(files) {
  if (changedFiles() !== '') return
  writeFileSync(record, `${JSON.stringify({ commit: git('rev-parse', 'HEAD'), files }, null, 2)}\n`)
}

/** A file of tarballs/ that is new, gone or another one than it was, if there is one. */
export function changedTarball(files) {
  const now = digests()
  const names = [...new Set([...Object.keys(files), ...Object.keys(now)])]
  return names.find(name => files[name] !== now[name])
}

/** Why the tarballs are not those of a passed check of this commit, if they are not. */
export function uncheckedReason() {
  if (!existsSync(record))
    return 'no check has passed on what is in tarballs/, or it ran on changes that no commit has: npm run check'
  const { commit, files } = JSON.parse(readFileSync(record, 'utf8'))
  const head = git('rev-parse', 'HEAD')
  if (commit !== head) return `the check passed on commit ${commit}, and this is ${head}: npm run check`
  const other = changedTarball(files)
  return other === undefined ? undefined : `tarballs/${other} is not the file that the checks ran on: npm run check`
}

/** By the names of the files. */
export function digests() {
  const names = readdirSync(tarballs).filter(name => /\.(?:tgz|cdx\.json)$/.test(name))
  const digest = name =>
    createHash('sha512')
      .update(readFileSync(join(tarballs, name)))
      .digest('base64')
  return Object.fromEntries(names.map(name => [name, digest(name)]))
}
