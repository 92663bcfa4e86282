/**
 * Finds files of an unpacked tarball that have no business there, files that are missing, and links that lead nowhere.
 *
 * The accident it prevents: a test or a path of somebody's machine is published. publint reads `exports`, and neither maps nor pages.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { root } from './workspaces.js'

/** Anything else is a surprise, a test above all. */
const expected = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/(?:[^/]+\.(?:js|cjs|d\.ts|d\.cts)(?:\.map)?|openapi\.json)$/,
  /^src\/(?!.*(?:\.test|\.test-d|\.bench)\.ts$)(?!(?:.*\/)?tests?\/).+\.(?:ts|json)$/,
]
const neededFiles = ['package.json', 'README.md', 'LICENSE']
const neededFields = ['description', 'license', 'repository', 'homepage', 'bugs', 'engines']

export function contentProblems(folder) {
  const files = filesOf(folder)
  return [
    ...files.filter(file => !expected.some(pattern => pattern.test(file))).map(file => `${file} has no business in it`),
    ...neededFiles.filter(file => !files.includes(file)).map(file => `it has no ${file}`),
    ...manifestProblems(folder),
    ...leftOver(files, folder).map(
      file => `${file} is of an earlier build: remove the package's dist and build it again`,
    ),
    ...files.flatMap(file => textProblems(file, readFileSync(join(folder, file), 'utf8'), folder)),
  ]
}

export function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => statSync(join(folder, file)).isFile())
}

/** Chunks have a digest in their names, and a cache that puts a build back leaves those of the build before: nothing leads to them. */
function leftOver(files, folder) {
  const left = new Set(files.filter(file => file.startsWith('dist/') && !file.endsWith('.map')))
  const follow = text => {
    for (const file of left) {
      if (!text.includes(`/${file.slice('dist/'.length).split('.', 1)[0]}.`)) continue
      left.delete(file)
      follow(readFileSync(join(folder, file), 'utf8'))
    }
  }
  follow(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [...left]
}

function manifestProblems(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
  return [
    ...neededFields.filter(field => manifest[field] === undefined).map(field => `package.json has no "${field}"`),
    ...versions
      .filter(([, version]) => /^(?:workspace|catalog|file|link):/.test(version))
      .map(([name, version]) => `package.json asks for ${name} ${version}, which only this repository understands`),
    ...(manifest.scripts === undefined ? [] : ['package.json has scripts, which only this repository uses']),
  ]
}

function textProblems(file, text, folder) {
  const problems = text.includes(root) ? [`${file} has the path of this repository on this machine`] : []
  const leadsNowhere = target => isAbsolute(target) || !existsSync(join(folder, dirname(file), target))
  if (file.endsWith('.md')) {
    for (const link of relativeLinks(text))
      if (leadsNowhere(link)) problems.push(`${file} links to ${link}, which is not in it`)
  } else if (file.endsWith('.map')) {
    for (const source of JSON.parse(text).sources)
      if (leadsNowhere(source)) problems.push(`${file} is a map of ${source}, which is not in it`)
  } else if (file.startsWith('dist/')) {
    for (const [, map] of text.matchAll(/^\/\/# sourceMappingURL=(\S+)$/gm))
      if (leadsNowhere(map)) problems.push(`${file} names its map ${map}, which is not in it`)
  }
  return problems
}

/** Wider than what packing rewrites: whatever looks like a link, and each path that climbs out of the package, unless it is code. */
function relativeLinks(page) {
  const prose = page.replaceAll(/^(```+)[^\n]*\n[\s\S]*?^\1\s*$|`[^`\n]*`/gm, '')
  const link =
    /\]\(\s*<?([^)\s>]+)|\b(?:src|srcset|href)\s*=\s*["']?([^"'\s>]+)|^\s*\[[^\]]+\]:\s*(\S+)|(\.\.\/[^\s)"'>]+)/gm
  return [...prose.matchAll(link)]
    .map(([, inline, attribute, reference, climbing]) => inline ?? attribute ?? reference ?? climbing)
    .map(link => link.split('#', 1)[0])
    .filter(link => link !== '' && !/^[a-z][a-z+.-]*:/i.test(link))
}
