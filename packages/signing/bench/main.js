/**
 * `pnpm bench`: measures this package beside its peers, one process a section, and prints the results as a table beside
 * what was asked for. `--write` puts it into BENCHMARKS.md.
 *
 * Times depend on the machine and on who else uses it; ratios, measured interleaved, much less.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isMet, tableOf } from './table.js'

const sections = ['hmac-header', 'base-string', 'rsa-header', 'rsa-thread-pool', 'control-value', 'import-time', 'size']

const [loadBefore = 0] = loadavg()
const rows = sections.flatMap(rowsOf)
const missed = rows.filter(row => !isMet(row)).map(({ name, against }) => `${name}: ${against}`)
const report = `# Benchmarks

Measured on ${new Date().toISOString().slice(0, 10)} with Node.js ${process.version} on ${process.platform} ${process.arch}, \
${availableParallelism()} CPUs, ${loadBefore.toFixed(1)} processes busy when it began. Written by \`pnpm bench --write\`; do not edit.

The functions of a line run in turn in one process, in 301 short rounds; each ratio is the median of the ratios of the
rounds. **L** is one \`createHmac('sha1')\` over a prebuilt base string. Every header has a new nonce and timestamp, made by
the caller here (\`randomUUID\`, \`Date.now\`) and by the peers in their own way. Addresses are parsed, keys and forms built
beforehand, each in the form the package takes.

${tableOf(rows)}

${missed.length === 0 ? 'Everything asked for was met in this run.' : `Missed in this run:\n\n${missed.map(text => `- ${text}`).join('\n')}`}

Names never seen before are what the first requests of a kind cost, and every request of a program that sends more than
32 different forms. Most of the time of an import is that of \`node:crypto\` and of finding a package by its name; the line
after it leaves out both. The explanations are an entry of their own, adr/0008; the first entry never loads them.
`

process.stdout.write(report)
if (process.argv.includes('--write')) writeFileSync(new URL('../BENCHMARKS.md', import.meta.url), report)

function rowsOf(section) {
  const script = fileURLToPath(new URL('run-section.js', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [script, section], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`Section ${section} failed: see above.`)
  return JSON.parse(stdout)
}
