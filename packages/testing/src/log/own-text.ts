/** Shorter ones are copies already: only of a longer one does a piece keep the whole text in memory. */
const shortest = 13

/** A copy that stands alone: a piece of a request's body would keep the whole body in memory, card data included. */
export const ownText = (text: string): string => (text.length < shortest ? text : ` ${text}`.slice(1))
