/** `pnpm bench`: measures how long pages of the dashboard take; `--write` puts the results into BENCHMARKS.md. */
import { writeReport } from '../../../bench/report.js'

const method = `A gateway with 10,000 orders, and a hundred thousand requests of which it keeps the latest ten thousand, is asked over HTTP by a
process that waits for the whole page. A time is from the request to the last byte. The first page is the one before anything was compiled
or kept; of the others the median of 21 is shown.`

const notes = `A browser takes some more to draw a page. The dashboard asks for its page again each second, so what a request changes is on screen
within a second and the time of the page.`

writeReport(new URL('./', import.meta.url), { sections: ['pages'], method, notes })
