/** `pnpm bench`: measures the fake gateway; `--write` puts the results into BENCHMARKS.md. */
import { writeReport } from '../../../bench/report.js'

const method = `Requests are signed beforehand, in batches, so that the gateway alone is measured: it decodes, verifies, carries out, answers
and logs each of them, one after the other. A sale has 21 fields and makes an order; a status request has three. **In process**
they go through the dispatcher. **Over HTTP** they come from a process of its own on eight sockets that are kept alive. A number is
the requests of a batch divided by the processor time the gateway's process spent on it, all its threads included: how many a
second one core that has nothing else to do can carry. The median of the batches is shown.`

const notes = `Memory is measured after a garbage collection, with the latest thousand calls in the log. The resident size holds what the garbage
collector keeps in reserve as well. The time to start is that of \`createFakeGateway()\` alone, in a process that has imported the package.`

writeReport(new URL('./', import.meta.url), { sections: ['in-process', 'http', 'memory', 'start'], method, notes })
