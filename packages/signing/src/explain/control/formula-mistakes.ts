import { controlItems, currencyCodes } from '../../index.js'
import type { ControlCandidate, ControlMade } from './candidate.js'

/** How many candidates of an item are tried together with those of the others. */
const mostTogether = 8

/** Where the amount is not known, whole ones below this many major units are tried with these currencies. */
const mostGuessed = 1000
const guessedCurrencies = ['EUR', 'USD', 'RUB']

/** Lists control strings that cover an amount and a currency though the request has neither, or the reverse. */
export function* togetherCandidates(made: ControlMade): Generator<ControlCandidate> {
  const values = new Map(made.items.map(({ name, value }) => [name, value]))
  const has = { amount: values.get('amount'), currency: values.get('currency') }
  const candidate = (amount: string, currency: string, text: string | (() => string)): ControlCandidate => {
    const theirsOf = ({ name, value }: ControlMade['items'][number]): string =>
      name === 'amount' ? amount : name === 'currency' ? currency : value
    const covered = () => made.items.map(item => ({ name: item.name, value: theirsOf(item) }))
    return [made.items.map(theirsOf).join('') + made.controlKey, text, { item: 'amount', covered }]
  }
  if (has.amount && has.currency) {
    const text = 'amount, currency: the value was made without them, and the request has both; what is sent is covered'
    yield candidate('', '', text)
  }
  if (has.amount !== '' || has.currency !== '') return
  for (const [amount, currency] of amountsOf(made)) {
    const text = () =>
      `amount, currency: the value was made over ${JSON.stringify(amount)} and ${JSON.stringify(currency)}, and the ` +
      'request has neither; send both, or leave both out of the value'
    yield candidate(amount, currency, text)
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
  const formulas = Object.entries(controlItems).map(([operation, row]) => ({ operation, formula: row.join(', ') }))
  for (const formula of new Set(formulas.map(({ formula }) => formula))) {
    if (formula === right) continue
    const operations = formulas.filter(other => other.formula === formula).map(({ operation }) => operation)
    const text = `the value was made over the items of ${operations.join(', ')}: ${formula}; this operation has ${right}`
    const names = formula.split(', ')
    for (const texts of combined(names.map(valuesOf))) {
      const covered = () => names.map((name, index) => ({ name, value: texts[index] ?? '' }))
      yield [texts.join('') + controlKey, text, { covered }]
    }
  }
}

/** Takes one value of each list, in every combination. */
const combined = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  lists.reduce<readonly (readonly string[])[]>(
    (texts, list) => texts.flatMap(start => list.map(value => [...start, value])),
    [[]],
  )

/**
 * Lists the usual wrong forms of an amount in minor units: with a point or a comma, and ten, a hundred or a thousand
 * times too much or too little.
 */
export function amountForms(minor: string): string[] {
  if (minor === '') return []
  const inMajorUnits = [2, 3].flatMap(digits => {
    const padded = minor.padStart(digits + 1, '0')
    const whole = padded.slice(0, -digits)
    const fraction = padded.slice(-digits)
    const short = fraction.replace(/0+$/, '')
    return [`${whole}.${fraction}`, `${whole},${fraction}`, `${whole}.${short}`, whole, `${whole}.${short || '0'}`]
  })
  const shifted = ['0', '00', '000'].flatMap(zeros =>
    minor.endsWith(zeros) && minor !== zeros ? [minor + zeros, minor.slice(0, -zeros.length)] : [minor + zeros],
  )
  return [...new Set([...inMajorUnits, ...shifted, `${minor}.00`, `${minor}.0`])].filter(form => form !== minor)
}

/** How far from the request's amount {@link likelyAmounts} looks, in minor units. */
const nearest = 200

/** Whole amounts below this many major units are tried, and every amount below this many minor units. */
const mostMajor = 2000
const mostMinor = 1000

/** How prices end, in hundredths, and the highest of these prices that is tried, in major units. */
const priceEndings = ['99', '95', '90', '50', '49']
const mostPriced = 300

/** Lists some 5000 amounts that shops ask for, in minor units: near the request's amount, whole ones, small ones, prices. */
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
function* wholeAmounts(below: number): Generator<string> {
  for (let major = 1; major < below; major += 1) yield `${major}00`
}
