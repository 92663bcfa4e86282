/**
 * What to do about a finding.
 *
 * @module
 */
import type { FindingKind } from './report.js'

/** Advice by kind. */
export const advice: { readonly [Kind in FindingKind]: string } = {
  'charged-twice':
    'Never send a payment again after a timeout, a broken connection, HTTP 5xx or an answer that cannot be read: it may have ' +
    'arrived, and the same client_orderid can make a second order. Ask status by it, and tell the customer "we are checking", not "it failed".',
  'paid-without-money':
    'Call an order paid only when a status reply says approved, for both ids and over the right amount. The answer to a payment ' +
    'request only says that it was accepted; a callback or a browser is a reason to ask. If a final word is taken back, hand the order to a person.',
  'money-without-paid':
    'An error is not a "no". While you do not know, keep the order open and ask status by client_orderid until the word is ' +
    'final, also after "order not found": a request may take effect late.',
  'left-unknown':
    'Ask on: from a job of your own, not only when a callback comes or somebody looks. Status takes client_orderid alone ' +
    'when the orderid never came. Words you do not know are not final.',
  'lost-callback':
    'Answer 200 only when what the callback told you is stored, or acted upon. Otherwise answer 503: the gateway repeats it 30 times ' +
    'in 14 days. A callback about an order that is closed may be a correction: ask status then as well.',
  hung: 'Give every request to the gateway a deadline, and answer the customer when it is over: the order stays open.',
  failed:
    'Catch what your gateway calls throw. Reject (or answer HTTP 400 and above) only where the payment is known to have failed.',
}
