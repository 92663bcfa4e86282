/** What must and must not compile. Checked by `tsc`; nothing here runs. */
import type { ClientWithoutAttempts, ClientWithStore } from '@tillkit/client'
import { memoryStore, type Store } from '@tillkit/protocol'
import express, { type RequestHandler, type Response } from 'express'
import {
  type AnyCallbackError,
  type CallbackVerdict,
  checkCallback,
  type HostedFormClient,
  tellOutcomes,
  type VerifiedCallback,
} from '../src/core.js'
import {
  type CallbackLocals,
  customerReturn,
  receiveCallbacks,
  redirectToHostedForm,
  verifyCallback,
} from '../src/index.js'

declare const client: ClientWithStore
declare const forgetful: ClientWithoutAttempts
/** A store whose transactions are those of a database. */
declare const database: Store<{ run(text: TemplateStringsArray, ...values: unknown[]): Promise<void> }>
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

// @ts-expect-error a sale form without an amount
redirectToHostedForm({ ...form, order: () => ({ clientOrderId: 'o', email: 'a@b.c' }) })

// @ts-expect-error a client that cannot make the form
redirectToHostedForm({ ...form, client: { saleForm: client.saleForm }, operation: 'payoutForm', order: () => sale })

const store = memoryStore()
const coming = {
  client,
  store,
  controlKeys: 'k',
  stateSecrets,
  onOutcome: () => undefined,
  redirectTo: () => '/',
}
customerReturn(coming) satisfies RequestHandler
customerReturn({ ...coming, onOutcome: async () => undefined })

// @ts-expect-error a client that keeps nothing in a store
customerReturn({ ...coming, client: forgetful })

customerReturn({
  ...coming,
  redirectTo: ({ view }) => {
    view satisfies 'paid' | 'held' | 'verified' | 'sent' | 'declined' | 'checking'
    // @ts-expect-error a view that does not exist
    return view === 'approved' ? '/yes' : '/no'
  },
})

verifyCallback({
  controlKeys: ({ clientOrderId }, request) => (request.query.shop === clientOrderId ? 'k' : undefined),
})

const receiving = { merchant: { controlKeys: 'k', client }, store }
receiveCallbacks({ ...receiving, onOutcome: () => undefined }) satisfies RequestHandler
receiveCallbacks({
  ...receiving,
  onOutcome: async (outcome, { idempotencyKey, signal, fencingToken, transaction }) => {
    idempotencyKey satisfies string
    signal satisfies AbortSignal
    fencingToken satisfies number
    // A store in memory has no transactions.
    transaction satisfies never
    outcome.reference satisfies string
    if (outcome.kind === 'disputed') {
      outcome.explanation satisfies string
      // @ts-expect-error a disputed outcome has not been approved
      outcome.outcome
    } else {
      outcome.moneyMoved satisfies string
    }
    // @ts-expect-error a meaning that does not exist
    if (outcome.kind === 'approved') return
  },
})

// The type of the transaction comes from the store.
receiveCallbacks({
  ...receiving,
  store: database,
  onOutcome: ({ kind, reference }, { transaction }) =>
    transaction.run`update orders set state = ${kind} where id = ${reference}`,
})
void tellOutcomes('o', {
  client,
  store: database,
  // @ts-expect-error what the transaction of this store does not have
  onOutcome: (_outcome, { transaction }) => transaction.query('commit'),
})

// @ts-expect-error a handler without which nothing would happen
receiveCallbacks(receiving)

// @ts-expect-error a client that keeps nothing in a store
receiveCallbacks({ ...receiving, merchant: { controlKeys: 'k', client: forgetful }, onOutcome: () => undefined })

// @ts-expect-error a store that cannot write
receiveCallbacks({ ...receiving, store: { read: store.read }, onOutcome: () => undefined })

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
