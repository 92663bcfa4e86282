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

const notes = `What a sale costs besides its transport, in microseconds of one thread that does nothing else, measured by part: checking the
request 2.7, form and address 0.8, control value 1.3, encoding 2.4, deadline 0.4, its dispatch handler 0.7, parsing and judging
the answer 3, the rest (a dozen promises, what the garbage collector does about it) 3; 14 to 15 in all. Beside a busy socket the
same work takes longer, for it no longer finds its data in the caches of the processor. Bare undici does none of it and leaves
nothing to leave out: the check, the signature and the judgement are what the package is for. A profile shows no part that
stands out any more.

An attempts port adds the fingerprint (5: a sorted base string and an HMAC-SHA256), the attempt itself (1), the memory's own
bookkeeping (4), and above all memory that lives: each attempt that is kept, between one and two kilobytes of them, is copied
twice by the garbage collector before it stays. \`memoryAttempts\` forgets beyond its capacity, 20000 attempts by default, so it
does not grow for ever; a port that writes to a database costs more than all of this.`

writeReport(new URL('./', import.meta.url), {
  sections: ['sale', 'import-time', ...(process.argv.includes('--quick') ? [] : ['memory'])],
  method,
  notes,
})
