/**
 * Runs the sections of a package's measurements, each in processes of its own, and prints their rows as a table beside what was asked
 * for. With `--write` on the command line it also writes the package's BENCHMARKS.md; names of sections there leave out the others.
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
 * @param report `sections`: names of files in `bench/sections`; `method`: how it was measured; `notes`: how to read it;
 * `processes`: how many run each section, default 1; a row of the table is the one whose ratio is in the middle.
 */
export function writeReport(bench, { sections, method, notes, processes = 1 }) {
  const [loadBefore = 0] = loadavg()
  const named = sections.filter(section => process.argv.includes(section))
  const measured = named.length > 0 ? named : sections
  const rows = measured.flatMap(section => middleRowsOf(new URL(`sections/${section}.js`, bench), processes))
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
  // A part of a report is no report.
  if (process.argv.includes('--write') && named.length === 0) writeFileSync(new URL('../BENCHMARKS.md', bench), report)
}

/** A process differs from the next, as where its code and data lie in memory does: one alone may be lucky or unlucky. */
function middleRowsOf(section, processes) {
  const runs = Array.from({ length: processes }, () => rowsOf(section))
  return runs[0].map((_, place) => {
    const rows = runs.map(run => run[place]).toSorted((a, b) => a.ratio - b.ratio)
    return { ...rows[Math.floor(processes / 2)], least: rows[0].ratio, most: rows.at(-1).ratio }
  })
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
