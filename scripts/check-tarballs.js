/**
 * Reads the tarballs in `tarballs/`, the very ones that consumers install: publint and attw, what stands in them, where their pages link to,
 * and how large they are, beside the ceilings of `scripts/sizes.json`. With `--write` it writes the ceilings anew.
 *
 * The accidents it prevents: a test, a path of somebody's machine or a link that leads nowhere is published; types that one module system cannot
 * read; a package that doubles in size, and nobody sees it.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { contentProblems } from './tarball-contents.js'
import { describeSizes, sizeProblems, sizesOf, writeCeilings } from './tarball-sizes.js'
import { unpack } from './tarballs.js'
import { root } from './workspaces.js'

const tarballs = readdirSync(join(root, 'tarballs')).filter(name => name.endsWith('.tgz'))
const place = mkdtempSync(join(tmpdir(), 'tillkit-read-'))
const problems = []
try {
  const packages = tarballs.map(file => {
    const path = join(root, 'tarballs', file)
    const folder = unpack(path, join(place, file))
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { file, folder, manifest, name: manifest.name, bytes: readFileSync(path) }
  })
  const sizes = await sizesOf(packages)
  if (process.argv.includes('--write')) writeCeilings(sizes)
  describeSizes(sizes)
  problems.push(...sizeProblems(sizes))
  for (const each of packages) {
    const found = [...contentProblems(each.folder), ...(await publintSays(each)), ...(await attwSays(each))]
    problems.push(...found.map(problem => `${each.file}: ${problem}`))
  }
} finally {
  rmSync(place, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log(`tarballs: ${tarballs.length} hold what they should, publint and attw agree`)
process.exitCode = problems.length === 0 && tarballs.length > 0 ? 0 : 1

async function publintSays({ bytes, manifest }) {
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages } = await publint({ pack: { tarball }, strict: true })
  return messages.map(message => `publint: ${formatMessage(message, manifest, { color: false })}`)
}

/** No problem of attw is accepted. */
async function attwSays({ bytes }) {
  const { types, problems: found } = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)))
  if (types === false) return ['attw: it has no types']
  return found.map(({ kind, ...where }) => `attw: ${kind} ${JSON.stringify(where)}`)
}
