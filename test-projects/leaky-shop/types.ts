import type { Client } from '@tillkit/client'
import type { PaymentToStart } from 'tillkit'

export const sell = (client: Client, { amount, currency, email, card }: PaymentToStart) =>
  client.sale({ clientOrderId: 'order-1', orderDesc: 'A cup', amount, currency, email, ...card })
