/** The mistakes that public clients of such gateways make. Control values are made with node:crypto over text written here. */
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway } from '../src/index.js'
import { call, pay, send } from './signed-request.js'

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway()
  return () => gateway.close()
})

/** Sends a form whose control value is made over `covered` and the control key. */
async function answerTo(path: string, form: Readonly<Record<string, string>>, covered: string): Promise<string> {
  const { baseUrl, login, controlKey } = gateway.clientOptions
  const answer = await send(gateway, {
    url: new URL(`${baseUrl.href}${path}`),
    headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
    parameters: Object.entries({ login, ...form, control: sha1(covered + controlKey) }),
    evidence: [],
  })
  expect(answer.status).toBe(401)
  return answer.reply['error-message'] ?? ''
}

describe('the fake names the mistake of', () => {
  it('a capture that signs an amount and a currency and does not send them', async () => {
    const { endpointId, login } = gateway.clientOptions
    const { reply } = await pay(gateway, 'preauth', { clientOrderId: 'o-1' })
    const orderid = reply['paynet-order-id'] ?? ''
    await call(gateway, 'status', { clientOrderId: 'o-1', orderId: orderid })
    const form = { client_orderid: 'o-1', orderid }
    const said = await answerTo(`/api/v2/capture/${endpointId}`, form, `${login}o-1${orderid}1000EUR`)
    expect(said).toContain('over "1000" and "EUR", and the request has neither')
  })

  it.each([
    ['a whole return', {}],
    ['a partial return', { amount: '10.00', currency: 'EUR' }],
  ])('%s that is signed with the formula of a sale', async (_title, money) => {
    const { endpointId } = gateway.clientOptions
    const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    const orderid = reply['paynet-order-id'] ?? ''
    await pay(gateway, 'sale', { clientOrderId: 'o-2', email: 'someone.else@shop.test' })
    const form = { client_orderid: 'o-1', orderid, comment: 'goods came back', ...money }
    const said = await answerTo(`/api/v2/return/${endpointId}`, form, `${endpointId}o-11000ada@shop.test`)
    expect(said).toContain('made over the items of sale, saleForm, preauth, preauthForm, paymentForm:')
  })

  it('an account verification that signs an empty endpoint', async () => {
    const { endpointId } = gateway.clientOptions
    const form = { client_orderid: 'o-1', email: 'ada@shop.test' }
    const said = await answerTo(`/api/v2/account-verification/${endpointId}`, form, 'o-1ada@shop.test')
    expect(said).toContain('item "endpointId"')
    expect(said).toContain('take the endpoint, or the endpoint group, of the path')
  })
})
