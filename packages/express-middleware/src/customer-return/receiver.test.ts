import { describe, expect, it } from 'vitest'
import { price, statusReply } from '../../test/callback-desk.js'
import { signState } from '../state/token.js'
import { type CustomerReceiverOptions, customerReceiver } from './receiver.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const now = 1_800_000_000_000
const state = () =>
  signState({
    clientOrderId: 'o-1',
    expected: { operation: 'saleForm', ...price },
    purpose: 'hosted-form',
    lifetime: 60,
    now,
    secrets: stateSecrets,
  })

const receiverOf = (own: Partial<CustomerReceiverOptions> = {}) =>
  customerReceiver({
    client: { status: async () => statusReply() },
    controlKeys: 'control key',
    stateSecrets,
    redirectTo: ({ clientOrderId, view }) => `/orders/${clientOrderId}?view=${view}`,
    clock: () => now,
    ...own,
  })

const comeBack = (own: Partial<CustomerReceiverOptions> = {}) =>
  receiverOf(own).answer(new Request(`https://shop.example/return/${state()}`))

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
    const answer = await comeBack({ redirectTo: () => Promise.reject(error) })
    expect(answer).toMatchObject({ status, body: '', headers: { 'Cache-Control': 'no-store' } })
    expect(answer.error).toBe(error)
  })

  it('takes the state that is handed in for that of the path', async () => {
    const receiver = receiverOf()
    const request = new Request('https://shop.example/return')
    expect(await receiver.answer(request, { state: state() })).toMatchObject({ status: 303 })
    expect(await receiver.answer(request)).toMatchObject({ status: 403, error: { code: 'ERR_STATE_REJECTED' } })
  })
})
