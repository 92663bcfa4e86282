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

const notes = `What a sale costs besides its transport is checking the request, building, signing and encoding its form, and reading and judging the
answer. Bare undici does none of it and leaves nothing to leave out: that is what the package is for. Within a program the same work
takes longer than in a loop of its own, see adr/0028.`

writeReport(new URL('./', import.meta.url), {
  sections: ['sale', 'import-time', ...(process.argv.includes('--quick') ? [] : ['memory'])],
  method,
  notes,
})
