/** The rules by which the explorer and the world judge: each has a name, and a sentence for people. */

/** Every rule, by its name. docs/evidence.md lists them. */
export const rules = {
  'one charge':
    'Customers can pay one order of a payment at most, unless the merchant replaces forms, a person gave the order up, or the gateway approves a declined one late. If two orders keep money, the merchant hears of it.',
  'kept before it leaves': 'A request leaves only once the store has it.',
  'in its time': 'A request leaves before its deadline.',
  'sent once':
    'A run sends one request at most; a change that was wanted once is carried out at most once, over the amount that was wanted.',
  'no more than there is': 'No more is returned, captured or released than was paid or held.',
  'no request after a no': 'Once a caller has heard that nothing was sent, nothing is sent for that call.',
  'looks send nothing': 'A customer who comes back, a callback and a look in the background send no request.',
  'not after a stop': 'A run that could have read that new money is stopped opens no order.',
  'not beside money':
    'No order is opened beside one that had the money, or on whose form a card had been given, when the merchant asked.',
  'asked after a restore':
    'After a restore the till asks every account about each order that the store may have lost: before it opens the next one, and when it looks in the background.',
  'asked where it is': 'The till asks about an order the account that has it.',
  'nothing means nothing':
    'The till says and keeps that a request did nothing only if the gateway made nothing of it, and it can no longer arrive.',
  'heard is true': 'A caller hears, and a customer is shown, only what is true; what a caller hears is kept as well.',
  'said by the gateway': 'How an order ended is kept, shown and told only as the gateway has said it.',
  'callback is kept': 'A callback counts as answered only once the store has what it says.',
  'decision is kept': 'A person hears that a decision is done only once it is kept.',
  'one teller': 'A handler is called only under a lease of the store, and one process at a time has it.',
  'told is booked':
    'An outcome counts as told only once its handler has returned; with transactions exactly when the handler’s commit has happened.',
  'told again only after trouble':
    'A handler is called for the same outcome again only after trouble, which counts once; with transactions never after its commit.',
  'told in order':
    'A stage is told only after the stage before it, and an older word of a stage never after a newer one.',
  'all is told':
    'A run tells what it has learnt before it sends anything, or ends; once trouble is over, nothing stays untold, unless a person is asked about it.',
  'totals are true': 'A sum that the till calls certain, or that the merchant hears, equals the gateway’s books.',
  'follow-ups':
    'Follow-ups are carried out in their order, each at most once. One leaves the list only once the gateway has taken it; the return of a surplus order also once the other order was given back.',
  'one order stays': 'The till gives back at most one of two paid orders.',
  'runs end': 'No run goes on for ever, and a second look at an unchanged payment does nothing.',
  'nobody is stuck': 'Once trouble is over customers can go on, work can be done, and a person can end each question.',
  'nothing is forgotten':
    'Orders, their stages, the decisions of people, and requests that are open or may have moved money stay in the store until the whole payment is purged.',
} as const satisfies Readonly<Record<string, string>>

/** The name of a rule. */
export type RuleName = keyof typeof rules

/** A rule that is broken. */
export interface Broken {
  readonly rule: RuleName
  /** The event that broke it, in words. */
  readonly what: string
}

/** Says that a rule is broken, and by what. */
export const breaks = (rule: RuleName, what: string): Broken => ({ rule, what })

/** A run has heard of more events than any that ends. */
export const endless = breaks('runs end', 'a run does not end')

/** Says for people which rule is broken, and by what. */
export const inWords = ({ rule, what }: Broken): string => `${what} ("${rule}": ${rules[rule]})`

/** The text of a broken rule without its numbers: equal in many worlds. Empty: none is broken. */
export const kindOf = (broken: Broken | undefined): string => broken?.what.replace(/\d+/g, '#') ?? ''
