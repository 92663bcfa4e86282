import { createWarnings, ownWords, type WarningWords, type Warn as WarnOf } from '@tillkit/express-middleware/core'

/** Codes of the warnings of a till. */
export type WarningCode =
  | 'WARN_CALLBACK_REFUSED'
  | 'WARN_CALLBACK_POSTPONED'
  | 'WARN_CALLBACK_UNMATCHED'
  | 'WARN_WORK_POSTPONED'
  | 'WARN_HANDLER_FAILED'
  | 'WARN_CUSTOMER_REFUSED'
  | 'WARN_PATH_REFUSED'
  | 'WARN_PAGE_FAILED'
  | 'WARN_3D_SECURE_STUCK'
  | 'WARN_NOT_THE_GATEWAY'
  | 'WARN_STATUS_MISSING'
  | 'WARN_STORE_FAILED'
  | 'WARN_STORE_RISK'
  | 'WARN_UNMATCHED_FAILED'
  | 'WARN_WISH_GONE'
  | 'WARN_WISH_POSTPONED'

/** Says something once a minute. */
export type Warn = WarnOf<WarningCode>

const words: WarningWords<WarningCode> = {
  events: {
    ...ownWords.events,
    WARN_CALLBACK_UNMATCHED: {
      what: 'A verified callback is about an order that the store does not have; it is on the list "unmatched"',
      hook: 'onReport',
    },
    WARN_WORK_POSTPONED: {
      what: 'The work in the background could not go on about an order, and tries again',
      hook: 'onReport',
    },
    WARN_CUSTOMER_REFUSED: { what: 'What a customer’s browser brought was not taken' },
    WARN_PAGE_FAILED: { what: 'A page for a customer could not be shown', hook: 'onError' },
    WARN_PATH_REFUSED: { what: 'A path of your site was not taken' },
    WARN_3D_SECURE_STUCK: { what: '3DS could not go on' },
    WARN_NOT_THE_GATEWAY: { what: 'A request was answered in a form that the gateway does not use' },
    WARN_STATUS_MISSING: {
      what: 'Nothing more was sent for a payment, since it is not known how an order of it stands now',
    },
    WARN_STORE_FAILED: { what: 'The store failed, and is asked again' },
    WARN_STORE_RISK: { what: 'The store is not safe as it is' },
    WARN_UNMATCHED_FAILED: {
      what: 'A callback of an order that was not sent from here was not taken by "onUnmatched"',
    },
    WARN_WISH_GONE: { what: 'What was to be done about an order afterwards was not done, and is given up' },
    WARN_WISH_POSTPONED: { what: 'What is to be done about an order afterwards is not done yet, and is tried again' },
  },
  cures: {
    ...ownWords.cures,
    unmatched:
      'Give the tills that send requests and that take callbacks the same store, "name" and "environment". ' +
      'Is the order lost from the store, or made at the gateway or by another system? ' +
      'Then till.adopt({ reference, clientOrderId }) takes it up.',
    'unknown-order':
      'Give the tills that send requests and that take customers back the same store, "name" and "environment". ' +
      'Is the order lost from the store? Then till.adopt({ reference, clientOrderId }) takes it up.',
    'no-answer': 'till.check() says what is wrong with address, login and keys.',
  },
}

/** Makes what warns for a till. */
export const tillWarnings = (options: Parameters<typeof createWarnings<WarningCode>>[1]): Warn =>
  createWarnings(words, options)
