/**
 * Releases two small packages from a repository of its own to a registry of its own: refused for each reason there is,
 * stopped in the middle, and started again.
 *
 * The accident it prevents: a mistake in the release is found while releasing, when half of it is on npm. The registry is small
 * and ours, for it has to lose answers when it is told to.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { smallRegistry } from './release/small-registry.js'
import { root, run } from './workspaces.js'

const place = mkdtempSync(join(tmpdir(), 'tillkit-check-release-'))
const repository = join(place, 'repository')
const registry = await smallRegistry()
const inside = path => join(repository, path)
const git = (...parameters) => run('git', parameters, repository)
const problems = []

try {
  prepare()
  await refusals()
  await stoppedInTheMiddle()
  await lostAnswers()
} finally {
  registry.close()
  rmSync(place, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log('release: refused where it must be, and goes on where it stopped')
process.exitCode = problems.length === 0 ? 0 : 1

/** A repository that may be released: two packages, one needs the other, and the letters of their names are in the other order. */
function prepare() {
  cpSync(join(root, 'scripts'), inside('scripts'), { recursive: true })
  for (const folder of ['examples', 'tarballs', '.changeset']) mkdirSync(inside(folder))
  const repository = { type: 'git', url: 'git+https://host.invalid/us/project.git' }
  write('package.json', { name: 'root', private: true, type: 'module', repository })
  writeFileSync(inside('.gitignore'), '/tarballs/\n')
  addPackage('zero', {})
  addPackage('any', { zero: '^0.1.0' })
  run('git', ['init', '--quiet', '--bare', join(place, 'origin')])
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@example.com')
  git('remote', 'add', 'origin', join(place, 'origin'))
  commit()
  const npm = `const { spawnSync } = require('node:child_process')
const given = process.argv.slice(2)
// Here is no CI that npm could make provenance in: it must have been asked for, and is left out.
if (given[0] === 'publish' && !given.includes('--provenance=true')) throw new Error('published without provenance')
const login = ['--registry', process.env.REGISTRY, '--' + process.env.REGISTRY.slice(5) + '/:_authToken=any']
const { status } = spawnSync(process.env.NPM, [...given.filter(each => each !== '--provenance=true'), ...login], { stdio: 'inherit' })
process.exit(status)`
  mkdirSync(join(place, 'bin'))
  writeFileSync(join(place, 'bin/npm'), `#!/usr/bin/env node\n${npm}\n`, { mode: 0o755 })
}

function addPackage(name, dependencies) {
  mkdirSync(inside(`packages/${name}`), { recursive: true })
  write(`packages/${name}/package.json`, { name, version: '0.1.0', dependencies })
  writeFileSync(inside(`packages/${name}/CHANGELOG.md`), `# ${name}\n\n## 0.1.0\n\n- First release of ${name}.\n`)
  run('npm', ['pack', '--silent', '--pack-destination', inside('tarballs'), inside(`packages/${name}`)])
  write(`tarballs/${name}-0.1.0.cdx.json`, { components: [] })
}

function write(path, value) {
  writeFileSync(inside(path), JSON.stringify(value))
}

/** Commits a changed file, pushes, and says that a check has passed. */
function commit(path = 'README.md', content = undefined) {
  if (content === undefined) rmSync(inside(path), { force: true })
  else writeFileSync(inside(path), content)
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', 'A change')
  git('push', '--quiet', 'origin', 'main')
  passCheck()
}

/** What a check leaves that passed, and ran a program after it had packed. */
function passCheck(program = '') {
  const passed = `import('./scripts/release/checked.js').then(checked => {
  const packed = checked.digests()
  ${program}
  checked.rememberChecked(packed)
})`
  run('node', ['--eval', passed], repository)
}

async function refusals() {
  await refused('provenance can be made in a public CI only', { environment: {} })
  await refused('the work tree has changes', {
    break: () => writeFileSync(inside('new.txt'), ''),
    mend: () => rmSync(inside('new.txt')),
  })
  await refused('this is the branch other', {
    break: () => git('switch', '-qc', 'other'),
    mend: () => git('switch', '-q', 'main'),
  })
  const tarball = inside('tarballs/any-0.1.0.tgz')
  const content = readFileSync(tarball)
  await refused('tarballs/any-0.1.0.tgz is not the file that the checks ran on', {
    break: () => appendFileSync(tarball, ' '),
    mend: () => writeFileSync(tarball, content),
  })
  await refused('tarballs/any-0.1.0.tgz is not the file that the checks ran on', {
    break: () => passCheck("require('node:fs').appendFileSync('tarballs/any-0.1.0.tgz', ' ')"),
    mend: () => {
      writeFileSync(tarball, content)
      passCheck()
    },
  })
  await refused('this commit is not on origin/main', { break: () => git('commit', '-qm', 'More', '--allow-empty') })
  await refused('the check passed on commit', {
    break: () => git('push', '-q', 'origin', 'main'),
    mend: () => commit(),
  })
  const manifest = readFileSync(inside('package.json'), 'utf8')
  await refused('the project has no address yet', {
    break: () => commit('package.json', manifest.replace('host.invalid', 'code.example')),
    mend: () => commit('package.json', manifest),
  })
  await refused('changesets are not yet versions', {
    break: () => commit('.changeset/a.md', "---\n'any': patch\n---\n\nA change.\n"),
    mend: () => commit('.changeset/a.md', undefined),
  })
  await refused('did not say which versions of zero', { registry: 'http://127.0.0.1:1' })
  registry.add('zero', '0.2.0')
  await refused('zero 0.1.0 is older than 0.2.0', { mend: () => registry.packages.clear() })
}

