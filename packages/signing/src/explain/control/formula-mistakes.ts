import { controlItems, currencyCodes } from '../../index.js'
import type { ControlCandidate, ControlMade } from './types.js'

/** How many candidates of an item are tried together with those of the others. */
const mostTogether = 8

/** Where the amount is not known, whole ones below this many major units are tried with these currencies. */
const mostGuessed = 1000
const guessedCurrencies = ['EUR', 'USD', 'RUB']

/**
 * Lists control strings that cover an amount and a currency though the request has neither, or neither though the request
 * has both.
 *
 * @see Interface specification, section 5.1, capture and return
 */
export function* togetherCandidates(made: ControlMade): Generator<ControlCandidate> {
  const values = new Map(made.items.map(({ name, value }) => [name, value]))
  const amount = values.get('amount')
  const currency = values.get('currency')
  const join = (other: Readonly<Record<string, string>>): string =>
    made.items.map(({ name, value }) => other[name] ?? value).join('') + made.controlKey
  if (amount && currency) {
    yield {
      controlString: join({ amount: '', currency: '' }),
      item: 'amount',
      text: 'amount, currency: the value was made without them, and the request has both; what is sent is covered',
    }
  }
  if (amount !== '' || currency !== '') return
  for (const [amount, currency] of amountsOf(made)) {
    yield {
      controlString: join({ amount, currency }),
      item: 'amount',
      text: () =>
        `amount, currency: the value was made over ${JSON.stringify(amount)} and ${JSON.stringify(currency)}, and the ` +
        'request has neither; send both, or leave both out of the value',
    }
  }
}

function* amountsOf({ candidates }: ControlMade): Generator<readonly [amount: string, currency: string]> {
  const { amount: amounts = [], currency: currencies = [] } = candidates
  for (const amount of amounts.slice(0, mostTogether)) {
    for (const currency of [...currencies, ...currencyCodes]) yield [amount, currency]
  }
  const likely = currencies.length > 0 ? currencies.slice(0, guessedCurrencies.length) : guessedCurrencies
  for (const amount of wholeAmounts(mostGuessed)) {
    for (const currency of likely) yield [amount, currency]
  }
}

/**
 * Lists control strings over the items of another operation. An item that the request does not have is taken from the
 * candidates, or is empty.
 */
export function* operationCandidates({ items, controlKey, candidates }: ControlMade): Generator<ControlCandidate> {
  const values = new Map(items.map(({ name, value }) => [name, value]))
  const valuesOf = (name: string): readonly string[] => {
    const value = values.get(name)
    if (value) return [value]
    const known = Object.hasOwn(candidates, name) ? candidates[name] : undefined
    return [...new Set([...(known ?? []).slice(0, mostTogether), ''])]
  }
  const right = items.map(({ name }) => name).join(', ')
  for (const [formula, operations] of formulas()) {
    if (formula === right) continue
    const text = `the value was made over the items of ${operations.join(', ')}: ${formula}; this operation has ${right}`
    for (const joined of joinedValues(formula.split(', ').map(valuesOf))) {
      yield { controlString: joined + controlKey, text }
    }
  }
}

/** Which operations have the same items. */
function formulas(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [operation, items] of Object.entries(controlItems)) {
    const formula = items.join(', ')
    found.set(formula, [...(found.get(formula) ?? []), operation])
  }
  return found
}

function* joinedValues([first, ...rest]: readonly (readonly string[])[]): Generator<string> {
  if (first === undefined) {
    yield ''
    return
  }
  for (const value of first) {
    for (const joined of joinedValues(rest)) yield value + joined
  }
}

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
