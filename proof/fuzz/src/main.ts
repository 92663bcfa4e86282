/**
 * Gives parsers what nobody would send: `npm run fuzz -- --minutes 30 --only reply`. An input that breaks a promise is kept in the corpus.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Campaign, campaign } from './campaign.js'
import { writeEvidence } from './evidence.js'
import { tooFastGrowth } from './growth.js'
import { corpusOf, parsers } from './parsers/all.js'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    seed: { type: 'string' },
    write: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
  },
})
const chosen = parsers.filter(({ name }) => name.includes(values.only))
if (chosen.length === 0) throw new Error(`No parser has ${JSON.stringify(values.only)} in its name.`)
const startedAt = new Date()
const seed = Number(values.seed ?? Math.floor(startedAt.getTime() / 1000))
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const grown: string[] = []
for (const parser of values.growth ? chosen : []) {
  for (const name of Object.keys(parser.growing)) {
    const found = await tooFastGrowth(parser, name)
    say(found ?? `${parser.name}, ${name}: in proportion`)
    if (found !== undefined) grown.push(found)
  }
}

const campaigns: Campaign[] = []
for (const { name } of values.growth ? [] : chosen) {
  const done = await campaign({ parser: name, seconds: Number(values.minutes) * 60, seed })
  campaigns.push(done)
  const { cases, seconds, slowest, broken } = done
  say(`${name}: ${cases.toLocaleString('en')} cases in ${seconds} s, the slowest ${slowest} ms, seed ${seed}`)
  if (broken === undefined) continue
  const input = Buffer.from(broken.input)
  const digest = createHash('sha256').update(input).digest('hex').slice(0, 8)
  const folder = corpusOf(name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(digest, folder), input)
  say(
    `  It ${broken.what}\n  seed ${broken.seed}, kept as corpus/${name}/${digest}: ${JSON.stringify(input.toString('latin1')).slice(0, 400)}`,
  )
}
if (values.write && !values.growth) writeEvidence(campaigns, { startedAt, seed })
process.exitCode = grown.length > 0 || campaigns.some(({ broken }) => broken !== undefined) ? 1 : 0
