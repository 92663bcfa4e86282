/** Gives a number of at least 0 and below 1 for a label: the same one for the same label, however often and in which order it is asked. */
export type Dice = (label: string) => number

/** Makes the dice of one payment. Labels, and no order of throws, decide: what is left out of a life changes no other throw of it. */
export function diceOf(seed: number, payment: number): Dice {
  const salt = mixed(Math.imul(seed, 0x9e3779b1) ^ mixed(payment + 0x85ebca6b))
  return label => {
    let hash = salt
    for (let at = 0; at < label.length; at += 1) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193)
    return mixed(hash) / 0x1_0000_0000
  }
}

/** Spreads every bit over all others. */
function mixed(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A whole number from one up to another one. */
export const between = (dice: Dice, label: string, least: number, most: number): number =>
  least + Math.floor(dice(label) * (most - least + 1))

/** One of several, each as likely as its weight says. */
export function oneOf<Value>(
  dice: Dice,
  label: string,
  weighted: readonly (readonly [weight: number, value: Value])[],
): Value {
  const sum = weighted.reduce((all, [weight]) => all + weight, 0)
  let left = dice(label) * sum
  for (const [weight, value] of weighted) {
    left -= weight
    if (left < 0) return value
  }
  const last = weighted.at(-1)
  if (last === undefined) throw new TypeError('There is nothing to choose from.')
  return last[1]
}
