/**
 * `npm run release`: publishes the tarballs that the checks ran on, tags their commit, and leaves what the pages of the releases are made of in
 * `tarballs/`. `-- --dry-run` shows what would be published if the changesets became versions now, and changes nothing.
 * `-- --rehearse http://127.0.0.1:4873` publishes that to a registry on this machine.
 *
 * The accidents it prevents: a version that was made of something other than what was checked, half a release that cannot go on, and a package
 * that nobody can trace to its source. `changeset publish` packs anew, after the checks: adr/0055.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { tarballs } from './release/checked.js'
import { planOf } from './release/plan.js'
import { pagesOf, publish, tag } from './release/publish.js'
import { refusalsOfPlace, refusalsOfPlan } from './release/refusals.js'
import { packNextVersions } from './release/rehearsal.js'
import { workspaces } from './workspaces.js'

const { values: options } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, rehearse: { type: 'string' }, files: { type: 'boolean' } },
})

const described = {
  absent: () => 'not on the registry yet: will be published',
  same: () => 'on the registry with the same content: skipped',
  other: () => 'on the registry, made of an earlier commit: skipped',
  unknown: ({ reason }) => `whether the registry has it is not known: it did not answer (${reason})`,
}

try {
  if (options['dry-run'] || options.rehearse) await rehearse(options.rehearse)
  else await release()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function rehearse(registry) {
  if (registry !== undefined && !/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/?$/.test(registry))
    throw new Error(
      `${registry} is no registry on this machine, such as http://127.0.0.1:4873: only there is a release rehearsed.`,
    )
  const place = mkdtempSync(join(tmpdir(), 'tillkit-release-'))
  try {
    const plan = await planOf(packNextVersions(place), registry)
    describe(plan, { provenance: registry === undefined })
    if (registry !== undefined) return await publish(plan, { registry, provenance: false, say: console.log })
    const refusals = [...refusalsOfPlace(process.env), ...refusalsOfPlan(plan)]
    if (refusals.length > 0) console.log(`\nA release from here would be refused:\n${list(refusals)}`)
    console.log('\nNothing was published, tagged or changed.')
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function release() {
  const refusals = refusalsOfPlace(process.env)
  const plan = refusals.length > 0 ? [] : await planOf(tarballs)
  refusals.push(...refusalsOfPlan(plan))
  if (refusals.length > 0) throw new Error(`Nothing was published:\n${list(refusals)}`)
  describe(plan, { provenance: true })
  await publish(plan, { provenance: true, say: console.log })
  const released = tag(plan, { say: console.log })
  for (const { file, news } of released) writeFileSync(file.replace(/\.tgz$/, '.md'), `${news}\n`)
  writeFileSync(join(tarballs, 'released.txt'), pagesOf(released))
}

function list(lines) {
  return lines.map(line => `- ${line}`).join('\n')
}

function describe(plan, { provenance }) {
  const before = new Map(workspaces().map(({ manifest }) => [manifest.name, manifest.version]))
  console.log('In this order:\n')
  for (const release of plan) {
    const { name, version, distTag, size, unpackedSize, files, gitTag, bill, registry } = release
    const from = before.get(name) === version ? (registry.latest ?? 'nothing') : before.get(name)
    console.log(`${name} ${from} → ${version}`)
    console.log(`  ${described[registry.state](registry)}`)
    console.log(`  dist-tag ${distTag}, public, ${provenance ? 'with' : 'without'} provenance; git tag ${gitTag}`)
    console.log(`  ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)}, ${files.length} files: ${folders(files)}`)
    if (options.files) for (const file of files) console.log(`    ${file}`)
    const { components } = JSON.parse(readFileSync(bill, 'utf8'))
    console.log(`  bill of materials ${basename(bill)}: ${components.map(describeComponent).join(', ') || 'nothing'}\n`)
  }
  console.log(options.files ? 'CHANGELOG.md:\n' : 'CHANGELOG.md (--files lists the files of each tarball):\n')
  for (const { gitTag, news } of plan.filter(({ registry }) => registry.state !== 'same' && registry.state !== 'other'))
    console.log(`${gitTag}\n\n${news}\n`)
}

function kilobytes(bytes) {
  return `${Math.ceil(bytes / 1024)} KiB`
}

function describeComponent({ group, name, version }) {
  return `${group === undefined ? '' : `${group}/`}${name} ${version}`
}

/** How many files stand in each folder of a tarball. */
function folders(files) {
  const counts = new Map()
  for (const file of files) {
    const folder = file.includes('/') ? `${file.split('/')[0]}/` : file
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].map(([folder, count]) => (folder.endsWith('/') ? `${folder} ${count}` : folder)).join(', ')
}
