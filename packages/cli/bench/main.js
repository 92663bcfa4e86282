/** `pnpm bench`: measures how long pages of the dashboard take, and news until they are on screen; `--write` puts it into BENCHMARKS.md. */
import { writeReport } from '../../../bench/report.js'

const method = `A gateway with 10,000 orders, and a hundred thousand requests of which it keeps the latest ten thousand, is asked over HTTP by a
process that waits for the whole page. A time is from the request to the last byte. The first page is the one before anything was compiled
or kept; of the others the median of 21 is shown.

A page of the same gateway is open in Chromium while 21 more sales are sent, one after the other. A time is from the answer of the gateway
to the frame that has the row.`

const notes = `The gateway looks for changes four times a second while a page listens, and the page then asks for itself once more. That is most of the
time until a row is on screen.`

writeReport(new URL('./', import.meta.url), { sections: ['pages', 'screen'], method, notes })
