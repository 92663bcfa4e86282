/**
 * Runs the sections of a package's measurements, one process each, and prints their rows as a table beside what was asked
 * for. With `--write` on the command line it also writes the package's BENCHMARKS.md.
 *
 * Times depend on the machine and on who else uses it; ratios, measured interleaved, much less.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isMet, tableOf } from './table.js'

/**
 * @param bench Address of the directory `bench` of a package.
 * @param report `sections`: names of files in `bench/sections`; `method`: how it was measured; `notes`: how to read it.
 */
export function writeReport(bench, { sections, method, notes }) {
  const [loadBefore = 0] = loadavg()
  const rows = sections.flatMap(section => rowsOf(new URL(`sections/${section}.js`, bench)))
  const missed = rows.filter(row => !isMet(row)).map(({ name, against }) => `- ${name}: ${against}`)
  const report = `# Benchmarks

Measured on ${new Date().toISOString().slice(0, 10)} with Node.js ${process.version} on ${process.platform} ${process.arch}, \
${availableParallelism()} CPUs, ${loadBefore.toFixed(1)} processes busy when it began. Written by \`pnpm bench --write\`; do not edit.

${method}

${tableOf(rows)}

${missed.length === 0 ? 'Everything asked for was met in this run.' : `Missed in this run:\n\n${missed.join('\n')}`}

${notes}
`
  process.stdout.write(report)
  if (process.argv.includes('--write')) writeFileSync(new URL('../BENCHMARKS.md', bench), report)
}

function rowsOf(section) {
  const script = fileURLToPath(new URL('run-section.js', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [script, section.href], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`Section ${section} failed: see above.`)
  return JSON.parse(stdout)
}
