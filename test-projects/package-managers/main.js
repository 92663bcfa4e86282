/** docs/install.md, as a reader would paste it: each package manager installs the tarballs, and runs the example of the README. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const page = readFileSync('install.md', 'utf8')
const [, example = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync('README.md', 'utf8')) ?? []

// The managers are fetched where the machine has none.
const programs = resolve('programs')
mkdirSync(programs)
for (const [name, source] of [
  ['pnpm', 'pnpm@12'],
  ['yarn', '@yarnpkg/cli-dist@4'],
]) {
  writeFileSync(join(programs, name), `#!/bin/sh\nexec npx --yes -- ${source} "$@"\n`, { mode: 0o755 })
}
const { NODE_OPTIONS, ...inherited } = process.env
const env = { ...inherited, PATH: `${programs}${delimiter}${inherited.PATH}`, YARN_ENABLE_TELEMETRY: '0', CI: '' }

for (const [heading, run] of [
  ['npm', 'npx tsx'],
  ['pnpm', 'pnpm tsx'],
  ['Yarn', 'yarn tsx'],
]) {
  const [, lines] = new RegExp(`^## ${heading}\n[\\s\\S]*?^\`\`\`sh\n([\\s\\S]*?)^\`\`\``, 'm').exec(page) ?? []
  assert.ok(lines, `docs/install.md has no lines for ${heading}`)
  const shop = join(heading, 'shop')
  mkdirSync(shop, { recursive: true })
  mkdirSync(join(heading, 'tillkit'))
  symlinkSync(process.env.TARBALLS, join(heading, 'tillkit/tarballs'))
  writeFileSync(join(shop, 'example.ts'), example)
  execFileSync('sh', ['-e', '-c', lines], { cwd: shop, env, stdio: 'pipe' })
  const said = execFileSync('sh', ['-c', `${run} example.ts`], { cwd: shop, env, encoding: 'utf8' })
  assert.match(said, /order-7 declined 10\.00 EUR\norder-7 paid 10\.00 EUR\npaid\n$/, heading)
}
