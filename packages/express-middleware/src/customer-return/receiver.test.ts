import { emptyOrder, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { signState } from '../state/token.js'
import { type CustomerReceiverOptions, customerReceiver } from './receiver.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const now = 1_800_000_000_000
const state = () =>
  signState({ clientOrderId: 'o-1', purpose: 'hosted-form', lifetime: 60, now, secrets: stateSecrets })
const approved: StatusResponse = {
  clientOrderId: 'o-1',
  orderId: '77',
  status: 'approved',
  transactionType: 'sale',
  amount: '10.00',
  currency: 'EUR',
  raw: {},
}

async function comeBack(own: Partial<CustomerReceiverOptions> = {}) {
  const receiver = customerReceiver({
    client: { status: async () => approved },
    controlKeys: 'control key',
    stateSecrets,
    order: ({ clientOrderId }) => ({
      order: emptyOrder({ clientOrderId }),
      expected: { stages: ['sale'], amount: '10.00', currency: 'EUR' },
    }),
    onSettlement: () => undefined,
    redirectTo: ({ clientOrderId, view }) => `/orders/${clientOrderId}?view=${view}`,
    clock: () => now,
    ...own,
  })
  return receiver.answer(new Request(`https://shop.example/return/${await state()}`))
}

describe('customerReceiver', () => {
  it('sends the customer on to the page of the order', async () => {
    expect(await comeBack()).toEqual({
      status: 303,
      headers: { Location: '/orders/o-1?view=paid', 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
      body: '',
    })
  })

  it.each([
    ['no status', 500, {}],
    ['the status of a failure', 503, { status: 503 }],
    ['a status that is no failure', 500, { status: 200 }],
    ['a status that is no number', 500, { status: 'away' }],
  ])('hands out an error with %s in an answer of %i, and throws nothing', async (_which, status, fields) => {
    const error = Object.assign(new Error('the database is away'), fields)
    const answer = await comeBack({ order: () => Promise.reject(error) })
    expect(answer).toMatchObject({ status, body: '', headers: { 'Cache-Control': 'no-store' } })
    expect(answer.error).toBe(error)
  })

  it('takes the state that is handed in for that of the path', async () => {
    const receiver = customerReceiver({
      client: { status: async () => approved },
      controlKeys: 'control key',
      stateSecrets,
      order: () => undefined,
      onSettlement: () => undefined,
      redirectTo: ({ view }) => `/${view}`,
      clock: () => now,
    })
    const request = new Request('https://shop.example/return')
    expect(await receiver.answer(request, { state: await state() })).toMatchObject({ status: 303 })
    expect(await receiver.answer(request)).toMatchObject({ status: 403, error: { code: 'ERR_STATE_REJECTED' } })
  })
})
