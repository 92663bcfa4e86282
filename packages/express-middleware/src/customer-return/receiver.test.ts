import { memoryStore } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import { statusReply } from '../../test/callback-desk.js'
import { keepPayment, paymentsIn } from '../../test/kept-payments.js'
import { signState } from '../state/token.js'
import { type CustomerReceiverOptions, customerReceiver } from './receiver.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const now = 1_800_000_000_000
const state = () =>
  signState({ clientOrderId: 'o-1', purpose: 'hosted-form', lifetime: 60, now, secrets: stateSecrets })

async function receiverOf(own: Partial<CustomerReceiverOptions> = {}) {
  const store = memoryStore()
  const payments = paymentsIn(store)
  await keepPayment(payments)
  return customerReceiver({
    client: { status: async () => statusReply(), payments },
    controlKeys: 'control key',
    stateSecrets,
    store,
    onOutcome: () => undefined,
    redirectTo: ({ clientOrderId, view }) => `/orders/${clientOrderId}?view=${view}`,
    clock: () => now,
    ...own,
  })
}

async function comeBack(own: Partial<CustomerReceiverOptions> = {}) {
  const receiver = await receiverOf(own)
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

  it('sends the customer on where the handler fails, and warns', async () => {
    const warn = vi.fn()
    const onOutcome = () => Promise.reject(new Error('the table is locked'))
    expect(await comeBack({ onOutcome, warn })).toMatchObject({
      status: 303,
      headers: { Location: '/orders/o-1?view=paid' },
    })
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'WARN_HANDLER_FAILED',
      expect.objectContaining({ explanation: expect.stringContaining('the table is locked') }),
    )
  })

  it('sends the customer on where the warning of it fails too', async () => {
    const onOutcome = () => Promise.reject(new Error('the table is locked'))
    const warn = () => {
      throw new Error('the log is full')
    }
    expect(await comeBack({ onOutcome, warn })).toMatchObject({ status: 303 })
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
    const receiver = await receiverOf()
    const request = new Request('https://shop.example/return')
    expect(await receiver.answer(request, { state: await state() })).toMatchObject({ status: 303 })
    expect(await receiver.answer(request)).toMatchObject({ status: 403, error: { code: 'ERR_STATE_REJECTED' } })
  })
})
