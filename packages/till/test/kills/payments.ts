/**
 * The payments that are worked through, as both processes know them: what is asked for, and what must have happened in the end.
 *
 * @module
 */

/** One thing that a merchant wants of the gateway. */
export interface Movement {
  readonly operation: 'sale' | 'preauth' | 'capture' | 'return' | 'void'
  /** Which order of the payment: `''` the first, `.2r` the second. */
  readonly order: '' | '.2r'
  /** Major units; absent: the whole. */
  readonly amount?: string
  /** Which part of the order; it is the attempt's id, too. */
  readonly part?: string
  /** The card's security code, by which the gateway decides. */
  readonly cvv2?: string
  /** The name of what is being done, for the points of a kill. */
  readonly context: string
  /** The word that status shows afterwards, and under which name of the question. */
  readonly outcome: 'approved' | 'declined'
  /** The stage that it makes. */
  readonly stage: 'sale' | 'preauth' | 'capture' | 'reversal' | 'void'
}

const create = (operation: 'sale' | 'preauth', more: Partial<Movement> = {}): Movement => ({
  operation,
  order: '',
  amount: '10.00',
  cvv2: '123',
  context: operation,
  outcome: 'approved',
  stage: operation,
  ...more,
})

const change = (operation: 'capture' | 'return' | 'void', more: Partial<Movement> = {}): Movement => ({
  operation,
  order: '',
  context: more.part === undefined ? operation : `${operation}-part`,
  outcome: 'approved',
  stage: operation === 'return' ? 'reversal' : operation,
  ...more,
})

/** Every kind of payment. Two of the parts are equal, so that only their ids tell them apart. */
export const kinds = {
  sold: [create('sale')],
  declined: [
    create('sale', { cvv2: '116', context: 'sale-declined', outcome: 'declined' }),
    create('sale', { order: '.2r', context: 'retry' }),
  ],
  captured: [create('preauth'), change('capture')],
  parts: [
    create('preauth'),
    change('capture', { amount: '4.00', part: 'parcel-1' }),
    change('capture', { amount: '3.00', part: 'parcel-2' }),
    change('capture', { amount: '3.00', part: 'parcel-3' }),
  ],
  returned: [create('sale'), change('return')],
  'returned-parts': [
    create('sale'),
    change('return', { amount: '3.00', part: 'back-1' }),
    change('return', { amount: '2.00', part: 'back-2' }),
  ],
  released: [create('preauth'), change('void')],
} as const satisfies { readonly [kind: string]: readonly Movement[] }

export type Kind = keyof typeof kinds

/** A payment of a list. */
export interface Payment {
  readonly reference: string
  readonly kind: Kind
  /**
   * Who learns how a movement ended: the process that asks status, or its handler, which a callback brings about.
   */
  readonly by: 'status' | 'callback'
}

/** The handler's word for a movement, among the merchant's outcomes. */
export function toldAs({ outcome, stage }: Movement): string {
  if (outcome === 'declined') return 'declined'
  return { sale: 'paid', preauth: 'held', capture: 'paid', reversal: 'returned', void: 'released' }[stage]
}

/** The identity of a movement in the books of the gateway. */
export const movementKey = (reference: string, { operation, order, part = '' }: Movement): string =>
  `${operation} ${reference}${order} ${part}`

/** How long a call may take, or may where the next life has to begin meanwhile; and after how much longer a person is asked. In milliseconds. */
export const times = { timeout: 1_200, slow: 6_000, quietPeriod: 500 } as const

/**
 * How late a request may still arrive after the death of the process that sent it, in milliseconds: when the next one has long asked
 * status, and before two timeouts and the quiet period are over.
 */
export const lateness = 1_500
