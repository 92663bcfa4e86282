/**
 * What the tests need besides Node.js, and not every machine has: a Chromium and a PostgreSQL; for the consumer projects, other
 * versions of Node.js, Bun and Deno. A Chromium or a PostgreSQL of the system is taken where there is one. Else a build that an npm
 * package carries is fetched once, checked against its digest in test-tools.json, unpacked below node_modules, and kept there under
 * this digest: another pin is fetched anew, beside it.
 *
 * `CHROMIUM_PATH` and `DATABASE_URL` name others. Without it tests would fail where neither is installed. Playwright's installer and those
 * of the runtimes fetch from hosts of their own; this one needs the npm registry alone.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { root, shell } from './workspaces.js'

const place = join(root, 'node_modules', '.cache', 'test-tools')
const pinned = JSON.parse(readFileSync(new URL('test-tools.json', import.meta.url), 'utf8'))
const isOnPath = (...names) =>
  (process.env.PATH ?? '').split(delimiter).some(folder => names.some(name => existsSync(join(folder, name))))

const tools = {
  chromium: {
    title: 'Chromium',
    otherwise: 'Install one (Debian: apt install chromium), or name one in CHROMIUM_PATH.',
    isThere: () => Boolean(process.env.CHROMIUM_PATH) || isOnPath('chromium', 'chromium-browser', 'google-chrome'),
    /** The package has everything compressed, and libraries of its own for machines that have none. */
    prepare(folder) {
      const compressed = join(folder, 'bin')
      for (const name of ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']) {
        const archive = join(folder, name.replace(/\.br$/, ''))
        writeFileSync(archive, brotliDecompressSync(readFileSync(join(compressed, name))))
        unpack(archive, folder)
        rmSync(archive)
      }
      writeFileSync(join(folder, 'headless-shell'), brotliDecompressSync(readFileSync(join(compressed, 'chromium.br'))))
      rmSync(compressed, { recursive: true })
      writeFileSync(join(folder, 'fonts.conf'), fonts)
      writeFileSync(join(folder, 'chromium'), startChromium)
      for (const name of ['chromium', 'headless-shell']) chmodSync(join(folder, name), 0o755)
    },
  },
  postgres: {
    title: 'PostgreSQL',
    otherwise:
      'Install one (Debian: apt install postgresql), or name one in DATABASE_URL:\npostgres://user:password@host/database',
    isThere: () => Boolean(process.env.DATABASE_URL) || isOnPath('initdb', 'initdb.exe') || hasDebiansPostgres(),
    /** A tarball of npm has no links, so the package lists them. */
    prepare(folder) {
      const native = join(folder, 'native')
      for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))) {
        const link = join(folder, target)
        if (!existsSync(link)) symlinkSync(relative(dirname(link), join(folder, source)), link)
      }
      for (const name of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', name), 0o755)
    },
  },
}

/** Debian keeps the server's programs off the path. Its client alone has a folder there as well. */
function hasDebiansPostgres() {
  const folder = '/usr/lib/postgresql'
  return existsSync(folder) && readdirSync(folder).some(version => existsSync(join(folder, version, 'bin', 'initdb')))
}

const startChromium = `#!/bin/sh
# With the libraries and the fonts of the package, for machines that have none.
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/headless-shell" "$@"
`

/** A relative directory is one beside this file. */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`

function unpack(archive, into) {
  const { status, stderr, error } = spawnSync('tar', ['-xf', archive, '-C', into], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tar could not unpack ${archive}: ${error?.message ?? stderr}`)
}

function npm(...words) {
  const { status, stdout, stderr, error } = spawnSync('npm', words, { cwd: place, encoding: 'utf8', shell })
  if (status === 0) return stdout
  // What follows the first lines is a stack.
  const lines =
    error?.message ??
    stderr
      .split('\n')
      .filter(line => /^npm err/i.test(line))
      .slice(0, 4)
      .join('\n')
  throw new Error(`Fetching ${words[1]} failed.\nCan this machine reach its npm registry? npm says:\n${lines}`)
}

/** Fetches a package that test-tools.json pins, and lets `prepare` make of its folder what is kept. @returns That folder. */
function fetchTool(name, { title, prepare }, { package: wanted, integrity, megabytes }) {
  const digest = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
  const folder = join(place, `${name}-${digest.slice(0, 16)}`)
  const unfinished = `${folder}.unfinished`
  if (existsSync(folder)) return folder
  mkdirSync(place, { recursive: true })
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished)
  console.log(`Fetching ${title}: ${wanted}, ${megabytes} MB…`)
  const [packed] = JSON.parse(npm('pack', wanted, '--json', '--pack-destination', unfinished))
  if (packed.integrity !== integrity)
    throw new Error(
      `The registry sent something else than scripts/test-tools.json names.\nsent:  ${packed.integrity}\nnamed: ${integrity}`,
    )
  console.log(`Unpacking ${title}…`)
  const archive = join(unfinished, packed.filename)
  unpack(archive, unfinished)
  prepare(join(unfinished, 'package'))
  renameSync(join(unfinished, 'package'), folder)
  rmSync(unfinished, { recursive: true })
  return folder
}

/** The tests look for a tool under this name, whatever its pin. */
function linkTool(name, folder) {
  const link = join(place, `${name}-pinned`)
  rmSync(link, { force: true })
  symlinkSync(folder, link, 'junction')
}

/** Each runtime is a program and nothing else; what lies beside it (headers, pages) is not kept. */
const programs = { node: 'bin/node', bun: 'bin/bun', deno: 'deno' }

/** The runtimes that test-tools.json pins, such as "node-26.10.0", for this kind of machine. */
export const pinnedRuntimes = Object.keys(pinned).filter(
  name => programs[name.split('-')[0]] && pinned[name][`${process.platform}-${process.arch}`],
)

/** The path of a pinned runtime's program, which is fetched where it is not there yet. */
export function runtimePath(name) {
  const program = programs[name.split('-')[0]]
  const prepare = folder => {
    renameSync(join(folder, program), join(folder, 'program'))
    for (const each of readdirSync(folder)) if (each !== 'program') rmSync(join(folder, each), { recursive: true })
    mkdirSync(dirname(join(folder, program)), { recursive: true })
    renameSync(join(folder, 'program'), join(folder, program))
    chmodSync(join(folder, program), 0o755)
  }
  const build = pinned[name][`${process.platform}-${process.arch}`]
  return join(fetchTool(name, { title: name, prepare }, build), program)
}

/** Makes sure that the tests find what they need. @throws An error that says what to do. */
export function prepareTools() {
  for (const [name, tool] of Object.entries(tools)) {
    if (tool.isThere()) continue
    const machine = `${process.platform}-${process.arch}`
    const build = pinned[name][machine]
    const missing = `The tests need ${tool.title}, and this machine has none.`
    if (build === undefined)
      throw new Error(`${missing}\nNo npm package has a build for ${machine}.\n${tool.otherwise}`)
    try {
      linkTool(name, fetchTool(name, tool, build))
    } catch (cause) {
      throw new Error(`${missing}\n${cause instanceof Error ? cause.message : cause}\n${tool.otherwise}`, { cause })
    }
  }
}
