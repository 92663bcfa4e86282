/** What merchants want of the gateway in the worlds of this folder. */
import type { StageName } from '@tillkit/protocol'

/** One thing that is wanted once, and never twice. */
export interface Movement {
  readonly operation: 'sale' | 'preauth' | 'capture' | 'return' | 'void'
  /** Which order of the payment. */
  readonly order: '' | '.2r'
  readonly stage: StageName
  readonly outcome: 'approved' | 'declined'
  /** Major units; absent: the whole. */
  readonly amount?: string
  /** Which part of the order; the attempt's id, too. */
  readonly part?: string
}

const create = (operation: 'sale' | 'preauth', more: Partial<Movement> = {}): Movement => ({
  operation,
  order: '',
  stage: operation,
  outcome: 'approved',
  amount: '10.00',
  ...more,
})

const change = (operation: 'capture' | 'return' | 'void', amount?: string, part?: string): Movement => ({
  operation,
  order: '',
  stage: operation === 'return' ? 'reversal' : operation,
  outcome: 'approved',
  ...(amount === undefined || part === undefined ? {} : { amount, part }),
})

/** Every kind of payment, as the list of its movements. Of equal parts only the ids differ. */
export const kinds: readonly (readonly Movement[])[] = [
  [create('sale')],
  [create('sale', { outcome: 'declined' }), create('sale', { order: '.2r' })],
  [create('preauth'), change('capture')],
  [create('preauth'), change('capture', '4.00', 'parcel-1'), change('capture', '3.00', 'parcel-2')],
  [create('preauth'), change('capture', '3.00', 'parcel-1'), change('capture', '3.00', 'parcel-2')],
  [create('sale'), change('return')],
  [create('sale'), change('return', '2.00', 'back-1'), change('return', '2.00', 'back-2')],
  [create('preauth'), change('void')],
]

/** A payment of a merchant. */
export interface Payment {
  readonly reference: string
  readonly movements: readonly Movement[]
}

/** A movement of a payment. */
export interface Wish {
  readonly movement: Movement
  readonly clientOrderId: string
  /** What identifies it in the gateway's books. */
  readonly key: string
}

/** The wishes of a payment, in the order in which they are to come true. */
export const wishesOf = ({ reference, movements }: Payment): readonly Wish[] =>
  movements.map(movement => {
    const clientOrderId = `${reference}${movement.order}`
    return { movement, clientOrderId, key: keyOf(movement.operation, clientOrderId, movement.part) }
  })

export const keyOf = (operation: string, clientOrderId: string, part = ''): string =>
  `${operation} ${clientOrderId} ${part}`
