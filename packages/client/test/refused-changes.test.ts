/** A change that is refused, corrected and sent again, and one that only seems to be: counted in the gateway's own books. */

import { createFakeGateway, type FakeGateway, testCard } from '@tillkit/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from '../src/index.js'
import { recordAttempts } from './recorded-attempts.js'

let gateway: FakeGateway
afterEach(() => gateway.close())

/** A hold over 10.00 EUR, at a gateway over real HTTP. */
async function held(errorsEchoIds: boolean) {
  gateway = createFakeGateway({ errorsEchoIds })
  await gateway.listen()
  const { observer, attempts } = recordAttempts()
  const client = createClient({ ...gateway.clientOptions, observer })
  const { orderId } = await client.preauth({
    clientOrderId: 'o-1',
    amount: '10.00',
    currency: 'EUR',
    email: 'john@example.com',
    creditCardNumber: testCard,
    cardPrintedName: 'John Smith',
    expireMonth: '12',
    expireYear: '2099',
    cvv2: '123',
  })
  return { client, attempts, orderId, ids: { clientOrderId: 'o-1', orderId } }
}

/** What the gateway captured. */
const captured = (orderId: string) =>
  gateway.orders.find(orderId)?.stages.flatMap(({ stage, amount }) => (stage === 'capture' ? [amount] : []))

const part = (amount: string) => ({ amount, currency: 'EUR' })

describe.each([true, false])('where errors echo ids: %s', echo => {
  it('a refused capture, corrected and sent again, captures exactly once', async () => {
    const { client, attempts, orderId, ids } = await held(echo)
    const tooMuch = client.capture({ ...ids, ...part('10.01') })
    await expect(tooMuch).rejects.toMatchObject({ code: 'ERR_REQUEST_REFUSED', moneyMayHaveMoved: false })
    await expect(tooMuch).rejects.toHaveProperty(
      'received',
      echo
        ? expect.objectContaining({ 'merchant-order-id': 'o-1', 'paynet-order-id': orderId })
        : expect.not.objectContaining({ 'merchant-order-id': expect.anything(), 'paynet-order-id': expect.anything() }),
    )
    await client.capture({ ...ids, ...part('9.99') })
    expect(captured(orderId)).toEqual(['9.99'])
    expect(gateway.calls('capture').map(({ verdict }) => verdict)).toEqual(['refused', 'accepted'])
    expect(attempts().map(({ end }) => end?.kind)).toEqual(['accepted', 'refused', 'accepted'])
    await client.close()
  })
})

it('a change that a gateway refuses which was started anew says that it may not know the order', async () => {
  const { client, ids } = await held(true)
  const port = Number(new URL(gateway.clientOptions.baseUrl).port)
  await gateway.close()
  gateway = createFakeGateway()
  await gateway.listen({ port })
  await expect(client.capture({ ...ids, ...part('9.99') })).rejects.toMatchObject({
    code: 'ERR_REQUEST_REFUSED',
    moneyMayHaveMoved: false,
    message: expect.stringMatching(/There is no order with .* this one has forgotten it/),
  })
  await client.close()
})

const validation = { type: 'validation-error', errorCode: '8', errorMessage: 'Not like this' } as const

describe('a capture whose answer only looks like a refusal', () => {
  const answers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'the record error at HTTP 400': { ...validation, type: 'error' },
    'a body without a type': { errorCode: '8', errorMessage: 'Not like this' },
    'a validation error with an address': { ...validation, extra: { 'redirect-url': 'https://gate.example/f' } },
    'a validation error with a page': { ...validation, extra: { html: '<form></form>' } },
    'a validation error with an approval code': { ...validation, extra: { 'approval-code': '242805' } },
    'a validation error about another order': { ...validation, orderId: '1' },
  }

  it.each(Object.keys(answers))('ends unknown and is sent once: %s', async name => {
    const { client, orderId, ids } = await held(true)
    gateway.handle({ capture: () => ({ httpStatus: 400, ...answers[name] }) })
    const capture = client.capture({ ...ids, ...part('4.00') })
    await expect(capture).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', moneyMayHaveMoved: true })
    expect(gateway.calls('capture')).toHaveLength(1)
    expect(captured(orderId)).toEqual([])
    await client.close()
  })
})
