/**
 * `pnpm bench`: measures this package beside its peers; `--write` puts the results into BENCHMARKS.md. `--quick` leaves out
 * the section on memory, which takes minutes.
 */
import { writeReport } from '../../../bench/report.js'

const method = `Every peer sends a sale of 21 fields over loopback to one server, a process of its own on bare sockets, and reads its
answer; 32 requests are under way at a time, each on a connection of its own. The peers run in turn in one process, in 31 short
rounds; each ratio is the median of the ratios of the rounds. CPU time is that of the whole process divided by its requests, the
garbage collector included. **Bare undici** is \`pool.request\` and \`body.text()\` with the bytes that this package sends, made
beforehand, so it signs, checks and parses nothing. **fetch** builds the form, computes the control value and parses the answer.
**stripe-node** is \`paymentIntents.create\` with a request of similar length.`

const notes = `An attempts port is asked before and told after each request; \`memoryAttempts\` keeps every attempt for as long as the
process lives, so its memory grows with each of them, by as much as the table says.`

writeReport(new URL('./', import.meta.url), {
  sections: ['sale', 'import-time', ...(process.argv.includes('--quick') ? [] : ['memory'])],
  method,
  notes,
})
