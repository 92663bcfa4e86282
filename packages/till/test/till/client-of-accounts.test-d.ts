import type { Till } from '../../src/index.js'

declare const till: Till
const order = { clientOrderId: 'basket-7', orderId: '91' }
const part = { ...order, amount: '3.00', currency: 'EUR' }

void till.client.status(order, { account: 'euro' })
void till.client.return(part, { attemptId: 'cup', account: 'euro' })
// @ts-expect-error A part says which one it is, whatever account it is of.
void till.client.return(part, { account: 'euro' })
// @ts-expect-error An account is named by its login.
void till.client.status(order, { account: 41 })
// @ts-expect-error No key is shown.
void till.accounts.list()[0]?.controlKey
