/**
 * Amounts that people write where minor units belong.
 *
 * @module
 */

/**
 * Lists the usual wrong forms of an amount in minor units: with a point or a comma, and ten, a hundred or a thousand
 * times too much or too little.
 *
 * @param minor Minor units, or `''` when the request has no amount.
 */
export function amountForms(minor: string): string[] {
  if (minor === '') return []
  const forms = new Set<string>()
  for (const digits of [2, 3]) {
    const padded = minor.padStart(digits + 1, '0')
    const whole = padded.slice(0, -digits)
    const fraction = padded.slice(-digits)
    forms
      .add(`${whole}.${fraction}`)
      .add(`${whole},${fraction}`)
      .add(`${whole}.${fraction.replace(/0+$/, '')}`)
      .add(whole)
    forms.add(`${whole}.${fraction.replace(/0+$/, '') || '0'}`)
  }
  for (const zeros of ['0', '00', '000']) {
    forms.add(minor + zeros)
    if (minor.endsWith(zeros) && minor.length > zeros.length) forms.add(minor.slice(0, -zeros.length))
  }
  forms.add(`${minor}.00`).add(`${minor}.0`)
  forms.delete(minor)
  return [...forms]
}

/** How far from the request's amount {@link likelyAmounts} looks, in minor units. */
const nearest = 200

/** Whole amounts below this many major units are tried, and every amount below this many minor units. */
const mostMajor = 2000
const mostMinor = 1000

/** How prices end, in hundredths, and the highest of these prices that is tried, in major units. */
const priceEndings = ['99', '95', '90', '50', '49']
const mostPriced = 300

/**
 * Lists the amounts that shops ask for, in minor units: near the request's amount, small ones, whole ones, prices that end
 * in 99 and the like. There are some 5000.
 *
 * @param minor Minor units of the request, or `''` when it has no amount.
 */
export function* likelyAmounts(minor: string): Generator<string> {
  if (minor !== '') {
    const own = BigInt(minor)
    for (let distance = 1n; distance <= nearest; distance += 1n) {
      yield String(own + distance)
      if (own >= distance) yield String(own - distance)
    }
  }
  yield* wholeAmounts(mostMajor)
  for (let amount = 0; amount < mostMinor; amount += 1) yield String(amount)
  for (let major = 0; major < mostPriced; major += 1) {
    for (const ending of priceEndings) yield `${major === 0 ? '' : major}${ending}`
  }
}

/** Lists the amounts of 1, 2, 3, … major units, in hundredths. */
export function* wholeAmounts(below: number): Generator<string> {
  for (let major = 1; major < below; major += 1) yield `${major}00`
}
