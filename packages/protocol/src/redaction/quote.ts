/**
 * What came over the wire, made fit for a sentence.
 *
 * @module
 */
import { maskCardNumbers } from './mask-card-number.js'

/** Cuts, masks and escapes `text`, so that it cannot write lines of its own into a log; `none` where there is none. */
export const quote = (text: string | undefined): string =>
  text === undefined ? 'none' : JSON.stringify(maskCardNumbers(text.slice(0, 1024)).slice(0, 128))

/** An amount and its currency as they were written, quoted. */
export const quoteMoney = ({
  amount,
  currency,
}: {
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}): string =>
  `${amount === undefined ? 'no amount' : quote(amount)} ${currency === undefined ? 'without a currency' : quote(currency)}`
