/** `pnpm bench`: measures this package beside a bare route and beside its peers; `--write` puts the results into BENCHMARKS.md. */
import { writeReport } from '../../../bench/report.js'

const method = `Apps of Express 5, one for each line, answer requests that were made beforehand: a GET of 16 parameters, signed, or for the
webhooks of octokit a POST of as many in JSON. They come from a process of its own, on 32 sockets that are kept alive. Apps take turns
in 21 rounds of 1000 requests. What is compared is the requests of a round divided by the processor time that the server's process spent
on them; the ratio is the median of the ratios of the rounds. That is done in three processes: the middle ratio counts, the least and the
most stand behind it.`

const notes = `Callbacks that are received are each about an order of its own: everything is done for every one of them, which is more than for
the redelivery of one. Status is answered at once by a stub.`

writeReport(new URL('./', import.meta.url), {
  sections: ['verify-callback', 'receive-callbacks'],
  method,
  notes,
  processes: 3,
})