async function refused(reason, { break: spoil, mend, environment, registry: address }) {
  spoil?.()
  const { status, output } = await release({ environment, address })
  mend?.()
  if (status !== 1 || !output.includes(reason) || !output.includes('Nothing was published'))
    problems.push(`A release was not refused because "${reason}". It ended with ${status}:\n${output}`)
  if (registry.puts.length > 0)
    problems.push(`It was refused because "${reason}", and published ${registry.puts.join()}.`)
}

async function stoppedInTheMiddle() {
  registry.answers.set('any', 'refuse')
  await expect('stopped', 1, ['zero'], ['zero@0.1.0: published', 'any@0.1.0 was not published'])
  expectTags('')
  registry.answers.set('any', 'lose the answer')
  await expect(
    'again',
    0,
    ['zero', 'any'],
    ['zero@0.1.0: the registry has it, skipped', 'any@0.1.0: published; npm failed'],
  )
  expectTags('any@0.1.0\nzero@0.1.0')
  const file = inside('tarballs/released.txt')
  const pages = existsSync(file) ? readFileSync(file, 'utf8') : 'none'
  if (pages !== 'zero@0.1.0 zero-0.1.0\nany@0.1.0 any-0.1.0\n') problems.push(`Pages of releases: ${pages}`)
  await expect('once more', 0, ['zero', 'any'], ['any@0.1.0: the registry has it, skipped'])
}

async function lostAnswers() {
  registry.packages.clear()
  registry.answers.set('zero', 'time out')
  await expect('time out', 1, [], ['zero@0.1.0 may have been published', 'does not show it'], ['was not published'])
  registry.puts.length = 0
  registry.answers.set('zero', 'drop the answer').set('any', 'fall silent')
  await expect(
    'silence',
    1,
    ['zero', 'any'],
    ['zero@0.1.0: published; npm failed', 'any@0.1.0 may have been published', 'did not say whether it has it'],
    ['was not published'],
  )
  registry.silent.clear()
  await expect('after the silence', 0, ['zero', 'any'], ['any@0.1.0: the registry has it, skipped'])
  if (registry.puts.join() !== 'zero,any') problems.push(`Published after lost answers: ${registry.puts.join()}`)
}

async function expect(title, wantedStatus, wantedPackages, words, never = []) {
  const { status, output } = await release()
  const missing = words.filter(each => !output.includes(each))
  const wrong = never.filter(each => output.includes(each))
  const published = [...registry.packages.keys()].join()
  if (status !== wantedStatus || missing.length + wrong.length > 0 || published !== wantedPackages.join())
    problems.push(
      `${title}: ended with ${status}, published ${published}, did not say ${missing.join('; ')}, said ${wrong.join('; ')}:\n${output}`,
    )
}

function expectTags(wanted) {
  const there = run('git', ['tag'], join(place, 'origin'))
  if (there !== wanted) problems.push(`Tags at origin: ${there}, wanted: ${wanted}`)
}

async function release({ environment = { ACTIONS_ID_TOKEN_REQUEST_URL: 'any' }, address = registry.address } = {}) {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: _, SIGSTORE_ID_TOKEN: __, PATH, ...others } = process.env
  const npm = run('sh', ['-c', 'command -v npm'])
  const env = {
    ...others,
    PATH: `${join(place, 'bin')}${delimiter}${PATH}`,
    NPM: npm,
    REGISTRY: address,
    // Each release starts on a new machine: npm would answer for a silent registry with what it has stored.
    npm_config_cache: mkdtempSync(join(place, 'npm-')),
    // Else npm waits ten seconds and asks again.
    npm_config_fetch_retries: '0',
    ...environment,
  }
  const child = spawn('node', ['scripts/release.js'], { cwd: repository, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => output.push(text))
  const [status] = await once(child, 'close')
  return { status, output: output.join('') }
}
