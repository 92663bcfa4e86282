import { getConnInfo } from '@hono/node-server/conninfo'
import { customerBrowser } from '@tillkit/express-middleware/core'
import { Hono } from 'hono'

const price = { amount: '18.00', currency: 'EUR', orderDesc: 'Two tickets' }
const customer = { email: 'joan@customer.example', phone: '+493012345678' }
const home = { address1: 'Hauptstr. 1', city: 'Berlin', zipCode: '10115', country: 'DE' }

export function shopOf(till) {
  const app = new Hono()
  const remoteAddress = context => getConnInfo(context).remote.address

  app.all('/payments/*', async context => {
    const answer = await till.fetch(context.req.raw, { remoteAddress: remoteAddress(context) })
    return answer ?? context.notFound()
  })
  app.post('/orders/:id/card', async context => {
    const { number, name, month, year, cvv2, ...body } = await context.req.parseBody()
    const browser = customerBrowser(context.req.raw, { remoteAddress: remoteAddress(context), body })
    const card = { creditCardNumber: number, cardPrintedName: name, expireMonth: month, expireYear: year, cvv2 }
    const order = { reference: context.req.param('id'), ...price, ...customer, ...home }
    const { address } = await till.pay({ ...order, ...browser, ...card })
    return context.redirect(address, 303)
  })
  app.post('/orders/:id/pay', async context => {
    const order = {
      reference: context.req.param('id'),
      ...price,
      ...customer,
      ...home,
      ipAddress: remoteAddress(context),
    }
    const { address } = await till.pay(order)
    return context.redirect(address, 303)
  })
  app.get('/orders/:id', async context => context.text((await till.payment(context.req.param('id'))).state))
  return app
}
