/**
 * Amounts that people write where minor units belong.
 *
 * @module
 */

/** Highest amount that {@link everyAmount} tries, in minor units. */
const highestAmount = 200_000

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

/** Lists every amount from 0 to 200000 minor units. */
export function* everyAmount(): Generator<string> {
  for (let minor = 0; minor <= highestAmount; minor += 1) yield String(minor)
}
