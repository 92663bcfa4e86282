/** `pnpm bench`: measures this package beside its peers; `--write` puts the results into BENCHMARKS.md. */
import { writeReport } from '../../../bench/report.js'

const method = `The functions of a line run in turn in one process, in 301 short rounds; its ratio is the median of the ratios of the
rounds. That is done in five processes: the middle ratio of the five counts, the least and the most stand behind it.
A program holds other code, which V8 optimizes ours together with: ten other signers, two of them from npm, have signed
thousands of forms in the process before, and sign in turn with ours in the first lines. Each was seen to make right signatures.
**L** is one \`createHmac('sha1')\` over a prebuilt base string. Every header has a new nonce and timestamp, made by the
caller here (\`randomUUID\`, \`Date.now\`) and by the other signers in their own way. Addresses are parsed, keys and forms built
beforehand, each in the form the package takes.`

const notes = `A request signer keeps the names of its last form, adr/0040; the lines "of another form" are what a header costs when they
are others each time. An import leaves \`node:crypto\` to the first signature, adr/0021; a package that imports it does not, so
that line is below zero. The explanations are an entry of their own, adr/0008; the first entry never loads them.`

writeReport(new URL('./', import.meta.url), {
  sections: ['hmac-header', 'base-string', 'rsa-header', 'rsa-thread-pool', 'control-value', 'import-time', 'size'],
  method,
  notes,
  processes: 5,
})
