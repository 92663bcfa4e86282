/** The rules by which the explorer and the world judge: each has a name, and a sentence for people. */

/** Every rule, by its name. docs/evidence.md lists them. */
export const rules = {
  'one charge':
    'Customers can pay, or have paid, one order of a payment at most; otherwise the merchant is told `surplus`.',
  'kept before it leaves': 'A request leaves only once the store has it.',
  'in its time': 'A request leaves before its deadline.',
  'sent once': 'A run sends one request at most, and what was wanted once is carried out once.',
  'no more than there is': 'No more is returned, captured or released than was paid or held.',
  'no request after a no': 'Where a caller was told that nothing is sent, nothing is sent later.',
  'looks send nothing': 'A customer who comes back, a callback and a look in the background send no request.',
  'not after a stop': 'No order is opened where new money had been stopped before the run looked.',
  'not beside money':
    'No order is opened beside one that had brought the money, or whose customer had given a card, when the customer pressed.',
  'asked after a restore':
    'Once the store was restored, the gateway is asked about each order that the store may have lost before the next one is opened.',
  'asked where it is': 'Status of an order is asked of the account that has it.',
  'nothing means nothing':
    'That a request did nothing is said and kept only if it has not arrived, and cannot arrive any more.',
  'heard is true': 'What a caller hears of its request, or of the payment, is so, and is kept.',
  'said by the gateway':
    'Only what the gateway has said of an order is kept, shown to customers and told to the merchant.',
  'callback is kept': 'A callback counts as answered only once what it says is kept.',
  'decision is kept': 'A person hears that a decision is done only once it is kept.',
  'one teller': 'A handler is called under a lease of the store, by one process at a time.',
  'told is booked':
    'An outcome counts as told if its handler has returned; with transactions if, and only if, its commit has happened.',
  'told again only after trouble':
    'A handler is called for the same outcome again only after trouble, with transactions never once it has committed.',
  'told in order': 'Outcomes of a payment are told in the order in which they happened.',
  'all is told':
    'What has become known is told before anything else is sent, and once trouble is over nothing stays untold.',
  'totals are true': 'Totals that count as certain are those of the gateway’s books.',
  'follow-ups':
    'Follow-ups are carried out in their order, each once, and leave the list only once the gateway has taken them.',
  'one order stays': 'Of two paid orders one at most is given back by the till.',
  'runs end': 'No run goes on for ever, and looking again where nothing has changed does nothing.',
  'nobody is stuck': 'Once trouble is over customers can go on, work can be done, and a person can end each question.',
  'nothing is forgotten':
    'Orders, stages, and requests that may have arrived stay in the store until the whole payment is purged.',
} as const satisfies Readonly<Record<string, string>>

/** The name of a rule. */
export type RuleName = keyof typeof rules

/** A rule that is broken. */
export interface Broken {
  readonly rule: RuleName
  /** By what. */
  readonly what: string
}

/** Says that a rule is broken, and by what. */
export const breaks = (rule: RuleName, what: string): Broken => ({ rule, what })

/** Says for people which rule is broken, and by what. */
export const describe = ({ rule, what }: Broken): string => `${what} ("${rule}": ${rules[rule]})`

/** What is alike in what breaks a rule in many worlds: the text without its numbers. Empty: no rule is broken. */
export const kindOf = (broken: Broken | undefined): string => broken?.what.replace(/\d+/g, '#') ?? ''
