/** Verification alone: beside a bare route, a check as one writes it by hand, and octokit's middleware for webhooks. */
import { createHash } from 'node:crypto'
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks'
import { verifyCallback } from '@tillkit/express-middleware'
import express from 'express'
import { callbackRequest, controlKey, webhookRequest, webhookSecret } from '../requests.js'
import { measureServers } from '../side-by-side.js'

const app = (...handlers) => express().all('/callback', ...handlers)
const ok = (_request, response) => response.sendStatus(200)

/** What is often written: no length, no repeated parameter, no constant time is looked after. */
const byHand = (request, response, next) => {
  const { status, orderid, merchant_order: order, control } = request.query
  const expected = createHash('sha1').update(`${status}${orderid}${order}${controlKey}`).digest('hex')
  if (control !== expected) return response.sendStatus(403)
  response.locals.callback = { status, orderid, order }
  next()
}

const webhooks = new Webhooks({ secret: webhookSecret })
webhooks.on('push', () => undefined)

const { perSecond, ratio } = await measureServers({
  'a bare route': { listener: app(ok), request: callbackRequest },
  verifyCallback: { listener: app(verifyCallback({ controlKeys: controlKey }), ok), request: callbackRequest },
  'a check by hand': { listener: app(byHand, ok), request: callbackRequest },
  'a bare route for webhooks': { listener: app(ok), request: webhookRequest },
  'octokit webhooks': {
    listener: express().use(createNodeMiddleware(webhooks, { path: '/callback' })),
    request: webhookRequest,
  },
})

const rowOf = (name, bare, asked = {}) => ({
  name,
  against: `of the throughput of ${bare}`,
  ratio: ratio(name, bare),
  ...asked,
  perSecond: { [name]: perSecond[name], [bare]: perSecond[bare] },
})

export const rows = [
  rowOf('verifyCallback', 'a bare route', { atLeast: 0.9 }),
  rowOf('a check by hand', 'a bare route'),
  rowOf('octokit webhooks', 'a bare route for webhooks'),
]
