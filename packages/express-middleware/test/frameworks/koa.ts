import { bodyParser } from '@koa/bodyparser'
import type { Answer } from '@tillkit/express-middleware/core'
import Koa, { type Context } from 'koa'
import { callbacks, customers, forms, orderToPay } from './payments.js'

export const app = new Koa()
app.use(bodyParser())
app.use(async (context, next) => {
  const { method, path, req, request } = context
  const [, order] = /^\/orders\/([\w-]+)\/pay$/.exec(path) ?? []
  if (path === '/payments/callback') send(context, await callbacks.answer(req, { body: request.body }))
  else if (path.startsWith('/payments/return/')) send(context, await customers.answer(req, { body: request.body }))
  else if (method === 'POST' && order !== undefined) send(context, await forms.open(orderToPay(order)))
  else await next()
})

function send(context: Context, { status, headers, body, error }: Answer) {
  if (error !== undefined) context.app.emit('error', error, context)
  context.set({ ...headers })
  Object.assign(context, { status, body })
}
