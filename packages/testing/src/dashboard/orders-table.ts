/**
 * The table of orders.
 *
 * @module
 */
import type { OrderView } from '../order-view.js'
import { type Html, html } from '../pages/html.js'
import { orderAddress } from './dashboard-path.js'
import { writeStatus } from './mark.js'
import { writeMoment } from './moment.js'
import { writeTable } from './table.js'

/** Writes orders, the newest first. */
export const ordersTable = (orders: readonly OrderView[]): Html =>
  writeTable({
    caption: 'Orders',
    head: ['Order', 'What', 'Status', 'Amount', 'Card', 'Since'],
    empty: 'No orders yet. Send a request to the address above.',
    rows: orders.toReversed().map(order => {
      const stage = order.stages.at(-1)
      const card = order.card === undefined ? '' : `${order.card.brand} ${order.card.lastFourDigits}`
      return [
        html`<a href="${orderAddress(order.orderId)}">${order.clientOrderId}</a>`,
        html`${order.stages.map(({ stage: name }) => name).join(', ')}`,
        stage === undefined ? html`` : writeStatus(stage),
        html`${stage?.amount ?? ''} ${stage?.amount === undefined ? '' : order.currency}`,
        html`${card}`,
        stage === undefined ? html`` : writeMoment(stage.createdAt),
      ]
    }),
  })
