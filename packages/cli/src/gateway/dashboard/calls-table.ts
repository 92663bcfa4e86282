/**
 * The table of requests.
 *
 * @module
 */
import type { Call } from '@tillkit/testing'
import { type Html, html } from '@tillkit/testing/gateway'
import { callAddress } from './dashboard-path.js'
import { writeHttpStatus, writeMark } from './mark.js'
import { writeMoment } from './moment.js'
import { writeTable } from './table.js'

/** Writes calls, the newest first. */
export const callsTable = (calls: readonly Call[]): Html =>
  writeTable({
    caption: 'Requests',
    head: ['Request', 'Signed with', 'Verdict', 'Answer', 'Fault', 'Time'],
    empty: 'No requests yet.',
    rows: calls
      .toReversed()
      .map(({ number, operation, path, scheme, verdict, httpStatus, fault, at }) => [
        html`<a href="${callAddress(number)}">${String(number)} ${operation ?? path}</a>`,
        html`${scheme ?? ''}`,
        writeMark(verdict, verdict === 'accepted' ? 'good' : 'bad'),
        writeHttpStatus(httpStatus, 'hung up'),
        html`${fault ?? ''}`,
        writeMoment(at),
      ]),
  })
