/**
 * The table of deliveries.
 *
 * @module
 */
import type { CallbackDelivery } from '@tillkit/testing'
import { type Html, html } from '@tillkit/testing/gateway'
import { orderAddress } from './dashboard-path.js'
import { writeHttpStatus } from './mark.js'
import { writeMoment } from './moment.js'
import { writeTable } from './table.js'

/** Writes deliveries, the newest first. */
export const deliveriesTable = (deliveries: readonly CallbackDelivery[]): Html =>
  writeTable({
    caption: 'Callbacks',
    head: ['Order', 'Delivery', 'Address', 'Answer', 'Time'],
    empty: 'No callbacks yet. Orders ask for them with server_callback_url or notify_url.',
    rows: deliveries
      .toReversed()
      .map(({ orderId, attempt, url, httpStatus, error, at }) => [
        html`<a href="${orderAddress(orderId)}">${orderId}</a>`,
        html`${String(attempt)}`,
        html`<code>${url.split('?')[0] ?? url}</code>`,
        html`${writeHttpStatus(httpStatus)} ${error ?? ''}`,
        writeMoment(at),
      ]),
  })
