/** `pnpm bench`: measures this package beside its peers; `--write` puts the results into BENCHMARKS.md. */
import { writeReport } from '../../../bench/report.js'

const method = `The functions of a line run in turn in one process, in 301 short rounds; its ratio is the median of the ratios of the
rounds. That is done in five processes: the middle ratio of the five counts, the least and the most stand behind it.
**L** is one \`createHmac('sha1')\` over a prebuilt base string. Every header has a new nonce and timestamp, made by the
caller here (\`randomUUID\`, \`Date.now\`) and by the peers in their own way. Addresses are parsed, keys and forms built
beforehand, each in the form the package takes.`

const notes = `Names never seen before are what the first requests of a kind cost, and every request of a program that sends more than
32 different forms. An import leaves \`node:crypto\` to the first signature, adr/0021; a package that imports it
does not, so that line is below zero. The explanations are an entry of their own, adr/0008; the first entry never
loads them.`

writeReport(new URL('./', import.meta.url), {
  sections: [
    'hmac-header',
    'base-string',
    'rsa-header',
    'rsa-thread-pool',
    'control-value',
    'explain',
    'import-time',
    'size',
  ],
  method,
  notes,
  processes: 5,
})
