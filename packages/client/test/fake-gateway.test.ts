/** The client against the gateway in a box, which verifies every signature with code of its own side. */
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../src/index.js'
import { saleRequest } from './sample-requests.js'

let gateway: FakeGateway
let client: Client

beforeEach(() => {
  gateway = createFakeGateway()
  client = createClient(gateway.clientOptions)
})

afterEach(async () => {
  await client.close()
  await gateway.close()
})

const sale = { ...saleRequest, cvv2: '123' }
const payoutRequest = { clientOrderId: 'p-1', amount: '5.00', currency: 'EUR', accountNumber: '40817' }

describe.each(['its dispatcher', 'a socket'])('the fake gateway through %s', transport => {
  beforeEach(async () => {
    if (transport === 'its dispatcher') return
    await gateway.listen()
    client = createClient(gateway.clientOptions)
  })

  it('accepts all three schemes', async () => {
    const accepted = await client.sale(sale)
    const status = await client.status({ clientOrderId: 'o-1', orderId: accepted.orderId })
    expect(status).toMatchObject({ status: 'approved', amount: '10.42', currency: 'EUR', orderId: accepted.orderId })
    expect(await client.payout(payoutRequest)).toMatchObject({ orderId: expect.any(String) })
    expect(await client.payoutV4({ ...payoutRequest, clientOrderId: 'p-2' })).toMatchObject({ clientOrderId: 'p-2' })
    gateway.assertAllHandled()
  })

  it('makes one order of a sale whose answer was lost, which status finds', async () => {
    gateway.faults.arm('commit-then-drop')
    await expect(client.sale(sale)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', clientOrderId: 'o-1' })
    expect(gateway.calls('sale')).toHaveLength(1)
    expect(await client.status({ clientOrderId: 'o-1' })).toMatchObject({ status: 'approved', clientOrderId: 'o-1' })
  })

  it('captures once when the gateway fails after the fact', async () => {
    const { orderId } = await client.preauth(sale)
    gateway.faults.arm('server-error-after-commit')
    const capture = client.capture({ clientOrderId: 'o-1', orderId })
    await expect(capture).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', orderId, moneyMayHaveMoved: true })
    expect(gateway.calls('capture')).toHaveLength(1)
  })

  it('refuses another control key as an authentication failure', async () => {
    const stranger = createClient({ ...gateway.clientOptions, controlKey: 'not-the-key-at-all' })
    await expect(stranger.sale(sale)).rejects.toMatchObject({ code: 'ERR_AUTHENTICATION_REFUSED', httpStatus: 401 })
    await stranger.close()
  })

  it('refuses what it will not do, and no order comes of it', async () => {
    const unknown = client.status({ clientOrderId: 'never-sent' })
    await expect(unknown).rejects.toMatchObject({ code: 'ERR_REQUEST_REFUSED', httpStatus: 400 })
  })

  it('gives the customer’s address for a hosted form', async () => {
    const { clientOrderId, amount, currency, email } = sale
    const form = { clientOrderId, amount, currency, email, redirectUrl: 'http://127.0.0.1/back' }
    const { redirectUrl } = await client.saleForm(form)
    expect(URL.canParse(redirectUrl)).toBe(true)
  })
})
