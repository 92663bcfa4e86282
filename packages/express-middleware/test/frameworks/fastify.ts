import formbody from '@fastify/formbody'
import type { Answer } from '@tillkit/express-middleware/core'
import Fastify, { type FastifyReply } from 'fastify'
import { callbacks, customers, forms, orderToPay } from './payments.js'

export const app = Fastify({ logger: true })
app.register(formbody)
app.all('/payments/callback', async ({ raw, body }, reply) => send(reply, await callbacks.answer(raw, { body })))
app.all('/payments/return/*', async ({ raw, body }, reply) => send(reply, await customers.answer(raw, { body })))
app.post<{ Params: { id: string } }>('/orders/:id/pay', async ({ params }, reply) =>
  send(reply, await forms.open(orderToPay(params.id))),
)

function send(reply: FastifyReply, { status, headers, body, error }: Answer) {
  if (error !== undefined) reply.log.error(error)
  return reply.code(status).headers(headers).send(body)
}
