/**
 * Reads the tarballs in `tarballs/`, the very ones that consumers install: publint and attw, what stands in them,
 * and where their pages link to. size-limit says how large they are.
 *
 * The accidents it prevents: a test, a path of somebody's machine or a link that leads nowhere is published;
 * types that one module system cannot read. publint and attw know neither our files nor our links.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { contentProblems } from './tarball-contents.js'
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
