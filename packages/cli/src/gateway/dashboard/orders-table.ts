/**
 * The table of orders.
 *
 * @module
 */
import type { OrderView, StageView } from '@tillkit/testing'
import { type Html, html } from '@tillkit/testing/gateway'
import { orderAddress } from './dashboard-path.js'
import { writeStatus } from './mark.js'
import { writeMoment } from './moment.js'
import { writeTable } from './table.js'

/** Writes orders, the newest first. */
export const ordersTable = (orders: readonly OrderView[]): Html =>
  writeTable({
    caption: 'Orders',
    head: ['Order', 'Amount', 'Stages', 'Card', 'Since'],
    empty: 'No orders yet. Send a request to the address above.',
    rows: orders.toReversed().map(({ orderId, clientOrderId, currency = '', card, stages }) => {
      const [first] = stages
      return [
        html`<a href="${orderAddress(orderId)}">${clientOrderId}</a>`,
        html`${first?.amount === undefined ? '' : `${first.amount} ${currency}`}`,
        html`${stages.map(stageLine)}`,
        html`${card === undefined ? '' : `${card.brand} ${card.lastFourDigits}`}`,
        first === undefined ? html`` : writeMoment(first.createdAt),
      ]
    }),
  })

/** The amount of the first stage is the order's. */
const stageLine = (stage: StageView, index: number): Html =>
  html`<div>${stage.stage} ${index === 0 ? undefined : stage.amount} ${writeStatus(stage)}</div>`
