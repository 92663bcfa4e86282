import { checkCallbackRequest } from '@tillkit/express-middleware/core'
import { Hono } from 'hono'

export const app = new Hono()
app.all('/:shop/callback', async ({ req, body }) => {
  const controlKeys = () => keysOf.get(req.param('shop'))
  const verdict = await checkCallbackRequest(req.raw, { controlKeys })
  if (verdict.kind === 'refused') return body(null, 403) // and verdict.explanation for your log
  console.log('a hint to ask status of', verdict.callback.signed.clientOrderId)
  return body(null, 200)
})

const keysOf = new Map([['north', 'control key of north']])
