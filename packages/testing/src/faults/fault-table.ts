/**
 * Where a fault strikes: before a connection, at a request that would have been accepted, before its answer, at a status
 * reply, at what later becomes of an order, or at a callback. At each place one fault strikes; faults of several places
 * add up.
 */
export type FaultPlace = 'connection' | 'request' | 'answer' | 'status' | 'order' | 'callback'

/** One fault. */
export interface FaultRow {
  readonly at: FaultPlace
  /** What it does, in one sentence. */
  readonly does: string
  /**
   * What the request still does to money: `nothing`, `all` of it (though no answer may say so), all of it `later`, after the delay,
   * or `twice`. `other` marks faults that strike no request that moves money.
   */
  readonly effect: 'nothing' | 'all' | 'later' | 'twice' | 'other'
  /** Its delay when none is given, in milliseconds on the gateway's clock. Absent where it takes none. */
  readonly delay?: number
  /** How many questions it takes when no number is given. Absent where it takes none. */
  readonly questions?: number
  /** What `status` means to it, and its default. Absent where it takes none. */
  readonly status?: { readonly means: string; readonly otherwise: string; readonly oneOf?: readonly string[] }
}

const minute = 60_000
const day = 86_400_000

/** Every fault by its name. */
export const faultTable = {
  'refuse-connection': {
    at: 'connection',
    does: 'Refuses the connection, so that no request starts. Over HTTP the port stays closed for the delay.',
    effect: 'nothing',
    delay: minute,
  },
  drop: {
    at: 'request',
    does: 'Breaks the connection before anything happened.',
    effect: 'nothing',
  },
  'maintenance-page': {
    at: 'request',
    does: 'Answers with a page of HTML and HTTP 503 in place of the gateway; nothing happened.',
    effect: 'nothing',
  },
  'commit-then-drop': {
    at: 'request',
    does: 'Carries the operation out, then breaks the connection without an answer.',
    effect: 'all',
  },
  'commit-then-timeout': {
    at: 'request',
    does: 'Carries the operation out, then says nothing; the connection breaks after the delay.',
    effect: 'all',
    delay: 10 * minute,
  },
  'server-error-after-commit': {
    at: 'request',
    does: 'Carries the operation out, then answers HTTP 500 without an order id.',
    effect: 'all',
  },
  'half-answer': {
    at: 'request',
    does: 'Carries the operation out, then breaks the connection in the middle of the answer.',
    effect: 'all',
  },
  'slow-body': {
    at: 'request',
    does: 'Carries the operation out and answers, the second half of the body after the delay.',
    effect: 'all',
    delay: 1_000,
  },
  'delayed-commit': {
    at: 'request',
    does: 'Breaks the connection, and carries the operation out after the delay: until then status knows nothing of it.',
    effect: 'later',
    delay: minute,
  },
  'repeated-on-the-way': {
    at: 'request',
    does: 'Something on the way sends the request again after the delay, as a proxy does: a second order under one id, or a second return.',
    effect: 'twice',
    delay: 1_000,
  },
  'status-lags': {
    at: 'status',
    does: 'Status shows the order as it was before its latest stage, or its only stage as processing.',
    effect: 'other',
  },
  'status-never-seen': {
    at: 'status',
    does: 'Status answers as for an order it never saw, though there is one.',
    effect: 'other',
  },
  'unknown-status-word': {
    at: 'status',
    does: 'Status answers with a word that is in no list.',
    effect: 'other',
    status: { means: 'the word', otherwise: 'reconciling' },
  },
  'corrected-later': {
    at: 'order',
    does: 'The final status of the order changes after the delay.',
    effect: 'all',
    delay: day,
    status: {
      means: 'the outcome it changes to',
      otherwise: 'declined',
      oneOf: ['approved', 'declined', 'filtered', 'error'],
    },
  },
  'amount-later': {
    at: 'order',
    does: 'Status and callbacks show no amount of what was approved until the delay is over. No callback tells that it came.',
    effect: 'all',
    delay: 10 * minute,
  },
  'reversed-later': {
    at: 'order',
    does: 'The gateway reverses all that is left of the order after the delay; only notify_url hears of it.',
    effect: 'all',
    delay: day,
  },
  'charged-back-later': {
    at: 'order',
    does: 'The cardholder charges back all that is left of the order after the delay; only notify_url hears of it.',
    effect: 'all',
    delay: 30 * day,
  },
  'callback-before-answer': {
    at: 'answer',
    does: 'The outcome is decided and its callback delivered before the answer to the request is written.',
    effect: 'all',
  },
  'callback-late': {
    at: 'callback',
    does: 'The callback is sent after the delay.',
    effect: 'other',
    delay: 10 * minute,
  },
  'callback-twice': {
    at: 'callback',
    does: 'The callback is sent twice, one right after the other.',
    effect: 'other',
  },
  'callback-reordered': {
    at: 'callback',
    does: 'The callback is held back until another one has been sent, or until the delay is over.',
    effect: 'other',
    delay: 60 * minute,
  },
  'callback-never': {
    at: 'callback',
    does: 'The callback is never sent.',
    effect: 'other',
  },
  'callback-before-status': {
    at: 'callback',
    does: 'The callback comes before status knows: the next questions about that order are answered as before the change.',
    effect: 'other',
    questions: 1,
  },
  'callback-dead-host': {
    at: 'callback',
    does: "No host answers at the callback's address. The callback is repeated 30 times in 14 days.",
    effect: 'other',
  },
} as const satisfies Readonly<Record<string, FaultRow>>

/** Name of a fault. */
export type FaultName = keyof typeof faultTable

/** Names of the faults that strike at one place. */
export type FaultAt<Place extends FaultPlace> = {
  [Name in FaultName]: (typeof faultTable)[Name]['at'] extends Place ? Name : never
}[FaultName]

/** The table with its rows as {@link FaultRow}s, for code that walks it. */
export const faultRows: { readonly [Name in FaultName]: FaultRow } = faultTable

/** Every name, in the order of the table. */
export const faultNames = Object.keys(faultTable) as readonly FaultName[]
