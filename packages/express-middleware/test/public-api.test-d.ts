/** What must and must not compile. Checked by `tsc`; nothing here runs. */
import type { createClient } from '@tillkit/client'
import express, { type RequestHandler, type Response } from 'express'
import {
  type AnyCallbackError,
  type CallbackVerdict,
  checkCallback,
  type HostedFormClient,
  type OpenForm,
  type VerifiedCallback,
} from '../src/core.js'
import {
  type CallbackLocals,
  customerReturn,
  receiveCallbacks,
  redirectToHostedForm,
  verifyCallback,
} from '../src/index.js'

declare const client: ReturnType<typeof createClient>
declare const kept: OpenForm | undefined
const stateSecrets = [{ id: 'one', secret: 'x'.repeat(32) }]
const sale = { clientOrderId: 'o', amount: '10.00', currency: 'EUR', email: 'a@b.c' }
const form = { client, returnUrl: 'https://shop.example', stateSecrets, redirectHosts: ['gate.example'] }

verifyCallback({ controlKeys: 'k' }) satisfies RequestHandler
verifyCallback({ controlKeys: ['new', { label: 'old', key: 'k' }] })

// @ts-expect-error no key
verifyCallback({})

// @ts-expect-error the factory takes options, not a request
verifyCallback('k')

express().all('/callback', verifyCallback({ controlKeys: 'k' }), (_request, response) => {
  response.locals.callback satisfies VerifiedCallback
})
express().all(
  '/callback',
  verifyCallback({ controlKeys: 'k' }),
  (_request, response: Response<string, CallbackLocals>) => {
    response.locals.callback.signed.orderId satisfies string
    // @ts-expect-error the amount of a callback is not signed
    response.locals.callback.signed.amount
    response.locals.callback.unsigned.amount satisfies string | undefined
  },
)

// A client of @tillkit/client fits without a cast.
client satisfies HostedFormClient
redirectToHostedForm({ ...form, order: () => sale }) satisfies RequestHandler
redirectToHostedForm({ ...form, operation: 'preauthForm', order: async () => sale })
redirectToHostedForm({ ...form, order: () => ({ ...sale, form: kept }) })
redirectToHostedForm({ ...form, operation: request => (request.body ? 'saleForm' : 'preauthForm'), order: () => sale })
redirectToHostedForm({
  ...form,
  operation: 'accountVerificationForm',
  order: () => ({ clientOrderId: 'o', email: 'a@b.c' }),
})
redirectToHostedForm({
  ...form,
  operation: 'payoutForm',
  order: () => ({ clientOrderId: 'o', amount: '1.00', currency: 'EUR' }),
})

// @ts-expect-error an operation that has no hosted form
redirectToHostedForm({ ...form, operation: 'sale', order: () => sale })

// @ts-expect-error an amount that is a number
redirectToHostedForm({ ...form, order: () => ({ ...sale, amount: 10 }) })

// @ts-expect-error a form without its address
redirectToHostedForm({ ...form, order: () => ({ ...sale, form: { orderId: '77' } }) })

// @ts-expect-error a sale form without an amount
redirectToHostedForm({ ...form, order: () => ({ clientOrderId: 'o', email: 'a@b.c' }) })

// @ts-expect-error a client that cannot make the form
redirectToHostedForm({ ...form, client: { saleForm: client.saleForm }, operation: 'payoutForm', order: () => sale })

const coming = { client, controlKeys: 'k', stateSecrets, redirectTo: () => '/' }
customerReturn(coming) satisfies RequestHandler

// @ts-expect-error a client that cannot ask status
customerReturn({ ...coming, client: { saleForm: client.saleForm } })

customerReturn({
  ...coming,
  redirectTo: ({ view, reply }) => {
    reply?.status satisfies string | undefined
    view satisfies 'paid' | 'held' | 'verified' | 'sent' | 'declined' | 'checking'
    // @ts-expect-error a view that does not exist
    return view === 'approved' ? '/yes' : '/no'
  },
})

verifyCallback({
  controlKeys: ({ clientOrderId }, request) => (request.query.shop === clientOrderId ? 'k' : undefined),
})

const merchant = { controlKeys: 'k', client }
receiveCallbacks({ merchant, onStatus: () => undefined }) satisfies RequestHandler
receiveCallbacks({
  merchant,
  onStatus: async ({ kind, outcome, amount, isOver, reply, callback }, request) => {
    outcome satisfies 'approved' | 'declined' | 'filtered' | 'error'
    amount satisfies string | undefined
    isOver({ amount: '10.00', currency: 'EUR' }) satisfies boolean
    reply.processorRrn satisfies string | undefined
    callback.keyLabel satisfies string
    request.query satisfies object
    // @ts-expect-error a meaning that does not exist
    if (kind === 'approved') return
    // @ts-expect-error an amount without its currency
    isOver({ amount: '10.00' })
  },
})

// @ts-expect-error a function without which nothing would happen
receiveCallbacks({ merchant })

// @ts-expect-error a client that cannot ask status
receiveCallbacks({ merchant: { controlKeys: 'k', client: {} }, onStatus: () => undefined })

declare const verdict: CallbackVerdict
// @ts-expect-error a refused callback has no callback
verdict.callback
verdict.kind === 'verified' ? verdict.callback.keyLabel : verdict.explanation

// @ts-expect-error parameters are pairs, so that repeated names are seen
checkCallback({ parameters: { status: 'approved' }, controlKeys: 'k' })

/** Narrowing by code is exhaustive. */
export function statusOf(error: AnyCallbackError): 403 | 500 | 502 | 503 {
  switch (error.code) {
    case 'ERR_CALLBACK_REJECTED':
    case 'ERR_STATE_REJECTED':
    case 'ERR_BODY_CONSUMED':
    case 'ERR_CALLBACK_UNSETTLED':
      return error.status
    case 'ERR_REDIRECT_REFUSED':
    case 'ERR_ORDER_MISMATCH':
      return error.status
  }
}
