/** Capture, return and void: the merchant's buttons. The till sends each of them once, however often it is pressed. */
import { fromMinorUnits } from '@tillkit/client'
import { readMinorUnits } from '@tillkit/protocol'
import type { Part, Till } from '@tillkit/till'
import type { OrderView } from './pages/order-view.js'
import { whyNotMade } from './why-not-made.js'

/** A button that was pressed. */
export interface ButtonPressed {
  readonly till: Till
  readonly name: 'capture' | 'return' | 'void'
  /** As typed; empty for all that is left. */
  readonly amount: string
  /** Of the page that had the button: the same part twice from one page is one part. */
  readonly key: string
  /** Which of two orders that brought money is meant; mostly empty. */
  readonly of: string
}

/** Sends a change. @returns Why nothing was sent, in words for the merchant; undefined where it was sent. */
export async function changeOrder(
  { payment, order }: OrderView,
  { till, name, amount, key, of }: ButtonPressed,
): Promise<string | undefined> {
  if (key === '') return 'This was not asked for on a page of the order. Look at it again, then decide.'
  const part = name === 'void' || amount === '' ? undefined : partOf({ amount, key }, order.product.currency)
  if (part === 'no amount') return `${JSON.stringify(amount)} is not an amount. Write one such as 5 or 5.00.`
  const reference = payment.orders.some(({ clientOrderId }) => clientOrderId === of) ? of : order.id
  try {
    const { again } = name === 'void' ? await till.void(reference) : await till[name](reference, part)
    return again ? `This ${name} was sent before. Nothing was sent now.` : undefined
  } catch (error) {
    const why = whyNotMade(error, 'merchant')
    if (why === undefined) throw error
    return why
  }
}

/** What the merchant typed with the currency's digits: `5` is `5.00`. */
function partOf({ amount, key }: Part, currency: string): Part | 'no amount' {
  try {
    const minorUnits = readMinorUnits(amount, currency)
    return minorUnits > 0n ? { amount: fromMinorUnits(minorUnits, currency), key } : 'no amount'
  } catch {
    return 'no amount'
  }
}
