/**
 * `npm run tarballs`: packs every published package into `tarballs/`, as npm would publish it.
 *
 * A tarball says where the project stands, and the links of its README lead there: both are put in while it is packed, in a copy, out of
 * `scripts/project-address.js`. The accidents it prevents: a tarball of a package that was not built, or without those it needs,
 * is installed elsewhere; a README whose links work in the repository alone. `pnpm pack` rewrites
 * versions, and no addresses.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { addressFields, fileAddress, projectAddress, tagOf } from './project-address.js'
import { root, run, workspaces } from './workspaces.js'

/** Packs what was built into a directory. */
export function packInto(directory) {
  const place = mkdtempSync(join(tmpdir(), 'tillkit-pack-'))
  try {
    for (const { directory: folder, manifest } of workspaces()) {
      if (manifest.private) continue
      const packed = pack(join(root, folder), place)
      const copy = unpack(packed, join(place, folder))
      complete(copy, folder)
      pack(copy, directory)
    }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Writes beside each tarball which packages it brings, in the versions of the lockfile: CycloneDX, one file a package. */
function billsInto(directory) {
  const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--prod', '--split']
  run('pnpm', ['--filter', './packages/*', 'sbom', ...format, '--out', join(directory, '%s-%v.cdx.json')])
}

/** Unpacks a tarball into a folder; gives the folder with its package.json. */
export function unpack(tarball, folder) {
  mkdirSync(folder, { recursive: true })
  run('tar', ['-xzf', tarball, '-C', folder])
  return join(folder, 'package')
}

function pack(folder, directory) {
  return run('pnpm', ['pack', '--pack-destination', directory], folder).split('\n').at(-1)
}

/** Puts addresses into an unpacked package, and leaves out of its package.json what only this repository uses. */
function complete(copy, folder) {
  const path = join(copy, 'package.json')
  const { scripts: _, devDependencies: __, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, `${JSON.stringify({ ...manifest, ...addressFields(folder) }, null, 2)}\n`)
  for (const page of readdirSync(copy).filter(name => name.endsWith('.md'))) {
    const text = readFileSync(join(copy, page), 'utf8')
    refuseOldNews(text, join(folder, page), manifest)
    const toAddress = link => (existsSync(join(copy, link)) ? link : addressOfLink(link, folder, manifest))
    writeFileSync(join(copy, page), withLinks(text, toAddress))
  }
}

/** What is true before the first release must not be read on npm. */
function refuseOldNews(text, page, { name, version }) {
  if (projectAddress().isPlaceholder || version === '0.0.0' || !text.includes('Not on npm yet')) return
  throw new Error(
    `${name} ${version} was not packed: ${page} says "Not on npm yet". Do what CONTRIBUTING.md lists under "Before the first release".`,
  )
}

/** Gives every relative link of a page to a function. Code stays as it is. */
function withLinks(text, toAddress) {
  const codeOrLink =
    /^(```+)[^\n]*\n[\s\S]*?^\1\s*$|`[^`\n]*`|(\]\(<?|\b(?:src|srcset|href)="|^\[[^\]\n]+\]:\s+)([^)\s>"#]+)/gm
  return text.replaceAll(codeOrLink, (whole, _fence, before, link) =>
    before === undefined || /^[a-z][a-z+.-]*:/i.test(link) ? whole : before + toAddress(link),
  )
}

function addressOfLink(link, folder, manifest) {
  const path = normalize(join(folder, decodeURIComponent(link))).replaceAll('\\', '/')
  if (!existsSync(join(root, path))) throw new Error(`A page of ${folder} links to ${link}: there is no ${path}.`)
  return fileAddress(path, tagOf(manifest), { isFolder: statSync(join(root, path)).isDirectory() })
}

if (import.meta.filename === process.argv[1]) {
  const directory = join(root, 'tarballs')
  rmSync(directory, { recursive: true, force: true })
  packInto(directory)
  billsInto(directory)
  console.log(`Install them elsewhere, together: npm install ${join(directory, '*.tgz')}`)
}
