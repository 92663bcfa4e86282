/**
 * Packs every package, installs the tarballs into the projects of test-projects/, runs and type-checks them.
 *
 * With names of projects it checks those only.
 *
 * The accidents it prevents: a file missing from the tarball, an import that only resolves in a workspace, types that one
 * module system cannot read, a dependency that `@tillkit/signing` must not bring.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packInto } from './tarballs.js'
import { root } from './workspaces.js'

const place = mkdtempSync(join(tmpdir(), 'tillkit-consumers-'))
const tarballs = join(place, 'tarballs')

try {
  packInto(tarballs)
  for (const project of readdirSync(join(root, 'test-projects'), { withFileTypes: true })) {
    const wanted = process.argv.length === 2 || process.argv.includes(project.name)
    if (project.isDirectory() && wanted) check(project.name)
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(place, { recursive: true, force: true })
}

function check(name) {
  const directory = join(place, name)
  cpSync(join(root, 'test-projects', name), directory, { recursive: true })
  const { tarballs: wanted, compilerOptions: more } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const files = readdirSync(tarballs)
  const paths = wanted.map(each =>
    join(tarballs, files.find(file => new RegExp(`^(tillkit-)?${each}-0`).test(file)) ?? each),
  )
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--silent', ...paths], directory)
  run('node', ['main.js'], directory)
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    noEmit: true,
    // A project may bring newer types of Node.js than ours: what our declarations name has to be in both.
    typeRoots: [join(directory, 'node_modules/@types'), join(root, 'node_modules/@types')],
    types: ['node'],
    ...more,
  }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }))
  run(join(root, 'node_modules/.bin/tsc'), ['-p', directory], directory)
  console.log(`consumers: ${name} installs, runs and type-checks`)
}

function run(command, parameters, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, parameters, { cwd, encoding: 'utf8' })
  if (status === 0) return
  throw new Error(`${command} ${parameters[0]} failed in ${cwd}\n${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`)
}
