/**
 * Reads from a folder of tarballs what it would publish, and compares it with the registry.
 *
 * The accident it prevents: a package is on the registry before those that it needs. npm publishes one tarball, and knows no others.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tagOf } from '../project-address.js'
import { run } from '../workspaces.js'
import { npm } from './npm.js'

/** One entry a package, those that others need first. */
export async function planOf(directory) {
  const tarballs = readdirSync(directory).filter(name => name.endsWith('.tgz'))
  const described = JSON.parse((await npm(['pack', '--dry-run', '--json', ...tarballs], { cwd: directory })).stdout)
  const releases = tarballs.map(file => releaseOf(join(directory, file), described))
  const asked = releases.map(async release => ({ ...release, registry: await onRegistry(release) }))
  return neededFirst(await Promise.all(asked))
}

function releaseOf(file, described) {
  const manifest = JSON.parse(read(file, 'package/package.json'))
  const { name, version } = manifest
  const { integrity, files } = described.find(each => each.id === `${name}@${version}`)
  return {
    name,
    needs: Object.keys(manifest.dependencies ?? {}),
    version,
    file,
    integrity,
    // What is not final must not be what `npm install` takes.
    distTag: version.includes('-') ? 'next' : 'latest',
    gitTag: tagOf(manifest),
    news: files.some(({ path }) => path === 'CHANGELOG.md') ? newsOf(read(file, 'package/CHANGELOG.md'), version) : '',
  }
}

const read = (file, path) => run('tar', ['-xzOf', file, path])

/** The entry of one version in a CHANGELOG.md. */
function newsOf(changelog, version) {
  const sections = changelog.split(/^## /m)
  return (sections.find(section => section.startsWith(`${version}\n`)) ?? '').split('\n').slice(1).join('\n').trim()
}

/**
 * The state of a version in the registry: `absent`, `same` content, `other` content, or `unknown` where it did not answer.
 * `latest` is the version that `npm install` takes now.
 */
export async function onRegistry({ name, version, integrity }) {
  const ask = (...parameters) =>
    npm(['view', '--json', '--prefer-online', '--fetch-retries=0', '--fetch-timeout=20000', ...parameters])
  const known = await ask(name, 'versions', 'dist-tags')
  if (known.code === 'E404') return { state: 'absent' }
  if (known.status !== 0) return { state: 'unknown', reason: known.code }
  const { versions, 'dist-tags': tags } = JSON.parse(known.stdout)
  if (![versions].flat().includes(version)) return { state: 'absent', latest: tags.latest }
  const content = await ask(`${name}@${version}`, 'dist.integrity')
  if (content.status !== 0) return { state: 'unknown', reason: content.code }
  return { state: JSON.parse(content.stdout) === integrity ? 'same' : 'other', latest: tags.latest }
}

/** Sorts so that each comes after those that it needs. */
function neededFirst(releases) {
  const sorted = []
  const waiting = [...releases]
  while (waiting.length > 0) {
    const at = waiting.findIndex(({ needs }) => !waiting.some(({ name }) => needs.includes(name)))
    if (at === -1) throw new Error(`These need each other in a circle: ${waiting.map(({ name }) => name).join(', ')}`)
    sorted.push(...waiting.splice(at, 1))
  }
  return sorted
}
