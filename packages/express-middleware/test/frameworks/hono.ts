import { webResponse } from '@tillkit/express-middleware/core'
import { Hono } from 'hono'
import { callbacks, customers, forms, orderToPay } from './payments.js'

export const app = new Hono()
app.all('/payments/callback', async ({ req }) => webResponse(await callbacks.answer(req.raw), console.error))
app.all('/payments/return/:state', async ({ req }) => webResponse(await customers.answer(req.raw), console.error))
app.post('/orders/:id/pay', async ({ req }) =>
  webResponse(await forms.open(orderToPay(req.param('id'))), console.error),
)
