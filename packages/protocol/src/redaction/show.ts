import { hidden, maskCardNumber } from './mask-card-number.js'
import type { Scrubber } from './scrub.js'

/** How the value of a field is shown: whole, as free text, by the origin of an address, in part. */
export type Shown = 'whole' | 'prose' | 'origin' | 'card-number' | 'email' | 'last-four'

/** A value as it may be seen. Without a word on how it is shown it is hidden. */
export function show(
  value: string,
  { as, scrubber }: { readonly as: Shown | undefined; readonly scrubber: Scrubber },
): string {
  switch (as) {
    case 'whole':
      return scrubber.exact(value)
    case 'prose':
      return scrubber.prose(value)
    case 'card-number':
      return maskCardNumber(value)
    case 'email':
      return value.includes('@') ? scrubber.exact(value.replace(/^(.?).*(@.*)$/s, `$1${hidden}$2`)) : hidden
    case 'last-four':
      return `${hidden}${value.length > 8 ? value.slice(-4) : ''}`
    case 'origin':
      // The rest of an address may carry a token, and with it anyone could act as the customer.
      return URL.canParse(value) ? `${new URL(value).origin}/${hidden}` : hidden
    case undefined:
      return hidden
  }
}
